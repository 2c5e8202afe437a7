import { readFileSync, readdirSync } from 'node:fs';

let count = 0;

/** Seconds that no other process of this machine sleeps, so that whatever does is the test's own. */
export function oddSleep(): string {
  count += 1;
  return `${5000 + count}.${String(process.pid).padStart(8, '0')}`;
}

/** Command lines of processes that still run with this argument somewhere. */
export function running(argument: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const isDead = readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
        return isDead ? '' : readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    })
    .filter((line) => line.split('\0').includes(argument));
}
