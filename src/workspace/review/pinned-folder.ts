// Holds the folder of a file while something is written there, so that a link put into the way meanwhile leads nowhere.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { FolderBounds } from '../../core/ports/review';
import { hasCode, isNotThere } from '../disk-read';

export interface PinnedFolder {
  /** Reaches the folder that is held, whatever its name has come to mean. Ends with no separator. */
  readonly path: string;
  /** Throws when the folder is no longer the one that was asked for; for systems that cannot hold a folder. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const linkLimit = 40;

/**
 * Opens a folder, step by step from `bounds.real` and through links only where they lead to folders inside. Answers
 * `undefined` when it does not exist and is not to be made. Throws `workspace/path-escape`.
 */
export async function pinFolder(
  folder: string,
  bounds: FolderBounds | undefined,
  isMade: boolean,
): Promise<PinnedFolder | undefined> {
  if (bounds === undefined || process.platform !== 'linux') {
    return byName(folder, bounds, isMade);
  }
  let parts = relative(bounds.path, folder)
    .split(sep)
    .filter((part) => part !== '');
  for (let links = 0; links < linkLimit; links++) {
    const found = await walk(bounds.real, parts, isMade);
    if (found === undefined || 'handle' in found) {
      return found === undefined ? undefined : toPinned(found.handle);
    }
    parts = [...(await insideParts(found.link, bounds)), ...found.rest];
  }
  throw escaped(folder);
}

function toPinned(handle: FileHandle): PinnedFolder {
  return {
    path: toPath(handle),
    check: async () => undefined,
    close: async () => handle.close(),
  };
}

/** The folder held open; the first part that is a link, with what follows it; `undefined` when a part is missing. */
async function walk(
  real: string,
  parts: readonly string[],
  isMade: boolean,
): Promise<
  | { readonly handle: FileHandle }
  | { readonly link: string; readonly rest: readonly string[] }
  | undefined
> {
  let handle = await openFolder(real);
  if (handle === undefined || handle === 'link') {
    throw escaped(real);
  }
  for (const [index, part] of parts.entries()) {
    const next = await step(handle, part, isMade).finally(handle.close.bind(handle));
    if (typeof next === 'string') {
      return { link: next, rest: parts.slice(index + 1) };
    }
    if (next === undefined) {
      return undefined;
    }
    handle = next;
  }
  return { handle };
}

/** The next folder held open, or where it leads when it is a link. */
async function step(
  from: FileHandle,
  part: string,
  isMade: boolean,
): Promise<FileHandle | string | undefined> {
  const path = `${toPath(from)}/${part}`;
  let next = await openFolder(path);
  if (next === undefined && isMade) {
    await makeFolder(path);
    next = await openFolder(path);
  }
  return next === 'link' ? realpath(path) : next;
}

/** `link` for anything that is not itself a folder; `undefined` when nothing is there. */
async function openFolder(path: string): Promise<FileHandle | 'link' | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    if (hasCode(error, 'ENOTDIR') || hasCode(error, 'ELOOP')) {
      return 'link';
    }
    throw error;
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) {
      throw error;
    }
  }
}

async function insideParts(target: string, { real }: FolderBounds): Promise<readonly string[]> {
  if (!`${target}${sep}`.startsWith(`${real}${sep}`)) {
    throw escaped(target);
  }
  return relative(real, target)
    .split(sep)
    .filter((part) => part !== '');
}

function toPath(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

/** Without a way to hold a folder: its place is looked at before and right before the last step of a write. */
async function byName(
  folder: string,
  bounds: FolderBounds | undefined,
  isMade: boolean,
): Promise<PinnedFolder | undefined> {
  const check = async (): Promise<void> => {
    if (bounds !== undefined) {
      await insideParts(await nearestPlace(folder), bounds);
    }
  };
  await check();
  if (isMade) {
    await mkdir(folder, { recursive: true });
    await check();
  }
  return { path: folder, check, close: async () => undefined };
}

/** Real place of the folder, or of the first folder above it that exists. */
async function nearestPlace(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (isNotThere(error) && dirname(folder) !== folder) {
      return join(await nearestPlace(dirname(folder)), folder.slice(dirname(folder).length));
    }
    throw error;
  }
}

function escaped(place: string): MassGenError {
  return new MassGenError(
    'workspace/path-escape',
    `On the way to the file something became a link or another folder: ${place}.`,
  );
}
