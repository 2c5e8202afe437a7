import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Opening a pipe that nobody writes into would wait without end. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * The bytes of an ordinary file. `undefined` for everything that reading might never end with, such as a pipe or a device
 * that a link leads to, and for a file with more bytes than `maxBytes`. Throws what the file system throws.
 */
export async function readRegularFile(
  path: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const file = await open(path, flags);
  try {
    const stat = await file.stat();
    return stat.isFile() && stat.size <= maxBytes ? await file.readFile() : undefined;
  } finally {
    await file.close();
  }
}

/** Like `readRegularFile`, at once. */
export function readRegularFileSync(path: string, maxBytes: number): Uint8Array | undefined {
  const file = openSync(path, flags);
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
