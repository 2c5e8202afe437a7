import type { ServiceClock } from './fake-model-service/service-clock';

/** Time of a service that stands still until it is let go on by a second. */
export class SteppedClock implements ServiceClock {
  #now = 0;
  readonly #held = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  at(deadlineMs: number, run: () => void): () => void {
    const entry = { at: deadlineMs, run };
    this.#held.add(entry);
    this.#release();
    return () => this.#held.delete(entry);
  }

  goOn(): void {
    this.#now += 1000;
    this.#release();
  }

  #release(): void {
    for (const entry of [...this.#held].filter(({ at }) => at <= this.#now)) {
      this.#held.delete(entry);
      entry.run();
    }
  }
}
