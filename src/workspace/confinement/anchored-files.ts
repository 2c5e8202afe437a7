// File operations below a folder in which somebody else may be working: every folder on the way is held open and is no
// link, so nothing that is swapped meanwhile leads an operation to another place. Elsewhere than on Linux a folder cannot be
// named by what holds it open; there the links are looked for beforehand.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rename, rmdir } from 'node:fs/promises';
import { stat, symlink, unlink } from 'node:fs/promises';
import { hasCode, isNotThere } from '../disk-read';

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Calls `work` with a path of the folder that stays right while `work` runs; `undefined` when it is no folder. */
export async function inFolder<T>(
  path: string,
  work: (held: string) => Promise<T>,
): Promise<T | undefined> {
  if (process.platform !== 'linux') {
    const isFolder = (await lstat(path).catch(absent))?.isDirectory() === true;
    return isFolder ? work(path) : undefined;
  }
  const handle = await open(path, folderFlags).catch((error: unknown) => {
    if (isNotThere(error) || hasCode(error, 'ELOOP') || hasCode(error, 'EACCES')) {
      return undefined;
    }
    throw error;
  });
  if (handle === undefined) {
    return undefined;
  }
  try {
    return await work(`/proc/self/fd/${handle.fd}`);
  } finally {
    await handle.close();
  }
}

/** The same for a folder further down; `path` is relative, `''` the folder itself. */
export async function inFolderBelow<T>(
  top: string,
  path: string,
  work: (held: string) => Promise<T>,
): Promise<T | undefined> {
  const [first, ...rest] = path === '' ? [] : path.split('/');
  if (first === undefined) {
    return inFolder(top, work);
  }
  return inFolder(top, (held) => inFolderBelow(`${held}/${first}`, rest.join('/'), work));
}

/** The same; folders that are missing are made, and what is no folder gives way. */
async function inMadeFolder<T>(
  top: string,
  parts: readonly string[],
  work: (held: string) => Promise<T>,
): Promise<T | undefined> {
  const [first, ...rest] = parts;
  if (first === undefined) {
    return inFolder(top, work);
  }
  return inFolder(top, async (held) => {
    await ensureFolder(held, first, 0o755);
    return inMadeFolder(`${held}/${first}`, rest, work);
  });
}

/** Puts a regular file in the place of whatever stands there. */
export async function placeFile(
  top: string,
  path: string,
  file: { readonly bytes: Uint8Array; readonly mode: number },
): Promise<void> {
  await inParent(top, path, async (held, name) => {
    const temporary = `${held}/.${randomBytes(8).toString('hex')}`;
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(file.bytes);
      await handle.chmod(file.mode);
    } finally {
      await handle.close();
    }
    await clearFolder(held, name);
    await rename(temporary, `${held}/${name}`);
  });
}

export async function placeLink(top: string, path: string, target: string): Promise<void> {
  await inParent(top, path, async (held, name) => {
    await removeHeld(held, name);
    await symlink(target, `${held}/${name}`);
  });
}

/** A folder that is there keeps what is in it. `mode` is permission bits, 0o777 only. */
export async function placeFolder(top: string, path: string, mode: number): Promise<void> {
  await inParent(top, path, async (held, name) => {
    await ensureFolder(held, name, mode);
    await setFolderMode(`${held}/${name}`, mode);
  });
}

/** Makes the folders that are missing, each inside of the one before it; what is no folder gives way. */
export async function makeFolders(
  top: string,
  [first, ...rest]: readonly { readonly name: string; readonly mode: number }[],
): Promise<void> {
  if (first !== undefined) {
    await inFolder(top, async (held) => {
      await ensureFolder(held, first.name, first.mode);
      await makeFolders(`${held}/${first.name}`, rest);
    });
  }
}

/** Removes whatever stands there, a folder with all that is in it. */
export async function removePath(top: string, path: string): Promise<void> {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  await inFolderBelow(top, parts.join('/'), (held) => removeHeld(held, name));
}

/** Removes a folder if nothing is in it. */
export async function removeEmptyFolder(top: string, path: string): Promise<void> {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  await inFolderBelow(top, parts.join('/'), async (held) => {
    await rmdir(`${held}/${name}`).catch((error: unknown) => {
      if (!isNotThere(error) && !hasCode(error, 'ENOTEMPTY')) {
        throw error;
      }
    });
  });
}

async function inParent(
  top: string,
  path: string,
  work: (held: string, name: string) => Promise<void>,
): Promise<void> {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  await inMadeFolder(top, parts, (held) => work(held, name));
}

async function ensureFolder(held: string, name: string, mode: number): Promise<void> {
  const place = `${held}/${name}`;
  const present = await lstat(place).catch(absent);
  if (present?.isDirectory() === true) {
    return;
  }
  if (present !== undefined) {
    await unlink(place);
  }
  await mkdir(place, mode);
  await setFolderMode(place, mode);
}

/** Not by the path alone: a link may stand there by now, and the mode of what it leads to stays. */
async function setFolderMode(place: string, mode: number): Promise<void> {
  await inFolder(place, async (held) => {
    const { mode: present } = await stat(held);
    if ((present & 0o777) !== mode) {
      await chmod(held, mode);
    }
  });
}

/** Takes a folder away; files and links are left for the rename that replaces them. */
async function clearFolder(held: string, name: string): Promise<void> {
  const present = await lstat(`${held}/${name}`).catch(absent);
  if (present?.isDirectory() === true) {
    await removeHeld(held, name);
  }
}

async function removeHeld(held: string, name: string): Promise<void> {
  const place = `${held}/${name}`;
  const present = await lstat(place).catch(absent);
  if (present === undefined) {
    return;
  }
  if (!present.isDirectory()) {
    await unlink(place);
    return;
  }
  await inFolder(place, async (inner) => {
    for (const each of await readdir(inner)) {
      await removeHeld(inner, each);
    }
  });
  await rmdir(place);
}

function absent(error: unknown): undefined {
  if (!isNotThere(error)) {
    throw error;
  }
}
