import { type Disposable, toDisposable } from '../../base/disposable';
import type { Clock } from '../../core/ports/clock';

export interface SilenceWatch extends Disposable {
  /** Something arrived: the silence begins anew. */
  touch(): void;
}

/** Calls `onSilence` once when nothing was touched for `limitMs`. */
export function watchSilence(clock: Clock, limitMs: number, onSilence: () => void): SilenceWatch {
  let lastAt = clock.now();
  let timer: Disposable | undefined;
  const arm = (delayMs: number): void => {
    timer = clock.after(delayMs, () => {
      const leftMs = lastAt + limitMs - clock.now();
      if (leftMs > 0) {
        arm(leftMs);
      } else {
        onSilence();
      }
    });
  };
  arm(limitMs);
  const end = toDisposable(() => timer?.dispose());
  return {
    touch(): void {
      lastAt = clock.now();
    },
    dispose(): void {
      end.dispose();
    },
  };
}
