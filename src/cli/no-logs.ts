import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives `use` a folder for runs of which nothing is to be kept, and removes it whatever comes of it, also when the
 * process leaves at once after a second interrupt.
 */
export async function withPassingStorage<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'massgen-'));
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await use(dir);
  } finally {
    remove();
    process.off('exit', remove);
  }
}
