import { toDisposable } from '../../src/base/disposable';
import type { Clock } from '../../src/core/ports/clock';

/** The machine's own time. */
export const realClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return toDisposable(() => {
      clearTimeout(timer);
    });
  },
};
