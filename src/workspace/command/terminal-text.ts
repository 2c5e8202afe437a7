type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape' | 'charset';

/**
 * Removes escape sequences and control characters (C0 but tab and newline, C1) from output that may arrive cut anywhere.
 * A carriage return becomes a newline, so that progress lines do not run together.
 */
export class TerminalText {
  #state: State = 'text';
  #hasReturn = false;

  push(text: string): string {
    let clean = '';
    for (const character of text) {
      if (this.#state === 'text') {
        clean += this.#text(character, character.codePointAt(0) ?? 0);
      } else {
        this.#state = next[this.#state](character, character.codePointAt(0) ?? 0);
      }
    }
    return clean;
  }

  #text(character: string, code: number): string {
    const followsReturn = this.#hasReturn;
    this.#hasReturn = character === '\r';
    if (character === '\r') {
      return '\n';
    }
    if (character === '\n') {
      return followsReturn ? '' : '\n';
    }
    this.#state = introduced(code);
    return this.#state === 'text' && !isControl(code) ? character : '';
  }
}

/** What a character inside a sequence leads to. */
const next: Record<Exclude<State, 'text'>, (character: string, code: number) => State> = {
  escape: afterEscape,
  charset: () => 'text',
  // Parameters and intermediates go on; a final byte ends it, and so does anything that cannot belong to it.
  csi: (_character, code) =>
    code >= 0x20 && code <= 0x3f ? 'csi' : code === escapeCode ? 'escape' : 'text',
  string: (_character, code) => {
    if (code === 0x07 || code === 0x9c) {
      return 'text';
    }
    return code === escapeCode ? 'string-escape' : 'string';
  },
  'string-escape': (character) => (character === '\\' ? 'text' : 'string'),
};

const escapeCode = 0x1b;

/** The state that a character of plain text leads to; single-byte forms of the introducers included. */
function introduced(code: number): State {
  if (code === escapeCode) {
    return 'escape';
  }
  if (code === 0x9b) {
    return 'csi';
  }
  return code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f) ? 'string' : 'text';
}

function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09) || (code >= 0x7f && code <= 0x9f);
}

function afterEscape(character: string): State {
  if (character === '[') {
    return 'csi';
  }
  if (']P_^X'.includes(character)) {
    return 'string';
  }
  return '()*+-./#% '.includes(character) ? 'charset' : 'text';
}
