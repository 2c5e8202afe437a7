// Makes characters visible that can hide or reorder what a command really says.

/** C0 and C1 controls (but not tab and line feed), zero-width and direction characters, line and paragraph separators. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** `text` with each hidden character as its code point, e.g. `⟨U+202E⟩`. */
export function revealHidden(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** The same for text that must stay on one line: line feeds and tabs are shown too. */
export function revealOnOneLine(text: string): string {
  return revealHidden(text).replace(/\n/g, ' ⏎ ').replace(/\t/g, ' ');
}
