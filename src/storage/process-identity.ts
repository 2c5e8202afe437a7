import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Who holds a lock. The start time tells a process from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since boot; `null` where the system does not tell. */
  readonly startTime: string | null;
  readonly host: string;
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid), host: hostname() };
}

/** `unknown` for a process of another machine, which cannot be asked. */
export function livenessOf(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
  if (identity.host !== hostname()) {
    return 'unknown';
  }
  if (!isRunning(identity.pid)) {
    return 'dead';
  }
  const startTime = startTimeOf(identity.pid);
  const isOther = startTime !== null && identity.startTime !== null;
  return isOther && startTime !== identity.startTime ? 'dead' : 'alive';
}

/** On this machine; a later process may have got the same number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may itself hold spaces and brackets. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return afterName[19] ?? null;
  } catch {
    return null;
  }
}
