import type { Disposable } from '../../base/disposable';
import type { Clock } from '../../core/ports/clock';

export interface SilenceWatch extends Disposable {
  /** Something arrived: the silence begins anew. */
  touch(): void;
}

/**
 * Calls `onSilence` once when nothing was touched for `limitMs`. Counts by timers alone: the time of day may jump while a
 * stream is open.
 */
export function watchSilence(clock: Clock, limitMs: number, onSilence: () => void): SilenceWatch {
  let timer: Disposable | undefined = clock.after(limitMs, end);
  function end(): void {
    timer = undefined;
    onSilence();
  }
  return {
    touch(): void {
      if (timer !== undefined) {
        timer.dispose();
        timer = clock.after(limitMs, end);
      }
    },
    dispose(): void {
      timer?.dispose();
      timer = undefined;
    },
  };
}
