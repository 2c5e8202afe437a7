import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Bytes of all files at and below a path; links are not followed. What cannot be read or goes away meanwhile counts as
 * nothing.
 */
export async function bytesBelow(path: string, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  const open = [path];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    signal.throwIfAborted();
    const stat = await lstat(at).catch(() => undefined);
    if (stat?.isDirectory() === true) {
      const names = await readdir(at).catch(() => []);
      for (const name of names) {
        open.push(join(at, name));
      }
    } else {
      bytes += stat?.size ?? 0;
    }
  }
  return bytes;
}

/** Unix ms; 0 when nothing is there. */
export async function changedAt(path: string): Promise<number> {
  const stat = await lstat(path).catch(() => undefined);
  return stat === undefined ? 0 : Math.round(stat.mtimeMs);
}
