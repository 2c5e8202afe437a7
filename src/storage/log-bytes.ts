import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isMassGenError, MassGenError } from '../core/errors';
import type { LogReader } from './read-log';

const pieceBytes = 1 << 20;

/**
 * Hands the rest of a file to a reader, and the event loop its turn after each piece of 1 MB, until the file ends or
 * `isEnough`.
 */
export async function readRest(
  handle: FileHandle,
  reader: LogReader,
  isEnough: () => boolean = () => false,
): Promise<void> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let position = reader.wholeBytes;
  while (!isEnough()) {
    const { bytesRead } = await handle.read(piece, 0, pieceBytes, position);
    if (bytesRead === 0) {
      return;
    }
    position += bytesRead;
    reader.push(piece.subarray(0, bytesRead));
  }
}

/** The same for a caller that cannot wait. */
export function readRestSync(fd: number, reader: LogReader): void {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let position = reader.wholeBytes;
  for (;;) {
    const bytesRead = readSync(fd, piece, 0, pieceBytes, position);
    if (bytesRead === 0) {
      return;
    }
    position += bytesRead;
    reader.push(piece.subarray(0, bytesRead));
  }
}

/** Opens a log for reading while `use` lasts. Throws `storage/failed` when it cannot be read. */
export async function withLogHandle<T>(
  path: string,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  try {
    const handle = await open(path, 'r');
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw isMassGenError(error)
      ? error
      : new MassGenError('storage/failed', 'The log of this run cannot be read.', { cause: error });
  }
}
