import { readFile, readdir, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Variable whose value marks every process of one program, those that left its process group included. */
export const markVariable = 'MASSGEN_RUN';

export interface Traces {
  readonly mark: string;
  /** Nothing else works in there. */
  readonly folder: string;
}

/**
 * Kills what a program has left outside of its process group, where the system tells (Linux). Resolves when nothing of it
 * runs any more, or after two seconds.
 */
export async function killLeft(traces: Traces): Promise<void> {
  if (process.platform !== 'linux') {
    return;
  }
  for (let round = 0; round < 100; round++) {
    const found = await findLeft(traces);
    if (found.length === 0) {
      return;
    }
    found.forEach(kill);
    await delay(20);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function findLeft(traces: Traces): Promise<readonly number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const pids = await Promise.all(
    names.map(async (name) => ((await isLeft(name, traces)) ? Number(name) : 0)),
  );
  return pids.filter((pid) => pid > 1 && pid !== process.pid);
}

/** One that cleared its environment still works somewhere. */
async function isLeft(pid: string, { mark, folder }: Traces): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name in brackets may contain spaces and brackets itself.
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  if (state === '' || state === 'Z' || state === 'X') {
    return false;
  }
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  const place = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return (
    environment.split('\0').includes(`${markVariable}=${mark}`) ||
    `${place}/`.startsWith(`${folder}/`)
  );
}
