// Lets everything of some programs stand still while files are read.
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { findMarked } from '../command/marked-processes';
import type { Family } from '../command/started-process';
import { whileGroupPaused } from './paused-group';

interface Seen {
  readonly pid: number;
  readonly parent: number;
  /** With the id it tells a process from a later one with the same id. */
  readonly startedAt: string;
  readonly isStopped: boolean;
}

const roundsLimit = 400;
const roundMs = 5;

/**
 * Runs `work` while all processes of these families are stopped, and lets them go on afterwards, however it ends. `isStill` is
 * false when some could not be stopped within two seconds. Processes that had been stopped by somebody else before stay so.
 * Of what nothing confines only what still bears its traces is found, and only its group where the system tells no traces.
 */
export async function whilePaused<T>(
  families: readonly Family[],
  work: (isStill: boolean) => Promise<T>,
): Promise<T> {
  if (process.platform === 'linux') {
    return whileStopped(families, work);
  }
  const [first, ...rest] = families;
  if (first === undefined || !('traces' in first)) {
    return work(first === undefined);
  }
  const { traces, watcher } = first;
  return whileGroupPaused(traces.group, watcher, async (isStill) =>
    whilePaused(rest, async (areStill) => work(isStill && areStill)),
  );
}

async function whileStopped<T>(
  families: readonly Family[],
  work: (isStill: boolean) => Promise<T>,
): Promise<T> {
  const stopped = new Map<number, string>();
  try {
    return await work(await stopAll(families, stopped));
  } finally {
    for (const [pid, startedAt] of stopped) {
      const now = await look(pid);
      if (now?.startedAt === startedAt) {
        send(pid, 'SIGCONT');
      }
    }
  }
}

async function stopAll(
  families: readonly Family[],
  stopped: Map<number, string>,
): Promise<boolean> {
  let wasStill = false;
  for (let round = 0; round < roundsLimit; round++) {
    const running = (await membersOf(families)).filter(({ isStopped }) => !isStopped);
    for (const { pid, startedAt } of running) {
      if (stopped.get(pid) !== startedAt) {
        stopped.set(pid, startedAt);
        send(pid, 'SIGSTOP');
      }
    }
    if (running.length === 0 && wasStill) {
      return true;
    }
    // A process may have been started while the first look was under way; a second one sees it.
    wasStill = running.length === 0;
    if (!wasStill) {
      await delay(roundMs);
    }
  }
  return false;
}

async function membersOf(families: readonly Family[]): Promise<readonly Seen[]> {
  const tops = families.flatMap((family) => ('below' in family ? [family.below] : []));
  const found = await Promise.all([descendants(tops), ...families.map(marked)]);
  return Promise.all(
    found.flat().map(async (each) => ({
      ...each,
      isStopped: each.isStopped && (await isWhole(each.pid)),
    })),
  );
}

/** The process that waits for our end goes on, or it could not end the others. */
async function marked(family: Family): Promise<readonly Seen[]> {
  if ('below' in family) {
    return [];
  }
  const ids = (await findMarked(family.traces)) ?? [];
  const looks = await Promise.all(ids.map((id) => look(id)));
  return looks.filter((each) => each !== undefined).filter(({ pid }) => pid !== family.watcher);
}

/** Whoever belongs to a sandbox descends from what started it: orphans in there go to its first process. */
async function descendants(tops: readonly number[]): Promise<readonly Seen[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const looks = await Promise.all(names.map((name) => look(Number(name))));
  const all = looks.filter((each) => each !== undefined);
  const inside = new Set(tops);
  const found: Seen[] = [];
  for (let before = -1; before !== found.length;) {
    before = found.length;
    for (const each of all.filter(({ pid, parent }) => inside.has(parent) && !inside.has(pid))) {
      inside.add(each.pid);
      found.push(each);
    }
  }
  return found;
}

/** Whether every thread of a process is stopped, and not just its first one. */
async function isWhole(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const states = await Promise.all(
    threads.map(async (name) => fieldsOf(await textOf(`/proc/${pid}/task/${name}/stat`))[0]),
  );
  return states.every((state) => state === undefined || isStoppedState(state));
}

async function look(pid: number): Promise<Seen | undefined> {
  const fields = fieldsOf(await textOf(`/proc/${pid}/stat`));
  const [state, parent] = fields;
  const startedAt = fields[19];
  if (state === undefined || startedAt === undefined || (await isDead(pid, state))) {
    return undefined;
  }
  return { pid, parent: Number(parent), startedAt, isStopped: isStoppedState(state) };
}

/** A process whose first thread alone has ended is not dead. */
async function isDead(pid: number, state: string): Promise<boolean> {
  const threads = state === 'Z' ? await readdir(`/proc/${pid}/task`).catch(() => []) : [];
  return state === 'X' || (state === 'Z' && threads.length < 2);
}

/** What follows the name, which may hold spaces and brackets itself. */
function fieldsOf(stat: string): readonly string[] {
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'latin1').catch(() => '');
}

function isStoppedState(state: string): boolean {
  return ['T', 't', 'Z', 'X'].includes(state);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
