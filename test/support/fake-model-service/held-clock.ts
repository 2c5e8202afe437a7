import type { ServiceClock } from './service-clock';

/** Time of a model that thinks until it is let go on. */
export class HeldClock implements ServiceClock {
  #now = 0;
  readonly #held: (() => void)[] = [];

  now(): number {
    return this.#now;
  }

  at(_deadlineMs: number, run: () => void): () => void {
    this.#held.push(run);
    return () => undefined;
  }

  goOn(): void {
    this.#now = Infinity;
    this.#held.forEach((run) => run());
  }
}
