import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** What an entry takes of a disk, if only of the room for its name and its kind. */
const leastBytes = 4096;

/**
 * Bytes that a folder takes on the disk, about; stops counting beyond `limit`. What cannot be looked into counts as one
 * entry.
 */
export async function diskUse(folder: string, limit: number): Promise<number> {
  let bytes = 0;
  const open = [folder];
  for (let at = open.pop(); at !== undefined && bytes <= limit; at = open.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        open.push(path);
        bytes += leastBytes;
      } else {
        const blocks = (await lstat(path).catch(() => undefined))?.blocks ?? 0;
        bytes += Math.max(blocks * 512, leastBytes);
      }
    }
  }
  return bytes;
}

/** Bytes that an ordinary user can still put on the disk of a folder; `undefined` when the system does not tell. */
export async function freeSpace(folder: string): Promise<number | undefined> {
  return statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
}

/** Less than this is too little for whatever else the user does. */
const leastFree = 256_000_000;

/** Whether a disk has become so full that something must end; one that was as full before is the user's own matter. */
export function isFilledUp(free: number | undefined, before: number | undefined): boolean {
  return free !== undefined && before !== undefined && free < leastFree && free < before / 2;
}
