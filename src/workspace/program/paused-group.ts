// Lets a process group stand still where the system tells nothing more of processes than `ps` does.
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sendToGroup } from '../command/marked-processes';

const run = promisify(execFile);
const roundsLimit = 40;
const roundMs = 50;

/**
 * Runs `work` while the group is stopped, but for the process `watcher`, and lets it go on afterwards. What has left the group
 * goes on. `isStill` is false when somebody in it could not be stopped within two seconds.
 */
export async function whileGroupPaused<T>(
  group: number,
  watcher: number | undefined,
  work: (isStill: boolean) => Promise<T>,
): Promise<T> {
  sendToGroup(group, 'SIGSTOP');
  try {
    resume(watcher);
    return await work(await isStopped(group, watcher));
  } finally {
    sendToGroup(group, 'SIGCONT');
  }
}

async function isStopped(group: number, watcher: number | undefined): Promise<boolean> {
  for (let round = 0; round < roundsLimit; round++) {
    const running = (await processes()).filter(
      (each) => each.group === group && each.pid !== watcher && !/^[TZ]/.test(each.state),
    );
    if (running.length === 0) {
      return true;
    }
    await delay(roundMs);
  }
  return false;
}

interface Listed {
  readonly pid: number;
  readonly group: number;
  readonly state: string;
}

async function processes(): Promise<readonly Listed[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,pgid=,stat='], { maxBuffer: 16_000_000 });
  return stdout.split('\n').map((line) => {
    const [pid, group, state = ''] = line.trim().split(/\s+/);
    return { pid: Number(pid), group: Number(group), state };
  });
}

function resume(pid: number | undefined): void {
  try {
    if (pid !== undefined) {
      process.kill(pid, 'SIGCONT');
    }
  } catch {
    // It has ended meanwhile.
  }
}
