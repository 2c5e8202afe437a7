/** Tokens that stand behind a stated cost. */
export interface CountedTokens {
  /** Of everything that the stated cost counts; `undefined` when that is not told. */
  readonly total: number | undefined;
  /** Of the turn that has ended. */
  readonly turn: number;
}

/**
 * Programs state what a whole session has cost so far; this tells what came on top. It outlives the process of a program:
 * one that goes on with a session may go on counting as well, or begin anew.
 */
export class SessionCosts {
  #stated = 0;
  #tokens: number | undefined = 0;
  #isNewProcess = false;

  /** A process begins, with a session that begins at nothing unless it is resumed. */
  begin(isResumed: boolean): void {
    this.#isNewProcess = isResumed;
    if (!isResumed) {
      this.#stated = 0;
      this.#tokens = 0;
    }
  }

  /** US dollars since the sum that was stated before. */
  since(totalUsd: number, tokens?: CountedTokens): number {
    const before = this.#hasBegunAnew(totalUsd, tokens) ? 0 : this.#stated;
    this.#stated = totalUsd;
    this.#tokens = tokens?.total;
    this.#isNewProcess = false;
    return totalUsd - before;
  }

  /**
   * A smaller sum than before was counted anew, and a larger one when fewer tokens stand behind it than those of before and
   * those of this turn together.
   */
  #hasBegunAnew(totalUsd: number, tokens: CountedTokens | undefined): boolean {
    if (totalUsd < this.#stated) {
      return true;
    }
    const [now, before] = [tokens?.total, this.#tokens];
    const isKnown = tokens !== undefined && now !== undefined && before !== undefined;
    return this.#isNewProcess && isKnown && now < before + tokens.turn;
  }
}
