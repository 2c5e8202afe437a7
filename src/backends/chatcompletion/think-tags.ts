// Thinking that a server leaves in the text, between tags at its very beginning.

const opening = '<think>';
const closing = '</think>';

export interface Told {
  readonly thinking: string;
  readonly text: string;
}

/** Takes the pieces of a text apart. Text that merely mentions the tags later on stays as it is. */
export class ThinkTags {
  #state: 'begins' | 'thinks' | 'pauses' | 'speaks' = 'begins';
  #held = '';

  push(piece: string): Told {
    if (this.#state === 'speaks') {
      return { thinking: '', text: piece };
    }
    if (this.#state === 'pauses') {
      return this.#pause(piece);
    }
    this.#held += piece;
    return this.#state === 'begins' ? this.#begin() : this.#think();
  }

  /** What was held back, once nothing more comes. */
  end(): Told {
    const held = this.#held;
    this.#held = '';
    return this.#state === 'thinks' ? { thinking: held, text: '' } : { thinking: '', text: held };
  }

  #begin(): Told {
    const begun = this.#held.trimStart();
    if (begun.startsWith(opening)) {
      this.#state = 'thinks';
      this.#held = begun.slice(opening.length);
      return this.#think();
    }
    if (opening.startsWith(begun)) {
      return { thinking: '', text: '' };
    }
    this.#state = 'speaks';
    const text = this.#held;
    this.#held = '';
    return { thinking: '', text };
  }

  /** Empty lines between thinking and text belong to neither. */
  #pause(piece: string): Told {
    const text = piece.trimStart();
    if (text !== '') {
      this.#state = 'speaks';
    }
    return { thinking: '', text };
  }

  #think(): Told {
    const end = this.#held.indexOf(closing);
    if (end >= 0) {
      this.#state = 'pauses';
      const thinking = this.#held.slice(0, end);
      const { text } = this.#pause(this.#held.slice(end + closing.length));
      this.#held = '';
      return { thinking, text };
    }
    const kept = heldBack(this.#held);
    const thinking = this.#held.slice(0, this.#held.length - kept);
    this.#held = this.#held.slice(thinking.length);
    return { thinking, text: '' };
  }
}

/** How many characters at the end may begin the closing tag. */
function heldBack(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(closing.slice(0, length))) {
      return length;
    }
  }
  return 0;
}
