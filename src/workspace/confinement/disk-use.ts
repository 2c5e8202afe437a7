import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that a folder takes on the disk, at least; stops counting beyond `limit`. What cannot be looked into is 0. */
export async function diskUse(folder: string, limit: number): Promise<number> {
  let bytes = 0;
  const open = [folder];
  for (let at = open.pop(); at !== undefined && bytes <= limit; at = open.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        open.push(path);
      } else {
        bytes += ((await lstat(path).catch(() => undefined))?.blocks ?? 0) * 512;
      }
    }
  }
  return bytes;
}
