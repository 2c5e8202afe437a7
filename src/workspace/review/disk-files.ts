import { createHash, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { link, lstat, mkdir, open, readlink, rename, rm, rmdir } from 'node:fs/promises';
import { symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { LiveFile, LiveFiles } from '../../core/ports/review';
import { hasCode, isNotThere, readFromDisk, statOnDisk } from '../disk-read';

type NewContent = Parameters<LiveFiles['write']>[1];

/**
 * The user's files on the disk. A file is replaced in one step: its new bytes are complete on the disk under another
 * name before they take the old name. A file with several names is written in place, so that all of them stay one file.
 */
export function createDiskFiles(): LiveFiles {
  return {
    read,
    async write(path, content, expected, signal): Promise<'written' | 'changed'> {
      if ((await read(path, signal))?.token !== expected) {
        return 'changed';
      }
      if (expected === undefined) {
        return create(path, content);
      }
      const stat = await lstat(path);
      if (stat.isFile() && stat.nlink > 1 && content.kind !== 'link') {
        await writeInPlace(path, content);
      } else {
        await replace(path, content);
      }
      return 'written';
    },
    async remove(path, expected, emptyFolders, signal): Promise<'removed' | 'changed'> {
      const present = await read(path, signal);
      if (present?.token !== expected || present.kind === 'other') {
        return 'changed';
      }
      await unlink(path);
      for (const folder of emptyFolders) {
        await removeEmptyFolder(folder);
      }
      return 'removed';
    },
  };
}

async function read(path: string, signal: AbortSignal): Promise<LiveFile | undefined> {
  const stat = await statOnDisk(path, signal);
  if (stat === undefined) {
    return undefined;
  }
  if (stat.kind === 'link') {
    return toLiveFile('link', new TextEncoder().encode(await readlink(path)), 0o777);
  }
  const file = stat.kind === 'file' ? await readFromDisk(path, signal) : undefined;
  return file === undefined
    ? toLiveFile('other', new Uint8Array(), stat.mode)
    : toLiveFile('file', file.bytes, file.stat.mode);
}

/** The token is made of the content itself, so touching a file does not count as changing it. */
function toLiveFile(kind: LiveFile['kind'], bytes: Uint8Array, mode: number): LiveFile {
  const token = createHash('sha256').update(`${kind} ${mode}\n`).update(bytes).digest('hex');
  return { kind, bytes, mode, isOpen: false, isDirty: false, token };
}

/** Takes a free name; somebody who was faster keeps it. */
async function create(path: string, content: NewContent): Promise<'written' | 'changed'> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = await writeBeside(path, content);
  try {
    await link(temporary, path);
    return 'written';
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      return 'changed';
    }
    // Some file systems have no second names. Nothing was there a moment ago.
    if (hasCode(error, 'EPERM') || hasCode(error, 'ENOTSUP') || hasCode(error, 'EMLINK')) {
      await rename(temporary, path);
      return 'written';
    }
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function replace(path: string, content: NewContent): Promise<void> {
  const temporary = await writeBeside(path, content);
  try {
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeBeside(path: string, content: NewContent): Promise<string> {
  const temporary = join(dirname(path), `.massgen-${randomBytes(6).toString('hex')}.tmp`);
  if (content.kind === 'link') {
    await symlink(new TextDecoder().decode(content.bytes), temporary);
    return temporary;
  }
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await writeAll(handle, content);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

async function writeInPlace(path: string, content: NewContent): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.truncate(0);
    await writeAll(handle, content);
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, content: NewContent): Promise<void> {
  let done = 0;
  while (done < content.bytes.length) {
    const left = content.bytes.length - done;
    done += (await handle.write(content.bytes, done, left, done)).bytesWritten;
  }
  await handle.chmod(content.mode & 0o777);
  await handle.datasync();
}

async function removeEmptyFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const isInUse = hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST');
    if (!isInUse && !isNotThere(error)) {
      throw new MassGenError('storage/failed', `The folder ${folder} could not be removed.`, {
        cause: error,
      });
    }
  }
}
