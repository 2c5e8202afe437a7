import { raceAbort } from '../../base/abort';

/** A number of places that are given out in the order in which they are asked for. */
export class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = Math.max(1, Math.floor(count));
  }

  /** Does the work as soon as a place is free. Rejects with the reason of the signal while it waits. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    let start = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      start = resolve;
      this.#waiting.push(resolve);
    });
    try {
      await raceAbort(turn, signal);
    } catch (error) {
      this.#leave(start);
      throw error;
    }
  }

  /** Whoever was given a place just when it stopped waiting passes it on. */
  #leave(start: () => void): void {
    const at = this.#waiting.indexOf(start);
    if (at < 0) {
      this.#giveBack();
    } else {
      this.#waiting.splice(at, 1);
    }
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free += 1;
    } else {
      next();
    }
  }
}
