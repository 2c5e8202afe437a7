/** One line in pieces: a page can be a single line of a million pieces, and a text that grows is copied at each look. */
export class LineOfPage {
  #pieces: string[] = [];

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Whether nothing stands right before what comes next. */
  get isSpaced(): boolean {
    return this.#pieces.at(-1)?.endsWith(' ') ?? true;
  }

  /** What comes next begins here. */
  get place(): number {
    return this.#pieces.length;
  }

  add(text: string): void {
    if (text !== '') {
      this.#pieces.push(text);
    }
  }

  hasWordsFrom(place: number): boolean {
    return this.#pieces.slice(place).some((piece) => piece.trim() !== '');
  }

  trimEnd(): void {
    for (let last = this.#pieces.pop(); last !== undefined; last = this.#pieces.pop()) {
      const trimmed = last.trimEnd();
      if (trimmed !== '') {
        this.#pieces.push(trimmed);
        return;
      }
    }
  }

  /** The line, which is empty afterwards. */
  take(): string {
    const line = this.#pieces.join('');
    this.#pieces = [];
    return line;
  }
}
