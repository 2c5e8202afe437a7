import { randomBytes } from 'node:crypto';
import { chmod, lstat, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { hasCode, isNotThere } from './disk-read';

/** What commands can leave behind so that a plain removal gives up half way. */
const obstacles = ['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG'] as const;

/** Bytes of a path from which on what lies below is moved up first: no system takes paths of any length. */
const longestPath = 2000;

/**
 * Removes a folder in which commands have worked, and where they may have left folders that cannot be looked into and
 * trees deeper than any path may be long. Nothing works in it any more. Links are not followed.
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!obstacles.some((code) => hasCode(error, code))) {
      throw error;
    }
    await removeStepwise(Buffer.from(folder));
  }
}

/** The first attempt may still be at work when it has failed, so whatever is not there any more is fine. */
async function removeStepwise(top: Buffer): Promise<void> {
  let isDeep = true;
  const moveUp = async (path: Buffer): Promise<void> => {
    isDeep = true;
    await rename(path, below(top, Buffer.from(randomBytes(8).toString('hex'))));
  };
  while (isDeep) {
    isDeep = false;
    await removeEntries(top, moveUp);
  }
  await unlessGone(rmdir(top));
}

async function removeEntries(
  folder: Buffer,
  moveUp: (path: Buffer) => Promise<void>,
): Promise<void> {
  await unlessGone(chmod(folder, 0o700));
  for (const name of (await unlessGone(readdir(folder, { encoding: 'buffer' }))) ?? []) {
    const path = below(folder, name);
    const stat = await unlessGone(lstat(path));
    if (stat?.isDirectory() !== true) {
      await unlessGone(unlink(path));
    } else if (path.length > longestPath) {
      await unlessGone(chmod(path, 0o700));
      await unlessGone(moveUp(path));
    } else {
      await removeEntries(path, moveUp);
      await unlessGone(rmdir(path));
    }
  }
}

/** Names are bytes: not all of them are text. */
function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name]);
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isNotThere(error)) {
      throw error;
    }
    return undefined;
  }
}
