import type { Disposable } from '../../base/disposable';

/** Time for the core. Fakes advance by hand; nothing else in the core may look at a clock. */
export interface Clock {
  /** Unix ms. */
  now(): number;
  /** Calls `run` once after `delayMs`; disposing before that cancels it. */
  after(delayMs: number, run: () => void): Disposable;
}
