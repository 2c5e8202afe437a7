import { type Disposable, toDisposable } from '../../src/base/disposable';
import type { Clock } from '../../src/core/ports/clock';

interface Waiting {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until it is advanced. Its time starts at 1,000,000 ms. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  readonly #waiting = new Set<Waiting>();

  now(): number {
    return this.#now;
  }

  /** Timers that have not fired and were not cancelled: a leak when a run is over. */
  get pending(): number {
    return this.#waiting.size;
  }

  after(delayMs: number, run: () => void): Disposable {
    const waiting = { at: this.#now + delayMs, run };
    this.#waiting.add(waiting);
    return toDisposable(() => this.#waiting.delete(waiting));
  }

  /** Moves on by `ms`, firing what is due in order of its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      this.#fire(next);
    }
    this.#now = end;
  }

  /** Moves to the nearest timer and fires it; `false` when there is none. */
  advanceToNext(): boolean {
    const next = this.#next();
    if (next === undefined) {
      return false;
    }
    this.#fire(next);
    return true;
  }

  #next(): Waiting | undefined {
    return [...this.#waiting].sort((a, b) => a.at - b.at)[0];
  }

  #fire(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#now = Math.max(this.#now, waiting.at);
    waiting.run();
  }
}
