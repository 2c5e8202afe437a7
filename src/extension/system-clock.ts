import { toDisposable } from '../base/disposable';
import type { Clock } from '../core/ports/clock';

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};
