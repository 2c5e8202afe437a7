import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { walkBase } from '../../../src/workspace/base-walk';
import type { WalkOptions } from '../../../src/workspace/base-walk';
import { isSecretPath } from '../../../src/workspace/path-rules';
import { openSnapshotStore } from '../../../src/workspace/snapshot-store';
import { UserFolderBase } from '../../../src/workspace/user-folder-base';
import { bytes, fill, git, never, tempFolder, text } from './temp-project';

interface Opened {
  readonly folder: string;
  readonly base: UserFolderBase;
}

function open(files: Readonly<Record<string, string>>, only?: string): Opened {
  const folder = tempFolder();
  fill(folder, files);
  const store = openSnapshotStore({ dir: tempFolder(), runId: 'run-1' });
  onTestFinished(() => store.close());
  const isHidden = (path: string): boolean => isSecretPath(path);
  return {
    folder,
    base: new UserFolderBase({ folder, only, pins: new Map(), isHidden, store }),
  };
}

const moved = async (base: UserFolderBase, ...paths: string[]): Promise<readonly boolean[]> =>
  Promise.all(paths.map((path) => base.hasMoved(path, never)));

describe('what the user changed since the run began', () => {
  test('counts as moved, though no agent had looked at it before', async () => {
    const { folder, base } = open({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd/e': 'e\n' });
    await base.begin();
    writeFileSync(join(folder, 'a.txt'), 'changed by the user\n');
    rmSync(join(folder, 'b.txt'));
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    chmodSync(join(folder, 'd/e'), 0o600);
    expect(await moved(base, 'a.txt', 'b.txt', 'new.txt', 'd/e', 'c.txt')).toEqual([
      ...[true, true, true, true],
      false,
    ]);
    const store = await base.capture('a.txt', never);
    expect(store).toMatchObject({ kind: 'file', sizeBytes: 'changed by the user\n'.length });
  });

  test('does not count as moved when it was only linked to or read', async () => {
    const { folder, base } = open({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
    await base.begin();
    execFileSync('ln', [join(folder, 'a.txt'), join(folder, 'second-name.txt')]);
    renameSync(join(folder, 'b'), join(folder, 'x'));
    renameSync(join(folder, 'x'), join(folder, 'b'));
    expect(await moved(base, 'a.txt', 'b/c.txt')).toEqual([false, false]);
  });

  test('is not forgotten because the walk comes by later', async () => {
    const { folder, base } = open({ 'a.txt': 'a\n' });
    await base.capture('a.txt', never);
    writeFileSync(join(folder, 'a.txt'), 'changed by the user\n');
    await base.begin();
    expect(await moved(base, 'a.txt')).toEqual([true]);
  });

  test('is told by content once agents have it, so a file that was only touched has not moved', async () => {
    const { folder, base } = open({ 'a.txt': 'a\n' });
    await base.begin();
    await base.capture('a.txt', never);
    utimesSync(join(folder, 'a.txt'), 1, 1);
    expect(await moved(base, 'a.txt')).toEqual([false]);
    writeFileSync(join(folder, 'a.txt'), 'b\n');
    expect(await moved(base, 'a.txt')).toEqual([true]);
    writeFileSync(join(folder, 'a.txt'), 'a\n');
    expect(await moved(base, 'a.txt')).toEqual([false]);
  });

  test('is compared with the stored base where a run goes on in another process', async () => {
    const { folder, base } = open({ 'a.txt': 'user’s newer text\n', 'b.txt': 'b\n' });
    const before = { kind: 'file', sha256: 'a'.repeat(64), sizeBytes: 2, mode: 0o644 } as const;
    base.adopt('a.txt', before);
    base.adopt('new.txt', null);
    base.adopt('b.txt', null);
    await base.begin();
    expect(await base.capture('a.txt', never)).toEqual(before);
    expect(await moved(base, 'a.txt', 'new.txt', 'b.txt')).toEqual([true, false, true]);
    mkdirSync(join(folder, 'new.txt'));
    expect(await moved(base, 'new.txt')).toEqual([true]);
  });
});

describe('bytes that are kept because the user is about to save', () => {
  test('are what agents see from then on, and the base of their changes', async () => {
    const { folder, base } = open({ 'a.txt': 'one\n' });
    base.pin('a.txt', bytes('one\n'));
    writeFileSync(join(folder, 'a.txt'), 'two, longer\n');
    base.pin('a.txt', bytes('two, longer\n'));
    expect(text((await base.read('a.txt', never)) ?? bytes(''))).toBe('one\n');
    expect(await base.stat('a.txt', never)).toMatchObject({ kind: 'file', sizeBytes: 4 });
    expect(await base.capture('a.txt', never)).toMatchObject({ sizeBytes: 4 });
    expect(await moved(base, 'a.txt')).toEqual([true]);
    expect([...base.pins.keys()]).toEqual(['a.txt']);
  });

  test('give way to what an agent had before, and are refused for what is hidden', async () => {
    const { folder, base } = open({ 'read.txt': '1\n', 'changed.txt': '1\n', '.env': 'K=1\n' });
    await base.read('read.txt', never);
    await base.capture('changed.txt', never);
    for (const path of ['read.txt', 'changed.txt', '.env']) {
      writeFileSync(join(folder, path), 'second\n');
      base.pin(path, bytes('second\n'));
    }
    expect([...base.pins.keys()]).toEqual([]);
    expect(text((await base.read('read.txt', never)) ?? bytes(''))).toBe('1\n');
  });

  test('are refused for the neighbors of a single file', () => {
    const { base } = open({ 'a.txt': 'a\n', 'b.txt': 'b\n' }, 'a.txt');
    base.pin('b.txt', bytes('b\n'));
    base.pin('a.txt', bytes('a\n'));
    expect([...base.pins.keys()]).toEqual(['a.txt']);
  });
});

describe('the walk through a folder', () => {
  test('lists what is hidden, and does not go into hidden folders', async () => {
    const { base } = open({
      ...{ '.env': 'x', 'a.txt': 'a', 'pkg/.env.local': 'x', 'pkg/key.pem': 'x' },
      ...{ '.aws/credentials': 'x', '.aws/sub/more': 'x' },
    });
    const { paths, isWhole } = await base.hiddenPaths(never);
    expect(isWhole).toBe(true);
    expect(paths.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: '.aws', isFolder: true },
      { path: '.env', isFolder: false },
      { path: 'pkg/.env.local', isFolder: false },
      { path: 'pkg/key.pem', isFolder: false },
    ]);
  });

  test('lists only the file itself where a single file is the context', async () => {
    const { base } = open({ 'a.txt': 'a', '.env': 'x' }, 'a.txt');
    expect((await base.hiddenPaths(never)).paths).toEqual([]);
  });

  const options = (
    folder: string,
    more: Partial<WalkOptions> = {},
  ): WalkOptions & {
    readonly seen: string[];
  } => {
    const seen: string[] = [];
    const onEntry = (path: string): number => seen.push(path);
    return { folder, only: undefined, isHidden: () => false, limit: 1000, onEntry, seen, ...more };
  };

  test('follows no link, enters no .git and opens no pipe or socket', async () => {
    const folder = tempFolder();
    fill(folder, { 'a/b.txt': 'b', 'vendor/sub/.git/config': 'x', 'vendor/sub/c.txt': 'c' });
    git(folder, 'init', '-q');
    symlinkSync('..', join(folder, 'a/up'));
    symlinkSync('nowhere', join(folder, 'a/dangling'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const server = createServer().listen(join(folder, 'socket'));
    await new Promise<void>((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    const all = options(folder);
    const { special, isWhole } = await walkBase(all, never);
    expect(all.seen.toSorted()).toEqual([
      ...['a', 'a/b.txt', 'a/dangling', 'a/up', 'vendor', 'vendor/sub', 'vendor/sub/c.txt'],
    ]);
    expect([special.toSorted(), isWhole]).toEqual([['pipe', 'socket'], true]);
  });

  test('stops at its limit and says so', async () => {
    const folder = tempFolder();
    fill(
      folder,
      Object.fromEntries(Array.from({ length: 40 }, (_no, n) => [`d${n % 4}/f${n}`, 'x'])),
    );
    const some = options(folder, { limit: 20 });
    expect((await walkBase(some, never)).isWhole).toBe(false);
    expect(some.seen.length).toBe(20);
    const all = options(folder, { limit: 44 });
    expect((await walkBase(all, never)).isWhole).toBe(true);
    expect(all.seen.length).toBe(44);
  });

  test('ends when it is given up, and so does who waits for it', async () => {
    const folder = tempFolder();
    fill(folder, { 'a/b.txt': 'b' });
    const reason = new Error('stopped');
    const aborted = AbortSignal.abort(reason);
    await expect(walkBase(options(folder), aborted)).rejects.toBe(reason);
    const { base } = open({ 'a.txt': 'a' });
    await expect(base.hiddenPaths(aborted)).rejects.toBe(reason);
    base.close(reason);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  test.runIf(process.getuid?.() !== 0)('goes around folders that may not be read', async () => {
    const folder = tempFolder();
    fill(folder, { 'open/a.txt': 'a', 'closed/b.txt': 'b' });
    chmodSync(join(folder, 'closed'), 0o000);
    onTestFinished(() => chmodSync(join(folder, 'closed'), 0o700));
    const all = options(folder);
    expect((await walkBase(all, never)).isWhole).toBe(true);
    expect(all.seen.toSorted()).toEqual(['closed', 'open', 'open/a.txt']);
  });
});
