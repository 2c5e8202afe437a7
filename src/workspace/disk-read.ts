import type { BigIntStats } from 'node:fs';
import { constants } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import type { FileStat } from '../core/ports/workspace';
import { MassGenError } from '../core/errors';

/** Larger files are neither read nor stored. */
export const maxFileBytes = 256 * 1024 * 1024;

export interface DiskStat extends FileStat {
  /** Equal as long as the content has not been touched; compared, never parsed. Of a folder only its mode counts. */
  readonly identity: string;
  /** The same told by kind, size, time of the last write and mode alone: stands still when a file is only linked or moved. */
  readonly version: string;
}

/** `undefined` when nothing is there. Links are not followed. */
export async function statOnDisk(path: string, signal: AbortSignal): Promise<DiskStat | undefined> {
  signal.throwIfAborted();
  try {
    return toDiskStat(await lstat(path, { bigint: true }));
  } catch (error) {
    // Behind a link that leads to itself nothing can be, and nothing has a longer name than the system allows.
    if (isNotThere(error) || hasCode(error, 'ELOOP') || hasCode(error, 'ENAMETOOLONG')) {
      return undefined;
    }
    throw error;
  }
}

/** Where a link leads; `undefined` when none is there (any more). */
export async function linkOnDisk(path: string): Promise<string | undefined> {
  return readlink(path).catch((error: unknown) => {
    if (isNotThere(error) || hasCode(error, 'EINVAL')) {
      return undefined;
    }
    throw error;
  });
}

export interface DiskFile {
  readonly bytes: Uint8Array;
  readonly stat: DiskStat;
}

/**
 * Reads a regular file; `undefined` when there is none. Never opens a link, and never waits on a pipe or a device. Throws
 * `workspace/too-large`.
 */
export async function readFromDisk(
  path: string,
  signal: AbortSignal,
): Promise<DiskFile | undefined> {
  signal.throwIfAborted();
  const before = await statOnDisk(path, signal);
  if (before?.kind !== 'file') {
    return undefined;
  }
  if (before.sizeBytes > maxFileBytes) {
    // Without the path: agents read this, and the user's own places are no business of theirs.
    throw new MassGenError(
      'workspace/too-large',
      `The file has ${before.sizeBytes} bytes, too many for agents and for a review.`,
    );
  }
  // Somebody may put a pipe in the file's place between the two calls: then the open must not wait.
  const handle = await open(
    path,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((error: unknown) => {
    if (isNotThere(error) || hasCode(error, 'ELOOP')) {
      return undefined;
    }
    throw error;
  });
  if (handle === undefined) {
    return undefined;
  }
  try {
    for (let attempt = 1; ; attempt++) {
      const start = toDiskStat(await handle.stat({ bigint: true }));
      if (start.kind !== 'file') {
        return undefined;
      }
      const bytes = new Uint8Array(start.sizeBytes);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      const end = toDiskStat(await handle.stat({ bigint: true }));
      if ((bytesRead === bytes.length && end.identity === start.identity) || attempt === 3) {
        return { bytes: bytes.subarray(0, bytesRead), stat: end };
      }
    }
  } finally {
    await handle.close();
  }
}

export function isNotThere(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

export function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): FileStat['kind'] {
  if (entry.isFile()) {
    return 'file';
  }
  if (entry.isDirectory()) {
    return 'directory';
  }
  return entry.isSymbolicLink() ? 'link' : 'other';
}

export function toDiskStat(stat: BigIntStats): DiskStat {
  const shared = { sizeBytes: Number(stat.size), mode: Number(stat.mode) & 0o777 };
  if (stat.isDirectory()) {
    const identity = `folder ${shared.mode}`;
    return { ...shared, kind: 'directory', identity, version: identity };
  }
  const version = `${stat.size}:${stat.mtimeNs}:${stat.mode}`;
  return {
    ...shared,
    kind: kindOf(stat),
    version,
    identity: `${version}:${stat.ctimeNs}:${stat.dev}:${stat.ino}`,
  };
}
