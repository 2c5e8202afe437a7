/**
 * Programs state what a whole session has cost so far; this tells what came on top. It outlives the process of a program,
 * because one that goes on with a session mostly goes on counting as well.
 */
export class SessionCosts {
  #stated = 0;

  /** A new session begins at nothing. */
  restart(): void {
    this.#stated = 0;
  }

  /** US dollars since the sum that was stated before. A smaller sum than that was counted anew. */
  since(totalUsd: number): number {
    const before = totalUsd < this.#stated ? 0 : this.#stated;
    this.#stated = totalUsd;
    return totalUsd - before;
  }
}
