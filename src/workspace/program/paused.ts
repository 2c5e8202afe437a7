// Lets everything below some processes stand still while files are read.
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

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
 * Runs `work` while all descendants of the processes `tops` are stopped, and lets them go on afterwards, however it ends.
 * `isStill` is false when some could not be stopped within two seconds. Processes that had been stopped by somebody else
 * before stay so. Linux only.
 */
export async function whilePaused<T>(
  tops: readonly number[],
  work: (isStill: boolean) => Promise<T>,
): Promise<T> {
  const stopped = new Map<number, string>();
  try {
    return await work(await stopAll(tops, stopped));
  } finally {
    for (const [pid, startedAt] of stopped) {
      const now = await look(pid);
      if (now?.startedAt === startedAt) {
        send(pid, 'SIGCONT');
      }
    }
  }
}

async function stopAll(tops: readonly number[], stopped: Map<number, string>): Promise<boolean> {
  let wasStill = false;
  for (let round = 0; round < roundsLimit; round++) {
    const running = (await descendants(tops)).filter(({ isStopped }) => !isStopped);
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
  return Promise.all(
    found.map(async (each) => ({
      ...each,
      isStopped: each.isStopped && (await isWhole(each.pid)),
    })),
  );
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
