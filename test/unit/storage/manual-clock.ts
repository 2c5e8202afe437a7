import { type Disposable, toDisposable } from '../../../src/base/disposable';
import type { Clock } from '../../../src/core/ports/clock';

/** A clock that only moves when told to. */
export class ManualClock implements Clock {
  #now = 1_000_000;
  readonly #due = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): Disposable {
    this.#due.set(run, this.#now + delayMs);
    return toDisposable(() => this.#due.delete(run));
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#due].filter(([, at]) => at <= end).sort((a, b) => a[1] - b[1])[0];
      if (next === undefined) {
        this.#now = end;
        return;
      }
      this.#now = next[1];
      this.#due.delete(next[0]);
      next[0]();
    }
  }

  get pending(): number {
    return this.#due.size;
  }
}
