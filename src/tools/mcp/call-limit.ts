import { type LinkedAbort, linkAbort } from '../../base/abort';
import type { Disposable } from '../../base/disposable';
import { MassGenError } from '../../core/errors';
import type { Clock } from '../../core/ports/clock';

/** Ends a wait that nothing keeps alive; `touch` begins it anew, but not beyond `totalMs` in all. */
export class CallLimit implements Disposable {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #link: LinkedAbort;
  readonly #total: Disposable;
  #idle: Disposable;
  #isOver = false;

  constructor(
    clock: Clock,
    limits: { readonly idleMs: number; readonly totalMs: number },
    signal: AbortSignal,
  ) {
    this.#clock = clock;
    this.#idleMs = limits.idleMs;
    this.#link = linkAbort(signal);
    this.#total = clock.after(limits.totalMs, () => this.#end());
    this.#idle = clock.after(limits.idleMs, () => this.#end());
  }

  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** Whether it was the limit that ended the wait. */
  get isOver(): boolean {
    return this.#isOver;
  }

  touch(): void {
    this.#idle.dispose();
    this.#idle = this.#clock.after(this.#idleMs, () => this.#end());
  }

  dispose(): void {
    this.#idle.dispose();
    this.#total.dispose();
    this.#link.dispose();
  }

  #end(): void {
    this.#isOver = true;
    this.#link.abort(new MassGenError('tool/timed-out', 'The server did not answer in time.'));
  }
}
