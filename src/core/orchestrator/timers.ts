import type { Disposable } from '../../base/disposable';
import type { TimerId } from '../coordination/inputs';
import type { Clock } from '../ports/clock';

interface Held {
  readonly timer: TimerId;
  readonly at: number;
}

/** The timers the engine asked for; each exists once. They run at once, or from `run` on when they are held. */
export class Timers implements Disposable {
  readonly #clock: Clock;
  readonly #fire: (timer: TimerId) => void;
  readonly #running = new Map<string, Disposable>();
  readonly #held = new Map<string, Held>();
  #isHeld = false;

  constructor(clock: Clock, fire: (timer: TimerId) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  /** Until `run`, timers are only remembered. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Starts what was remembered, each `delayMs` later than it was asked for. */
  run(delayMs: number): void {
    this.#isHeld = false;
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { timer, at } of held) {
      this.set(timer, at + delayMs);
    }
  }

  /** Fires at `at` (Unix ms), at once when that has passed. Setting a timer again replaces it. */
  set(timer: TimerId, at: number): void {
    this.clear(timer);
    const key = keyOf(timer);
    if (this.#isHeld) {
      this.#held.set(key, { timer, at });
      return;
    }
    const delayMs = Math.max(0, at - this.#clock.now());
    this.#running.set(
      key,
      this.#clock.after(delayMs, () => {
        this.#running.delete(key);
        this.#fire(timer);
      }),
    );
  }

  clear(timer: TimerId): void {
    const key = keyOf(timer);
    this.#held.delete(key);
    this.#running.get(key)?.dispose();
    this.#running.delete(key);
  }

  dispose(): void {
    for (const running of this.#running.values()) {
      running.dispose();
    }
    this.#running.clear();
    this.#held.clear();
  }
}

function keyOf(timer: TimerId): string {
  switch (timer.kind) {
    case 'deadline':
    case 'presentation':
    case 'evaluation':
    case 'judge':
    case 'settle':
      return timer.kind;
    case 'turn-soft':
    case 'turn-hard':
    case 'turn-kill':
    case 'turn-timeout':
      return `${timer.kind}/${timer.slot}/${timer.turnNo}`;
    case 'back-off':
      return `${timer.kind}/${timer.slot}`;
  }
}
