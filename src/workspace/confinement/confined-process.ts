import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import type { StartedProcess } from '../command/started-process';
import { withoutInherited } from './inherited-descriptors';
import { systemCallFilter } from './system-call-filter';
import { within } from './within';

export interface ConfinedLaunch {
  /** Program and arguments that build the sandbox and run the command in it. */
  readonly argv: readonly string[];
  /** The whole environment, of the programs that build the sandbox too: others can read what a process was given. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input: 'ignore' | 'pipe';
}

/** How long the last report of an ended sandbox may take. */
const reportMs = 500;

/** Descriptor on which the sandbox reports. */
export const statusFd = 3;

/** Descriptor from which the sandbox reads which system calls it must refuse. */
export const filterFd = 4;

/**
 * Starts a command in a sandbox with process ids of its own. Whatever it starts ends with the first process in there, and
 * that one with this process.
 */
export function startConfined(launch: ConfinedLaunch): StartedProcess {
  const [program = '', ...rest] = launch.argv;
  const child = spawn(program, rest, {
    cwd: '/',
    env: { ...launch.environment },
    detached: true,
    stdio: withoutInherited([launch.input, 'pipe', 'pipe', 'pipe', 'pipe'] as const),
  });
  let status = '';
  // The types of spawn know three streams only.
  const [, , , reports, filter] = child.stdio;
  if (isWritable(filter)) {
    // It may have ended before it read all.
    filter.on('error', () => undefined);
    filter.end(systemCallFilter());
  }
  const reported = new Promise<void>((resolve) => {
    reports?.once('close', () => resolve());
  });
  if (isReadable(reports)) {
    reports.on('data', (chunk: Buffer) => (status += chunk.toString('latin1')));
  }
  const first = (): number | undefined => numberIn(/"child-pid":\s*(\d+)/, status);
  return {
    child,
    terminate(): void {
      const pid = first();
      if (pid === undefined) {
        killLauncher(child);
      } else {
        // The first process leads the group and takes no friendly signal itself.
        send(-pid, 'SIGTERM');
      }
    },
    async kill(): Promise<void> {
      send(first() ?? 0, 'SIGKILL');
      killLauncher(child);
      await within(reported, reportMs);
      const pid = first();
      send(pid ?? 0, 'SIGKILL');
      for (let round = 0; round < 200 && pid !== undefined && (await isAlive(pid)); round++) {
        await delay(10);
      }
      reports?.destroy();
    },
    hasBegun: () => numberIn(/"exit-code":\s*(\d+)/, status) !== undefined,
    // Orphans in there go to its first process.
    family: () => (child.pid === undefined ? undefined : { below: child.pid }),
  };
}

/**
 * With its group: what it has just started waits in there for a word from it, for ever if that never comes, and is tied to
 * its end only afterwards.
 */
function killLauncher(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) {
    send(-(child.pid ?? 0), 'SIGKILL');
  }
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'on' in stream && 'read' in stream;
}

function isWritable(stream: unknown): stream is Writable {
  return typeof stream === 'object' && stream !== null && 'on' in stream && 'end' in stream;
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The first process is dead only when all others in there are; it may stay in the table until somebody collects it. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const state = stat.charAt(stat.lastIndexOf(')') + 2);
  return state !== '' && state !== 'Z' && state !== 'X';
}

/** Zero means nobody, and not the own group; one is never of a command, and less would be everybody. */
function send(pid: number, signal: NodeJS.Signals): void {
  if (Math.abs(pid) <= 1) {
    return;
  }
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
