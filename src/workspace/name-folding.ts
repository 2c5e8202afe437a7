// Names that differ only in case, or in how an accent is written, name one file on some systems and two on others.
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isNotThere } from './disk-read';

/** Equal for names that a system without case takes for the same. For comparing only: files keep the name they have. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Whether the file system of a folder takes names that differ in case for the same. */
export async function foldsNames(folder: string): Promise<boolean> {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const name = basename(at);
    const other = name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase();
    if (other !== name) {
      const [one, two] = await Promise.all([idOf(at), idOf(join(dirname(at), other))]);
      return one !== undefined && one === two;
    }
  }
  return false;
}

async function idOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (isNotThere(error)) {
      return undefined;
    }
    throw error;
  }
}
