import { setTimeout as delay } from 'node:timers/promises';

/** Waits for `work`, but not longer than `limitMs`; tells whether it has ended. */
export async function within(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const limit = delay(limitMs, false, { signal: timer.signal }).catch(() => false);
  const hasEnded = await Promise.race([work.then(() => true), limit]);
  timer.abort();
  await limit;
  return hasEnded;
}
