import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Variable whose value marks every process of one command, those that left its process group included. */
export const markVariable = 'MASSGEN_RUN';

/**
 * Kills the process group and, on Linux, every process whose environment carries the mark or that descends from one
 * found before. Resolves when none is left, or after two seconds when the system does not let go of one.
 */
export async function killMarked(group: number, mark: string): Promise<void> {
  for (let round = 0; round < 100; round++) {
    const hadGroup = sendToGroup(group, 'SIGKILL');
    const found = await findMarked(group, mark);
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
  /** Carries the mark, or is still in the process group. */
  readonly isMarked: boolean;
}

/** `undefined` where the system does not tell. */
async function findMarked(group: number, mark: string): Promise<readonly number[] | undefined> {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const infos = (await Promise.all(names.map((name) => inspect(Number(name), group, mark)))).filter(
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

async function inspect(pid: number, group: number, mark: string): Promise<ProcessInfo | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may contain spaces and brackets itself.
    const [state, parent, ownGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') {
      return undefined;
    }
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    const isMarked =
      Number(ownGroup) === group || environment.split('\0').includes(`${markVariable}=${mark}`);
    return { pid, parent: Number(parent), isMarked };
  } catch {
    return undefined;
  }
}
