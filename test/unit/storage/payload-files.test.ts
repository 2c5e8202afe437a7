import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPayloadFiles } from '../../../src/storage/payload-files';

let home: string;
let dir: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'massgen-payloads-'));
  dir = join(home, 'payloads');
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe('texts beside a log', () => {
  it('are given back by another process, each stored once', () => {
    const ref = createPayloadFiles(dir).put('Grüße 👋');
    expect(ref.bytes).toBe(12);
    const other = createPayloadFiles(dir);
    expect(other.put('Grüße 👋')).toEqual(ref);
    expect(other.get(ref)).toBe('Grüße 👋');
    expect(readdirSync(dir)).toEqual([ref.sha256]);
  });

  it('can be read by their owner alone', () => {
    const ref = createPayloadFiles(dir).put('text');
    expect(statSync(join(dir, ref.sha256)).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it('are not given back when their bytes are not those of the name', () => {
    const ref = createPayloadFiles(dir).put('text');
    writeFileSync(join(dir, ref.sha256), 'tex');
    const store = createPayloadFiles(dir);
    expect(store.get(ref)).toBeUndefined();
    store.put('text');
    expect(readFileSync(join(dir, ref.sha256), 'utf8')).toBe('text');
  });

  it('are not looked for elsewhere, whatever their name says', () => {
    writeFileSync(join(home, 'secret'), 'text');
    const store = createPayloadFiles(dir);
    store.put('text');
    expect(store.get({ sha256: '../secret', bytes: 4 })).toBeUndefined();
    expect(store.get({ sha256: '0'.repeat(64), bytes: 4 })).toBeUndefined();
  });

  it('say so when they cannot be stored', () => {
    writeFileSync(dir, 'a file where the folder should be');
    expect(() => createPayloadFiles(dir).put('text')).toThrow(
      expect.objectContaining({ code: 'storage/failed' }),
    );
  });
});
