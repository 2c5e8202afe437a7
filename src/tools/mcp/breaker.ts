import type { Clock } from '../../core/ports/clock';

const failuresInRow = 3;
const pauseMs = 300_000;
const longestFactor = 8;

/** Keeps from starting again and again what fails each time: after three failures in a row it pauses, longer each time. */
export class Breaker {
  readonly #clock: Clock;
  #failures = 0;
  #openUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the next try is allowed; 0 when it is now. */
  get waitMs(): number {
    return Math.max(0, this.#openUntil - this.#clock.now());
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= failuresInRow) {
      const factor = Math.min(2 ** (this.#failures - failuresInRow), longestFactor);
      this.#openUntil = this.#clock.now() + pauseMs * factor;
    }
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = 0;
  }
}
