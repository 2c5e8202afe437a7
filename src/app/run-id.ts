import { randomBytes } from 'node:crypto';
import type { RunId } from '../base/ids';

/** Sorts by time as text, e.g. `20260314-150926-535-8f3a2c`. */
export function newRunId(now: number): RunId {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const digits = (text: string): string => text.replace(/\D/g, '');
  const clock = digits(time);
  return [digits(date), clock.slice(0, 6), clock.slice(6), randomBytes(3).toString('hex')].join(
    '-',
  );
}

/** Makes display order and seeded ties of a run reproducible; recorded with the run. */
export function newRunSeed(): string {
  return randomBytes(16).toString('hex');
}
