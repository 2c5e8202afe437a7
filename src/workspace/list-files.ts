import { join } from 'node:path';
import type { GuardedRoot, Place } from './path-guard';
import { locate } from './path-guard';
import { isDependencyFolder, isGitPath } from './path-rules';

/**
 * Regular files below a place in path order, as shown paths; at most `limit`. `.git`, dependency folders and links are
 * left out.
 */
export async function listFilesBelow(
  roots: readonly GuardedRoot[],
  start: Place,
  limit: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const from = join(start.guarded.shownPath, start.path);
  if (start.stat?.kind === 'file') {
    return [from];
  }
  const files: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    signal.throwIfAborted();
    // A folder of the listing of peers is the top of another root, so each one is located anew.
    const { guarded, path } = locate(roots, folder);
    for (const { name, kind } of await guarded.root.list(path, signal)) {
      if (files.length >= limit) {
        return;
      }
      if (kind === 'file') {
        files.push(join(folder, name));
      } else if (kind === 'directory' && !isDependencyFolder(name) && !isGitPath(name)) {
        await visit(join(folder, name));
      }
    }
  };
  await visit(from);
  return files;
}
