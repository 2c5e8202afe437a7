// Process groups and process trees, as Linux shows them under /proc.
import { readFileSync, readdirSync } from 'node:fs';

/**
 * Polls `probe` until it gives a truthy value, which it returns; throws after `ms`.
 *
 * @template T
 * @param {string} what
 * @param {number} ms
 * @param {() => T | Promise<T>} probe
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ms, probe, every = 50) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`timed out after ${ms} ms: ${what}`);
    }
    await new Promise((done) => setTimeout(done, every));
  }
}

/** Sends a signal to a group; false when nothing of it is left. */
export function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to one process; false when it is gone already. */
export function signalProcess(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Ends a process group: politely, and by force after three seconds. */
export async function stopGroup(pid) {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    signalGroup(pid, signal);
    try {
      await until('the process group ends', 3_000, () => !signalGroup(pid, 0));
      return;
    } catch {
      // Still there: the next signal is stronger.
    }
  }
}

/**
 * The process and all under it; `type` is server, extensionHost, fileWatcher, ptyHost or, for
 * anything else, the start of its command line.
 */
export function processTree(root) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readProcess)
    .filter((found) => found !== undefined);
  const under = new Set([root]);
  for (let before = 0; before !== under.size;) {
    before = under.size;
    all.filter(({ ppid }) => under.has(ppid)).forEach(({ pid }) => under.add(pid));
  }
  return all
    .filter(({ pid }) => under.has(pid))
    .map(({ command, ...rest }) => ({
      ...rest,
      type:
        /--type=(\w+)/.exec(command)?.[1] ?? (rest.pid === root ? 'server' : command.slice(0, 80)),
    }));
}

function readProcess(name) {
  try {
    const status = readFileSync(`/proc/${name}/status`, 'utf8');
    return {
      pid: Number(name),
      ppid: Number(/PPid:\s+(\d+)/.exec(status)?.[1]),
      rssMb: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024),
      command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '),
    };
  } catch {
    return undefined; // it ended meanwhile
  }
}
