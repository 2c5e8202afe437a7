import { type Dirent, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './process-identity';

/** What a process calls a file that it has not finished: its own number stands before the last part. */
const unfinishedName = /\.(\d+)\.(?:partial|new|stale)$/;
/** Hold copies of what agents have made, whatever it is called. */
const copies: ReadonlySet<string> = new Set(['workspace', 'changes']);

/**
 * Takes away what killed processes have begun to write in `dir` and in the folders below it, those of copies left out. A
 * running process keeps its own. What cannot be removed stays.
 */
export function removeLeftovers(dir: string): void {
  removeLeftoversIn(dir);
  for (const entry of entriesOf(dir)) {
    if (entry.isDirectory() && !copies.has(entry.name)) {
      removeLeftovers(join(dir, entry.name));
    }
  }
}

/** The same for the files that lie directly in `dir`. */
export function removeLeftoversIn(dir: string): void {
  for (const entry of entriesOf(dir)) {
    const pid = unfinishedName.exec(entry.name)?.[1];
    if (entry.isFile() && pid !== undefined && !isRunning(Number(pid))) {
      remove(join(dir, entry.name));
    }
  }
}

function entriesOf(dir: string): readonly Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}
