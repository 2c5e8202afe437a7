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
    for (let at = 0; at < text.length;) {
      if (this.#state === 'text') {
        const end = nextControl(text, at);
        clean += this.#plain(text.slice(at, end));
        at = end;
        if (at < text.length) {
          clean += this.#control(text.charCodeAt(at));
          at += 1;
        }
      } else {
        this.#state = next[this.#state](text.charAt(at), text.charCodeAt(at));
        at += 1;
      }
    }
    return clean;
  }

  /** A run without control characters but tabs and newlines. */
  #plain(run: string): string {
    const isEndOfReturn = this.#hasReturn && run.startsWith('\n');
    this.#hasReturn &&= run === '';
    return isEndOfReturn ? run.slice(1) : run;
  }

  #control(code: number): string {
    this.#hasReturn = code === returnCode;
    this.#state = introduced(code);
    return this.#hasReturn ? '\n' : '';
  }
}

/** Position of the next control character that is neither tab nor newline; the end when there is none. */
function nextControl(text: string, from: number): number {
  const pattern = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
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
const returnCode = 0x0d;

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

function afterEscape(character: string): State {
  if (character === '[') {
    return 'csi';
  }
  if (']P_^X'.includes(character)) {
    return 'string';
  }
  return '()*+-./#% '.includes(character) ? 'charset' : 'text';
}
