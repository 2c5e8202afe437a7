// All bytes of one run, each kept once: records of a header line `sha256 length` and the bytes, appended to one file.
// The index is rebuilt from the headers; a record that was cut off by a crash is dropped at the next write.
import { closeSync, existsSync, fdatasyncSync, fstatSync, ftruncateSync } from 'node:fs';
import { mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { MassGenError } from '../core/errors';
import { sha256OfBytes } from './content';

interface Place {
  readonly offset: number;
  readonly length: number;
}

const headerPattern = /^([0-9a-f]{64}) (\d{1,15})\n/;
const headerLimit = 64 + 1 + 15 + 1;

/**
 * Several instances may be open on one file inside one process: each looks for records of the others before it writes
 * or misses. Across processes there is one writer, guarded by the lock of the run's log.
 */
export class BlobPack {
  readonly #file: string;
  readonly #index = new Map<string, Place>();
  #descriptor: number | undefined;
  /** End of the last whole record that was seen. */
  #end = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Keeps the bytes and answers their sha256. Throws `storage/failed`; the pack then holds what it held before. */
  put(bytes: Uint8Array): string {
    const sha256 = sha256OfBytes(bytes);
    if (this.has(sha256)) {
      return sha256;
    }
    const descriptor = this.#create();
    const header = Buffer.from(`${sha256} ${bytes.length}\n`);
    try {
      ftruncateSync(descriptor, this.#end);
      writeWhole(descriptor, header, this.#end);
      writeWhole(descriptor, bytes, this.#end + header.length);
    } catch (error) {
      ftruncateSync(descriptor, this.#end);
      throw new MassGenError('storage/failed', 'The files of the run could not be stored.', {
        cause: error,
        hint: 'Check the free space of the disk.',
      });
    }
    this.#index.set(sha256, { offset: this.#end + header.length, length: bytes.length });
    this.#end += header.length + bytes.length;
    return sha256;
  }

  has(sha256: string): boolean {
    if (!this.#index.has(sha256)) {
      this.#scan();
    }
    return this.#index.has(sha256);
  }

  /** `undefined` when nothing is kept under that name. Throws `storage/corrupt` when the bytes do not fit their name. */
  get(sha256: string): Uint8Array | undefined {
    const place = this.has(sha256) ? this.#index.get(sha256) : undefined;
    const descriptor = this.#open();
    if (place === undefined || descriptor === undefined) {
      return undefined;
    }
    const bytes = readPlace(descriptor, place);
    if (sha256OfBytes(bytes) !== sha256) {
      throw new MassGenError('storage/corrupt', 'Stored bytes of this run are damaged.');
    }
    return bytes;
  }

  /** Returns when everything that was put is on the disk. */
  sync(): void {
    const descriptor = this.#open();
    if (descriptor !== undefined) {
      fdatasyncSync(descriptor);
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) {
      closeSync(this.#descriptor);
      this.#descriptor = undefined;
    }
  }

  #create(): number {
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    // Not in append mode: a record must be able to take the place of a torn one.
    this.#descriptor ??= openSync(this.#file, 'wx+', 0o600);
    return this.#descriptor;
  }

  /** `undefined` while nothing was ever put. */
  #open(): number | undefined {
    if (this.#descriptor === undefined && existsSync(this.#file)) {
      this.#descriptor = openSync(this.#file, 'r+');
    }
    return this.#descriptor;
  }

  /** Reads the headers of records that another instance has added. */
  #scan(): void {
    const descriptor = this.#open();
    if (descriptor === undefined) {
      return;
    }
    const size = fstatSync(descriptor).size;
    while (this.#end < size) {
      const head = readPlace(descriptor, {
        offset: this.#end,
        length: Math.min(headerLimit, size - this.#end),
      });
      const match = headerPattern.exec(Buffer.from(head).toString('latin1'));
      const sha256 = match?.[1];
      if (match === null || sha256 === undefined) {
        return;
      }
      const place = { offset: this.#end + match[0].length, length: Number(match[2]) };
      if (place.offset + place.length > size) {
        return;
      }
      if (place.offset + place.length === size && !this.#isIntact(descriptor, sha256, place)) {
        return;
      }
      this.#index.set(sha256, place);
      this.#end = place.offset + place.length;
    }
  }

  /** A crash may leave the last record at its full length without its bytes. */
  #isIntact(descriptor: number, sha256: string, place: Place): boolean {
    return sha256OfBytes(readPlace(descriptor, place)) === sha256;
  }
}

function readPlace(descriptor: number, place: Place): Uint8Array {
  const bytes = new Uint8Array(place.length);
  let done = 0;
  while (done < place.length) {
    const count = readSync(descriptor, bytes, done, place.length - done, place.offset + done);
    if (count === 0) {
      throw new MassGenError('storage/corrupt', 'Stored bytes of this run end too early.');
    }
    done += count;
  }
  return bytes;
}

function writeWhole(descriptor: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
  }
}
