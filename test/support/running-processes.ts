import { readFileSync, readdirSync } from 'node:fs';

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
