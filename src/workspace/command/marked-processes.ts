import { readFile, readdir, readlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Variable whose value marks every process of one command, those that left its process group included. */
export const markVariable = 'MASSGEN_RUN';

/** What tells that a process belongs to a command; one of the three is enough. */
export interface CommandTraces {
  readonly group: number;
  readonly mark: string;
  /** Real path of a folder in which nothing else works while the command runs. */
  readonly folder: string;
}

/**
 * Kills the process group and, on Linux, every process whose environment carries the mark, that works in the folder, or
 * that descends from one found before. Resolves when none is left, or after two seconds when the system does not let go
 * of one.
 */
export async function killMarked(traces: CommandTraces): Promise<void> {
  for (let round = 0; round < 100; round++) {
    const hadGroup = sendToGroup(traces.group, 'SIGKILL');
    const found = await findMarked(traces);
    found?.forEach((pid) => send(pid, 'SIGKILL'));
    // A group of dead processes that nobody has collected still answers, so its own word counts only elsewhere.
    if (found === undefined ? !hadGroup : found.length === 0) {
      return;
    }
    await delay(20);
  }
}

export function sendToGroup(group: number, signal: NodeJS.Signals): boolean {
  return send(-group, signal);
}

/** Answers `false` when there was nobody to receive the signal. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  // Zero would be the own group, and one less than nobody: everybody.
  if (Math.abs(pid) <= 1) {
    return false;
  }
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly isMarked: boolean;
}

/** Their ids; `undefined` where the system does not tell. */
export async function findMarked(traces: CommandTraces): Promise<readonly number[] | undefined> {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const infos = (await Promise.all(names.map((name) => inspect(Number(name), traces)))).filter(
    (info) => info !== undefined,
  );
  const found = new Set(infos.filter((info) => info.isMarked).map((info) => info.pid));
  // A child may have cleared its environment; its parent still tells where it belongs.
  for (let size = -1; size !== found.size;) {
    size = found.size;
    infos.filter((info) => found.has(info.parent)).forEach((info) => found.add(info.pid));
  }
  return [...found];
}

async function inspect(pid: number, traces: CommandTraces): Promise<ProcessInfo | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may contain spaces and brackets itself.
    const [state, parent, ownGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') {
      return undefined;
    }
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    const isMarked =
      Number(ownGroup) === traces.group ||
      environment.split('\0').includes(`${markVariable}=${traces.mark}`) ||
      `${place}${sep}`.startsWith(`${traces.folder}${sep}`);
    return { pid, parent: Number(parent), isMarked };
  } catch {
    return undefined;
  }
}
