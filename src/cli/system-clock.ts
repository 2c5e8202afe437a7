import type { AppParts } from '../app/app-contract';
import { toDisposable } from '../base/disposable';

export const systemClock: AppParts['clock'] = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return toDisposable(() => {
      clearTimeout(timer);
    });
  },
};
