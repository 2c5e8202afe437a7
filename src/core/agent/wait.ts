import { onAbort } from '../../base/abort';
import type { Clock } from '../ports/clock';

/** Resolves after `delayMs`; rejects with the reason of the signal when that comes first. */
export async function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (delayMs <= 0) {
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const timer = clock.after(delayMs, () => {
      stopped.dispose();
      resolve();
    });
    const stopped = onAbort(signal, (reason) => {
      timer.dispose();
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    });
  });
}
