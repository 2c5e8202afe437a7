// What is refused by a look at the bare text, so that it never reaches the parser.

/** Team files are written by hand; anything near this is a mistake or an attack. */
export const maxChars = 64 * 1024;
const maxAliases = 50;
const maxDepth = 100;

export interface Refusal {
  readonly code: 'too-large' | 'syntax';
  /** Offset of what is refused. */
  readonly at: number;
  readonly message: string;
}

/** `undefined` for a text that may be parsed. The time it takes grows with the length of the text alone. */
export function refuseText(text: string): Refusal | undefined {
  if (text.length > maxChars) {
    const message = `The file has ${text.length} characters; at most ${maxChars} are read.`;
    return { code: 'too-large', at: 0, message };
  }
  return refuseControls(text) ?? refuseAliases(text) ?? refuseDepth(text);
}

/** Bytes that no editor writes: the file is probably something else than text. */
function refuseControls(text: string): Refusal | undefined {
  const at = text.search(/[^\P{Cc}\t\n\r\u0085]/u);
  if (at === -1) {
    return undefined;
  }
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
  const message = `Here is a control character (U+${code}); a team file is plain text.`;
  return { code: 'syntax', at, message };
}

function refuseAliases(text: string): Refusal | undefined {
  const aliases = text.match(/(?:^|[\s[{,:-])\*[^\s*,[\]{}]+/g)?.length ?? 0;
  if (aliases <= maxAliases || !/(?:^|[\s[{,:-])&[^\s&,[\]{}]+/.test(text)) {
    return undefined;
  }
  const message = `The file has ${aliases} aliases; at most ${maxAliases} are followed.`;
  return { code: 'too-large', at: 0, message };
}

/**
 * By an upper bound of the nesting: levels of indentation, dashes in a row, and open brackets. Brackets in plain text count
 * too; no real team file leaves a hundred of them open.
 */
function refuseDepth(text: string): Refusal | undefined {
  const indents: number[] = [];
  let brackets = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const lead = /^[\s?:-]*/.exec(line)?.[0] ?? '';
    if (lead.length < line.length) {
      const indent = line.length - line.trimStart().length;
      while ((indents.at(-1) ?? -1) >= indent) {
        indents.pop();
      }
      indents.push(indent);
    }
    let deepest = brackets;
    for (const char of line) {
      brackets = Math.max(0, brackets + (bracketSteps[char] ?? 0));
      deepest = Math.max(deepest, brackets);
    }
    if (deepest + indents.length + lead.replaceAll(/\s/g, '').length > maxDepth) {
      const message = `The file is nested more than ${maxDepth} levels deep.`;
      return { code: 'too-large', at, message };
    }
    at += line.length + 1;
  }
  return undefined;
}

const bracketSteps: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
