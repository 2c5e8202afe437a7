import { type Disposable, toDisposable } from '../../../base/disposable';
import type { Clock } from '../../ports/clock';

interface Waiting {
  readonly dueAt: number;
  readonly run: () => void;
  live: Disposable | undefined;
}

/**
 * One agent's time. While the log is played it stands where the log stands, and waits end when the log says that the
 * agent went on; once live, what is left of them is waited for.
 */
export class ReplayClock implements Clock {
  readonly #waiting = new Set<Waiting>();
  #now = 0;
  #live: Clock | undefined;

  now(): number {
    return this.#live?.now() ?? this.#now;
  }

  after(delayMs: number, run: () => void): Disposable {
    if (this.#live !== undefined) {
      return this.#live.after(delayMs, run);
    }
    const waiting: Waiting = { dueAt: this.#now + delayMs, run, live: undefined };
    this.#waiting.add(waiting);
    return toDisposable(() => {
      this.#waiting.delete(waiting);
      waiting.live?.dispose();
    });
  }

  moveTo(at: number): void {
    this.#now = at;
  }

  /** The agent went on: all its waits are over. */
  endWaits(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    waiting.forEach(({ run }) => run());
  }

  goLive(clock: Clock): void {
    this.#live = clock;
    for (const waiting of this.#waiting) {
      waiting.live = clock.after(Math.max(0, waiting.dueAt - this.#now), () => {
        this.#waiting.delete(waiting);
        waiting.run();
      });
    }
  }
}
