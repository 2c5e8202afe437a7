import {
  appendFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BlobPack } from '../../../src/workspace/blob-pack';
import { bytes, tempFolder, text } from './temp-project';

const read = (pack: BlobPack, sha256: string): string | undefined => {
  const found = pack.get(sha256);
  return found === undefined ? undefined : text(found);
};

describe('a pack', () => {
  test('keeps equal bytes once and finds them again after a restart', () => {
    const path = join(tempFolder(), 'run', 'blobs.pack');
    const pack = new BlobPack(path);
    const ids = ['one', '', 'two', 'one'].map((part) => pack.put(bytes(part)));
    pack.close();
    const again = new BlobPack(path);
    expect(ids.map((id) => read(again, id))).toEqual(['one', '', 'two', 'one']);
    expect(statSync(path).size).toBe(6 + 67 + 67 + 67);
    again.close();
  });

  test('makes no file before something is put', () => {
    const path = join(tempFolder(), 'blobs.pack');
    const pack = new BlobPack(path);
    expect(pack.get('0'.repeat(64))).toBe(undefined);
    pack.sync();
    expect(existsSync(path)).toBe(false);
  });

  test('cut at any byte keeps every whole record and takes new ones', () => {
    const path = join(tempFolder(), 'blobs.pack');
    const pack = new BlobPack(path);
    const ids = ['first', 'second', 'third'].map((part) => pack.put(bytes(part)));
    pack.close();
    const whole = readFileSync(path);
    const ends = [72, 145, 217];
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(path, whole);
      truncateSync(path, size);
      const cut = new BlobPack(path);
      const kept = ids.map((id) => cut.has(id));
      expect(kept).toEqual(ends.map((end) => end <= size));
      const id = cut.put(bytes('new'));
      cut.close();
      const after = new BlobPack(path);
      expect([read(after, id), ...ids.map((each) => after.has(each))]).toEqual(['new', ...kept]);
      after.close();
    }
  });

  test('does not take a last record for whole when its bytes never arrived', () => {
    const path = join(tempFolder(), 'blobs.pack');
    const pack = new BlobPack(path);
    const id = pack.put(bytes('first'));
    pack.close();
    appendFileSync(path, `${'a'.repeat(64)} 3\n\0\0\0`);
    const again = new BlobPack(path);
    expect([again.has('a'.repeat(64)), read(again, id)]).toEqual([false, 'first']);
    again.close();
  });

  test('says so when stored bytes do not fit their name', () => {
    const path = join(tempFolder(), 'blobs.pack');
    const pack = new BlobPack(path);
    const id = pack.put(bytes('first'));
    pack.put(bytes('second'));
    pack.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace('first', 'fIrst'));
    const again = new BlobPack(path);
    expect(() => again.get(id)).toThrow('damaged');
    again.close();
  });

  test('opened twice in one process takes records from both', () => {
    const path = join(tempFolder(), 'blobs.pack');
    const [one, two] = [new BlobPack(path), new BlobPack(path)];
    const ids = [one.put(bytes('a')), two.put(bytes('b')), one.put(bytes('c'))];
    expect(ids.map((id) => read(two, id))).toEqual(['a', 'b', 'c']);
    one.close();
    two.close();
  });
});
