import { createHash } from 'node:crypto';
import { lstat, readdir, readlink, rmdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { FolderBounds, LiveFile, LiveFiles } from '../../core/ports/review';
import { hasCode, isNotThere, readFromDisk, statOnDisk } from '../disk-read';
import type { PlaceToWrite } from './disk-writes';
import { createAt, removeAt, renameAt, replaceAt, sweepFolder } from './disk-writes';
import { pinFolder } from './pinned-folder';

/**
 * The user's files on the disk. A file is replaced in one step: its new bytes are complete on the disk under another
 * name before they take the old name. A file with several names is written in place, so that all of them stay one file.
 */
export function createDiskFiles(bounds?: FolderBounds): LiveFiles {
  return {
    read,
    async write(path, content, expected, signal): Promise<'written' | 'changed'> {
      const isNew = expected === undefined;
      if (isNew && (await read(path, signal)) !== undefined) {
        return 'changed';
      }
      return inFolderOf(path, bounds, isNew, async (place) => {
        const present = await read(place.path, signal);
        if (present?.token !== expected) {
          return 'changed';
        }
        if (present === undefined) {
          return createAt(place, content);
        }
        const isStill = async (): Promise<boolean> => {
          const now = await read(place.path, signal);
          return now !== undefined && now.token === expected && now.identity === present.identity;
        };
        return replaceAt(place, present, content, isStill);
      });
    },
    async remove(path, expected, emptyFolders, signal): Promise<'removed' | 'changed'> {
      const result = await inFolderOf(path, bounds, false, async (place) => {
        const present = await read(place.path, signal);
        const isAsExpected = present?.token === expected && present.kind !== 'other';
        return isAsExpected ? removeAt(place, present.kind) : 'changed';
      });
      for (const folder of result === 'changed' ? [] : emptyFolders) {
        await removeEmptyFolder(folder);
      }
      return result === 'changed' ? 'changed' : 'removed';
    },
    async rename(from, to, expected, signal): Promise<'written' | 'changed'> {
      return inFolderOf(from, bounds, false, async (old) =>
        inFolderOf(to, bounds, true, async (place) => {
          const present = await read(old.path, signal);
          return present?.token === expected ? renameAt(old, place) : 'changed';
        }),
      );
    },
    async sweep(path): Promise<void> {
      const folder = await pinFolder(dirname(path), bounds, false);
      try {
        await (folder && sweepFolder(folder));
      } finally {
        await folder?.close();
      }
    },
    within: (next) => createDiskFiles(next),
  };
}

/** Holds the folder of a path while something is done there; `changed` when the folder is not there. */
async function inFolderOf<T>(
  path: string,
  bounds: FolderBounds | undefined,
  isMade: boolean,
  work: (place: PlaceToWrite) => Promise<T | 'changed'>,
): Promise<T | 'changed'> {
  const folder = await pinFolder(dirname(path), bounds, isMade);
  if (folder === undefined) {
    return 'changed';
  }
  try {
    return await work({ folder, path: `${folder.path}/${basename(path)}` });
  } finally {
    await folder.close();
  }
}

async function read(path: string, signal: AbortSignal): Promise<LiveFile | undefined> {
  const stat = await statOnDisk(path, signal);
  if (stat === undefined) {
    return undefined;
  }
  if (stat.kind === 'link') {
    return toLiveFile({ kind: 'link', bytes: Buffer.from(await readlink(path)), mode: 0o777 });
  }
  if (stat.kind === 'directory') {
    const isEmpty = (await readdir(path)).length === 0;
    return { ...toLiveFile({ kind: 'folder', bytes: new Uint8Array(), mode: stat.mode }), isEmpty };
  }
  const file = stat.kind === 'file' ? await readFromDisk(path, signal) : undefined;
  if (file === undefined) {
    return toLiveFile({ kind: 'other', bytes: new Uint8Array(), mode: stat.mode });
  }
  const { dev, ino, nlink } = await lstat(path, { bigint: true });
  return {
    ...toLiveFile({ kind: 'file', bytes: file.bytes, mode: file.stat.mode }),
    ...(nlink > 1n ? { names: Number(nlink) } : {}),
    identity: `${dev}:${ino}`,
  };
}

/** The token is made of the content itself, so touching a file does not count as changing it. */
function toLiveFile({ kind, bytes, mode }: Pick<LiveFile, 'kind' | 'bytes' | 'mode'>): LiveFile {
  const token = createHash('sha256').update(`${kind} ${mode}\n`).update(bytes).digest('hex');
  return { kind, bytes, mode, isOpen: false, isDirty: false, token };
}

/** A folder that is in use, or that may not be removed, stays: the file is gone all the same. */
async function removeEmptyFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const reasons = ['ENOTEMPTY', 'EEXIST', 'EACCES', 'EPERM', 'EBUSY', 'EROFS'];
    if (!isNotThere(error) && !reasons.some((code) => hasCode(error, code))) {
      throw error;
    }
  }
}
