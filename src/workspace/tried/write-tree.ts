// A whole project with an answer's changes in a folder of its own, for a terminal or a window of the user.
import { randomBytes } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId, SnapshotId } from '../../base/ids';
import { MassGenError } from '../../core/errors';
import { CommandCopy } from '../command/command-copy';
import { contextRoot, type ContextFolder } from '../context-root';
import { LayeredRoot } from '../layered-root';
import { homesOfUser } from '../home-secrets';
import { removeFolder } from '../remove-folder';
import type { SnapshotStore } from '../snapshot-store';

/** Below the storage folder. */
export const triedFolders = 'tried';

/** A folder with this file was made here and may be removed. */
export const triedMark = '.massgen-tried.json';

export interface TreeToWrite {
  /** Folder of runs, and the one whose snapshot it is. */
  readonly dir: string;
  readonly runId: RunId;
  readonly store: SnapshotStore;
  readonly snapshotId: SnapshotId;
  readonly folders: readonly ContextFolder[];
  /** Patterns of what the user shows to no agent; left out like other hidden files. Absent: none. */
  readonly hiddenPaths?: readonly string[];
  /** Gets a new folder for the tree. */
  readonly triedDir: string;
}

const limits = { files: 400_000, bytes: 20_000_000_000 };

/**
 * Answers the path of the project's copy, or of the folder that holds all copies when there are several. Bytes are shared
 * with the user's where the file system can; nothing links to the user's folders, so that whatever is run in the copy
 * stays there. Hidden files, e.g. secrets, are left out. Throws `workspace/too-large` and leaves nothing behind then.
 */
export async function writeTree(tree: TreeToWrite, signal: AbortSignal): Promise<string> {
  const manifest = tree.store.readManifest(tree.snapshotId);
  if (manifest === undefined) {
    throw new MassGenError('workspace/snapshot-failed', 'The files of this answer are not stored.');
  }
  const made = join(tree.triedDir, randomBytes(8).toString('hex'));
  try {
    await mkdir(made, { recursive: true, mode: 0o700 });
    const target = await realpath(made);
    const mark = { v: 1, runId: tree.runId, snapshotId: tree.snapshotId };
    await writeFile(join(target, triedMark), `${JSON.stringify(mark)}\n`, { mode: 0o600 });
    const taken = new Set([triedMark]);
    const context = {
      ...{ runStore: await realpath(tree.dir), taken, store: tree.store },
      ...{ unsaved: new Map<string, Uint8Array>(), homes: homesOfUser() },
      ...{ ownEnvironment: process.env, hiddenPaths: tree.hiddenPaths ?? [] },
    };
    const copies: CommandCopy[] = [];
    for (const folder of tree.folders) {
      const own = await contextRoot(folder, context);
      const root = new LayeredRoot({ ...own, store: tree.store });
      root.restore(manifest.get(own.name) ?? new Map());
      const place = join(target, own.folderName);
      const roots = [{ userFolder: own.base.folder, shown: place }];
      copies.push(new CommandCopy({ root, folder: place, roots, store: tree.store }));
    }
    for (const copy of copies) {
      await copy.make(limits, signal);
    }
    return copies.length === 1 && copies[0] !== undefined ? copies[0].folder : target;
  } catch (error) {
    await removeFolder(made);
    throw error;
  }
}
