/**
 * Tells of a JSON object that comes in pieces whether its last bracket is closed. Looks at every character once, where
 * parsing the whole after each piece would take ever longer.
 */
export class JsonScan {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #hasBegun = false;

  /** Brackets are balanced; whether it is JSON is another question. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0 && !this.#isText;
  }

  push(piece: string): void {
    for (const character of piece) {
      if (this.#isText) {
        this.#inText(character);
      } else if (character === '"') {
        this.#isText = true;
      } else if (character === '{' || character === '[') {
        this.#depth += 1;
        this.#hasBegun = true;
      } else if (character === '}' || character === ']') {
        this.#depth -= 1;
      }
    }
  }

  reset(): void {
    this.#depth = 0;
    this.#isText = false;
    this.#isEscaped = false;
    this.#hasBegun = false;
  }

  #inText(character: string): void {
    if (this.#isEscaped) {
      this.#isEscaped = false;
    } else if (character === '\\') {
      this.#isEscaped = true;
    } else if (character === '"') {
      this.#isText = false;
    }
  }
}
