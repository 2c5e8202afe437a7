import { MassGenError } from '../../errors';

interface Waiting<T> {
  readonly turnNo: number;
  readonly resolve: (value: T | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Places where a turn that is played again waits until the log says how the step came out. An abort alone lets nobody
 * through: also what was aborted has its recorded end. Once live, nobody waits any more.
 */
export class Gates<T> {
  readonly #waiting = new Map<string, Waiting<T>[]>();
  readonly #ready = new Map<string, T[]>();
  #isLive = false;

  /** Resolves to the recorded value, to `undefined` when the step must be made now. */
  async take(key: string, turnNo: number): Promise<T | undefined> {
    const value = this.#ready.get(key)?.shift();
    if (value !== undefined || this.#isLive) {
      return value;
    }
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(key) ?? [];
      queue.push({ turnNo, resolve, reject });
      this.#waiting.set(key, queue);
    });
  }

  /** Lets the first one through that waits here, or the next one that comes. */
  deliver(key: string, value: T): void {
    const waiting = this.#waiting.get(key)?.shift();
    if (waiting === undefined) {
      this.#ready.set(key, [...(this.#ready.get(key) ?? []), value]);
    } else {
      waiting.resolve(value);
    }
  }

  /** A later turn has begun: whoever still waits in an earlier one was aborted and has no recorded end. */
  abandonBefore(turnNo: number): void {
    for (const [key, queue] of this.#waiting) {
      for (const waiting of queue) {
        if (waiting.turnNo < turnNo) {
          waiting.reject(new MassGenError('cancelled/superseded', 'The turn was over.'));
        }
      }
      this.#waiting.set(
        key,
        queue.filter((waiting) => waiting.turnNo >= turnNo),
      );
    }
  }

  goLive(): void {
    this.#isLive = true;
    for (const queue of this.#waiting.values()) {
      queue.forEach(({ resolve }) => resolve(undefined));
    }
    this.#waiting.clear();
  }
}
