import { readFileSync, readdirSync } from 'node:fs';

let count = 0;

/** An argument nobody else's process has. */
export function oddArgument(): string {
  count += 1;
  return `odd-${process.pid}-${count}-${process.hrtime.bigint()}`;
}

/** Ids of the living processes that have it among their arguments, the launchers of a sandbox left out. */
export function running(argument: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const stat = textOf(`/proc/${pid}/stat`);
      const isDead = stat === '' || stat.includes(') Z ') || stat.includes(') X ');
      return !isDead && textOf(`/proc/${pid}/cmdline`).split('\0').includes(argument);
    })
    .map(Number);
}

/** One letter for what a process does, e.g. `T` while it is stopped. */
export function stateOf(pid: number): string {
  const stat = textOf(`/proc/${pid}/stat`);
  return stat.charAt(stat.lastIndexOf(')') + 2);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** Kills processes or, by negative numbers, groups. One that ended with another of them is no failure. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
        throw error;
      }
    }
  }
}
