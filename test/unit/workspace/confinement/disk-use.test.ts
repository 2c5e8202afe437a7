import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diskUse, freeSpace, isFilledUp } from '../../../../src/workspace/confinement/disk-use';
import { tempFolder } from '../temp-project';

describe('what a folder takes of the disk', () => {
  test('counts empty files and folders too, so that nobody makes them without end', async () => {
    const folder = tempFolder();
    for (let n = 0; n < 50; n++) {
      mkdirSync(join(folder, `d${n}`));
      writeFileSync(join(folder, `d${n}`, 'empty'), '');
    }
    expect(await diskUse(folder, 1e9)).toBe(100 * 4096);
    writeFileSync(join(folder, 'full'), Buffer.alloc(1_000_000, 1));
    expect(await diskUse(folder, 1e9)).toBeGreaterThan(1_400_000);
  });

  test('a disk is filled up when little is left and much was there before', () => {
    expect(isFilledUp(100e6, 9e9)).toBe(true);
    expect(isFilledUp(300e6, 9e9)).toBe(false);
    expect(isFilledUp(100e6, 150e6)).toBe(false);
    expect(isFilledUp(undefined, 9e9)).toBe(false);
  });

  test('what is free is told in bytes, and not at all for what does not exist', async () => {
    expect(await freeSpace(tempFolder())).toBeGreaterThan(0);
    expect(await freeSpace('/nonexistent/folder')).toBeUndefined();
  });
});
