import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folderPrefix = 'massgen-passing-';

/**
 * Gives `use` a folder for runs of which nothing is to be kept, and removes it whatever comes of it, also when the
 * process leaves at once after a second interrupt. What a killed process could not remove is removed by the next one.
 */
export async function withPassingStorage<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  removeForsaken(tmpdir());
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await use(dir);
  } finally {
    remove();
    process.off('exit', remove);
  }
}

function removeForsaken(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(folderPrefix)
      ? /^(\d+)-/.exec(name.slice(folderPrefix.length))?.[1]
      : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) {
      try {
        rmSync(join(parent, name), { recursive: true, force: true });
      } catch {
        // It belongs to another user, whose next run removes it.
      }
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
