import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

/** An offset takes five bytes, which is enough for logs of a terabyte. */
const offsetBytes = 5;
const largestOffset = 2 ** 40 - 1;

export function encodeOffsets(offsets: readonly number[]): Buffer {
  const bytes = Buffer.alloc(offsets.length * offsetBytes);
  offsets.forEach((offset, i) => {
    bytes.writeUIntLE(Math.min(offset, largestOffset), i * offsetBytes, offsetBytes);
  });
  return bytes;
}

/**
 * Where in a log the event with this number begins, according to the table beside it; `undefined` when it does not
 * tell. The table may be wrong, so the line found there must be checked.
 */
export function readOffset(path: string, seq: number): number | undefined {
  try {
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(offsetBytes);
      const count = readSync(fd, bytes, 0, offsetBytes, seq * offsetBytes);
      return count === offsetBytes ? bytes.readUIntLE(0, offsetBytes) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** Replaces what the table holds from event `first` on. Throws the file system's error. */
export function writeOffsets(path: string, first: number, offsets: readonly number[]): void {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    ftruncateSync(fd, first * offsetBytes);
    const bytes = encodeOffsets(offsets);
    for (let done = 0; done < bytes.length;) {
      done += writeSync(fd, bytes, done, bytes.length - done, first * offsetBytes + done);
    }
  } finally {
    closeSync(fd);
  }
}
