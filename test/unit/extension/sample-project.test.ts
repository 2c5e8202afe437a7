import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  copySample,
  isSampleProject,
  readSampleTask,
} from '../../../src/extension/host/sample-project';

const installDir = resolve('.');

describe('the sample project', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'mg-sample-'));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('is copied into a new folder each time, and an existing one is left alone', async () => {
    const first = await copySample(installDir, parent);
    writeFileSync(join(first, 'README.md'), 'mine');
    const second = await copySample(installDir, parent);
    expect(second).not.toBe(first);
    expect(readFileSync(join(first, 'README.md'), 'utf8')).toBe('mine');
  });

  it('is known again, and other folders are not taken for it', async () => {
    const copy = await copySample(installDir, parent);
    expect(await isSampleProject(copy, installDir)).toBe(true);
    writeFileSync(join(copy, 'package.json'), '{"name":"duration"}');
    expect(await isSampleProject(copy, installDir)).toBe(false);
    expect(await isSampleProject(join(parent, 'missing'), installDir)).toBe(false);
  });

  it('comes with the task that the recording knows', async () => {
    expect(await readSampleTask(installDir)).toMatch(/parseDuration/);
  });
});
