import { readFileSync } from 'node:fs';

const CENTRAL_ENTRY = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;

/** The names of all files in a zip archive, sorted. Reads the central directory only. */
export function zipListing(path: string): string[] {
  const bytes = readFileSync(path);
  const end = endOfDirectory(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const names: string[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i += 1) {
    if (bytes.readUInt32LE(at) !== CENTRAL_ENTRY) throw new Error(`${path}: no entry at ${at}`);
    const nameLength = bytes.readUInt16LE(at + 28);
    names.push(bytes.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names.sort();
}

/** The record stands at the end, after it at most a comment. */
function endOfDirectory(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= 0; at -= 1) {
    if (bytes.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new Error('this is not a zip archive');
}
