// The steps in which a file comes, changes and goes. Each leaves the old file or the new one, never a piece of either.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { chmod, link, lstat, mkdir, open, readdir, rename } from 'node:fs/promises';
import { rm, rmdir, symlink, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import type { LiveFile, LiveFiles } from '../../core/ports/review';
import { hasCode } from '../disk-read';
import type { PinnedFolder } from './pinned-folder';

type NewContent = Parameters<LiveFiles['write']>[1];
type Outcome = 'written' | 'changed';

/** A path inside a folder that is held while it is written to. */
export interface PlaceToWrite {
  readonly folder: PinnedFolder;
  readonly path: string;
}

/** Takes a free name; somebody who was faster keeps it. */
export async function createAt(place: PlaceToWrite, content: NewContent): Promise<Outcome> {
  if (content.kind === 'folder') {
    return makeFolder(place.path, content.mode);
  }
  const temporary = await writeBeside(place, content, undefined);
  try {
    await place.folder.check();
    await link(temporary, place.path);
    return 'written';
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      return 'changed';
    }
    // Some file systems have no second names. Nothing was there a moment ago.
    if (hasCode(error, 'EPERM') || hasCode(error, 'ENOTSUP') || hasCode(error, 'EMLINK')) {
      await rename(temporary, place.path);
      return 'written';
    }
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Puts new content in the place of `present`, which was read a moment ago; `isStill` looks at it once more. */
export async function replaceAt(
  place: PlaceToWrite,
  present: LiveFile,
  content: NewContent,
  isStill: () => Promise<boolean>,
): Promise<Outcome> {
  if (present.kind === 'folder') {
    return replaceFolder(place, content);
  }
  if (content.kind === 'folder') {
    await unlink(place.path);
    return makeFolder(place.path, content.mode);
  }
  if ((present.names ?? 1) > 1 && content.kind !== 'link') {
    return writeInPlace(place.path, present, content);
  }
  const temporary = await writeBeside(place, content, present);
  try {
    await place.folder.check();
    if (!(await isStill())) {
      return 'changed';
    }
    await rename(temporary, place.path);
    return 'written';
  } finally {
    await rm(temporary, { force: true });
  }
}

export async function removeAt(
  place: PlaceToWrite,
  kind: LiveFile['kind'],
): Promise<'removed' | 'changed'> {
  await place.folder.check();
  if (kind !== 'folder') {
    await unlink(place.path);
    return 'removed';
  }
  return (await removedFolder(place.path)) ? 'removed' : 'changed';
}

/** Another spelling of one name. Where the system sees no difference, the file goes through a third name. */
export async function renameAt(from: PlaceToWrite, to: PlaceToWrite): Promise<Outcome> {
  await from.folder.check();
  await to.folder.check();
  await rename(from.path, to.path);
  const names = await readdir(to.folder.path);
  if (names.includes(basename(to.path))) {
    return 'written';
  }
  const between = temporaryName(to);
  await rename(from.path, between);
  await rename(between, to.path);
  return 'written';
}

async function replaceFolder(place: PlaceToWrite, content: NewContent): Promise<Outcome> {
  if (content.kind === 'folder') {
    return 'written';
  }
  return (await removedFolder(place.path)) ? createAt(place, content) : 'changed';
}

async function makeFolder(path: string, mode: number): Promise<Outcome> {
  try {
    await mkdir(path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      return 'changed';
    }
    throw error;
  }
  await chmod(path, mode & 0o777);
  return 'written';
}

/** `false` when something is in it by now. */
async function removedFolder(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) {
      return false;
    }
    throw error;
  }
}

async function writeBeside(
  place: PlaceToWrite,
  content: NewContent,
  present: LiveFile | undefined,
): Promise<string> {
  const temporary = temporaryName(place);
  if (content.kind === 'link') {
    await symlink(new TextDecoder().decode(content.bytes), temporary);
    return temporary;
  }
  const handle = await open(temporary, 'wx', 0o600);
  try {
    if (present !== undefined) {
      await keepOwner(handle, place.path);
    }
    await writeAll(handle, content);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

function temporaryName({ folder }: PlaceToWrite): string {
  return `${folder.path}/.massgen-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
}

/** Removes the temporary files of processes that are gone. */
export async function sweepFolder({ path }: PinnedFolder): Promise<void> {
  for (const name of await readdir(path)) {
    const [, pid] = /^\.massgen-(\d+)-[0-9a-f]{12}\.tmp$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(`${path}/${name}`, { force: true });
    }
  }
}

/** On this machine. Of a process elsewhere the worst is a write that has to be tried again. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** A file of somebody else stays theirs where the system lets us decide that. */
async function keepOwner(handle: FileHandle, path: string): Promise<void> {
  const [old, own] = [await lstat(path), await handle.stat()];
  if (old.uid === own.uid && old.gid === own.gid) {
    return;
  }
  await handle.chown(old.uid, old.gid).catch((error: unknown) => {
    if (!hasCode(error, 'EPERM')) {
      throw error;
    }
  });
}

async function writeInPlace(
  path: string,
  present: LiveFile,
  content: NewContent,
): Promise<Outcome> {
  const handle = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const { dev, ino } = await handle.stat({ bigint: true });
    if (present.identity !== undefined && `${dev}:${ino}` !== present.identity) {
      return 'changed';
    }
    await replaceBytes(handle, present, content);
    return 'written';
  } finally {
    await handle.close();
  }
}

/** What the disk takes only in part gives way to the old bytes, which it had room for. */
async function replaceBytes(
  handle: FileHandle,
  present: LiveFile,
  content: NewContent,
): Promise<void> {
  try {
    await handle.truncate(0);
    await writeAll(handle, content);
  } catch (error) {
    await handle.truncate(0);
    await writeAll(handle, present);
    throw error;
  }
}

async function writeAll(
  handle: FileHandle,
  content: Pick<NewContent, 'bytes' | 'mode'>,
): Promise<void> {
  let done = 0;
  while (done < content.bytes.length) {
    const left = content.bytes.length - done;
    done += (await handle.write(content.bytes, done, left, done)).bytesWritten;
  }
  await handle.chmod(content.mode & 0o777);
  await handle.datasync();
}
