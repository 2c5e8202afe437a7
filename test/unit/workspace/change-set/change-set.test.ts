import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FileChange } from '../../../../src/run/facts';
import type { UpperEntry } from '../../../../src/workspace/content';
import { deleted } from '../../../../src/workspace/content';
import { ChangeSets } from '../../../../src/workspace/change-set/change-set';
import { GitIgnore } from '../../../../src/workspace/git-ignore';
import { LayeredRoot } from '../../../../src/workspace/layered-root';
import { openSnapshotStore } from '../../../../src/workspace/snapshot-store';
import type { SnapshotStore } from '../../../../src/workspace/snapshot-store';
import { UserFolderBase } from '../../../../src/workspace/user-folder-base';
import { bytes, fill, never, tempFolder } from '../temp-project';

interface Bench {
  readonly folder: string;
  readonly root: LayeredRoot;
  /** Reads of the store since the bench was made. */
  readonly reads: () => number;
  readonly put: (path: string, entry: UpperEntry) => Promise<void>;
  readonly write: (path: string, content: string | Uint8Array, mode?: number) => Promise<void>;
  readonly changes: () => Promise<readonly FileChange[]>;
}

function bench(files: Readonly<Record<string, string | Uint8Array>>): Bench {
  const folder = tempFolder();
  fill(folder, files);
  const store = openSnapshotStore({ dir: tempFolder(), runId: 'run-1' });
  onTestFinished(() => store.close());
  let reads = 0;
  const counted: SnapshotStore = {
    ...store,
    readContent: (content) => {
      reads += 1;
      return store.readContent(content);
    },
    getBytes: (sha256) => {
      reads += 1;
      return store.getBytes(sha256);
    },
  };
  const isHidden = (): boolean => false;
  const base = new UserFolderBase({ folder, only: undefined, pins: new Map(), isHidden, store });
  const root = new LayeredRoot({
    ...{ name: 'proj', kind: 'context', canWrite: true, base, store, isHidden },
  });
  const sets = new ChangeSets(counted);
  const ignore = new GitIgnore(folder);
  const put = async (path: string, entry: UpperEntry): Promise<void> =>
    root.put(path, entry, never);
  return {
    ...{ folder, root, put },
    reads: () => reads,
    async write(path, content, mode = 0o644): Promise<void> {
      const data = typeof content === 'string' ? bytes(content) : content;
      const sha256 = store.putBytes(data);
      await put(path, { kind: 'file', sha256, sizeBytes: data.length, mode });
    },
    async changes(): Promise<readonly FileChange[]> {
      return sets.list([{ name: 'proj', base, ignore, changes: await root.changes(never) }], never);
    },
  };
}

const lines = (...numbers: number[]): string => numbers.map((n) => `line ${n}\n`).join('');
const oneToTen = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Path, kind and path before of each change. */
const moves = (changes: readonly FileChange[]): readonly (readonly (string | undefined)[])[] =>
  changes.map(({ path, kind, from }) => [path, kind, from]);

describe('a file that was moved', () => {
  test('is one change, with no parts when its bytes are the same', async () => {
    const { changes, write, put } = bench({ 'old/a.ts': lines(1, 2, 3) });
    await put('old/a.ts', deleted);
    await write('new/b.ts', lines(1, 2, 3));
    expect(await changes()).toEqual([
      {
        ...{ root: 'proj', path: 'new/b.ts', kind: 'rename', from: 'old/a.ts' },
        ...{ added: 0, removed: 0, isBinary: false, sizeBytes: 21 },
      },
    ]);
  });

  test('and edited too has the parts of the edit against what it was', async () => {
    const { changes, write, put } = bench({ 'a.ts': lines(...oneToTen) });
    await put('a.ts', deleted);
    await write('b.ts', lines(1, 2, 3, 40, 5, 6, 7, 8, 9, 10), 0o755);
    const [change, ...more] = await changes();
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      ...{ path: 'b.ts', kind: 'rename', from: 'a.ts', added: 1, removed: 1 },
      ...{ modes: { before: 0o644, after: 0o755 }, caution: 'sensitive' },
      hunks: [{ baseStart: 3, baseLines: 1, newStart: 3, newLines: 1, title: 'line 40' }],
    });
  });

  test('is recognized while six of ten lines are the same, and not with fewer', async () => {
    const { changes, write, put } = bench({ 'a.ts': lines(...oneToTen) });
    await put('a.ts', deleted);
    await write('b.ts', lines(1, 2, 3, 4, 5, 6, 70, 80, 90, 100));
    expect(moves(await changes())).toEqual([['b.ts', 'rename', 'a.ts']]);
    await write('b.ts', lines(1, 2, 3, 4, 5, 60, 70, 80, 90, 100));
    expect(moves(await changes())).toEqual([
      ['a.ts', 'delete', undefined],
      ['b.ts', 'add', undefined],
    ]);
  });

  test('is paired with the one most like it, then with the one that keeps its name', async () => {
    const { changes, write, put } = bench({
      'x/a.ts': lines(1, 2, 3, 4, 5),
      'x/b.ts': lines(1, 2, 3, 4, 50),
      'y/same.ts': lines(11, 12),
      'z/same.ts': lines(11, 12),
    });
    for (const path of ['x/a.ts', 'x/b.ts', 'y/same.ts', 'z/same.ts']) {
      await put(path, deleted);
    }
    await write('n/c.ts', lines(1, 2, 3, 4, 50, 51));
    await write('n/d.ts', lines(1, 2, 3, 4, 5, 6));
    await write('n/other.ts', lines(11, 12));
    await write('n/same.ts', lines(11, 12));
    expect(moves(await changes())).toEqual([
      ['n/c.ts', 'rename', 'x/b.ts'],
      ['n/d.ts', 'rename', 'x/a.ts'],
      ['n/other.ts', 'rename', 'z/same.ts'],
      ['n/same.ts', 'rename', 'y/same.ts'],
    ]);
  });

  test('by its case alone is never a deletion beside an addition', async () => {
    const { changes, write, put } = bench({ 'Readme.md': lines(1) });
    await put('Readme.md', deleted);
    await write('README.md', lines(7, 8, 9));
    expect(moves(await changes())).toEqual([['README.md', 'rename', 'Readme.md']]);
  });

  test('has moved on when the user changed it under its old path', async () => {
    const { folder, changes, write, put } = bench({ 'a.ts': lines(1, 2) });
    await put('a.ts', deleted);
    await write('b.ts', lines(1, 2));
    writeFileSync(join(folder, 'a.ts'), 'changed by the user\n');
    expect((await changes())[0]).toMatchObject({ kind: 'rename', baseMoved: true });
  });

  test('is not looked for among empty, installed and binary files that only resemble each other', async () => {
    const { changes, write, put } = bench({
      ...{ 'a/__init__.py': '', 'node_modules/d/i.js': lines(1) },
      'img.png': new Uint8Array([0, 1, 2, 3]),
    });
    for (const path of ['a/__init__.py', 'node_modules/d/i.js', 'img.png']) {
      await put(path, deleted);
    }
    await write('b/__init__.py', '');
    await write('node_modules/e/i.js', lines(1));
    await write('img2.png', new Uint8Array([0, 1, 2, 4]));
    expect((await changes()).filter(({ kind }) => kind === 'rename')).toEqual([]);
  });

  test('among very many is recognized by equal bytes or an equal name', async () => {
    const numbers = Array.from({ length: 102 }, (_no, n) => n);
    const content = (n: number): string => lines(...oneToTen.map((line) => line + n * 100));
    const { changes, write, put } = bench(
      Object.fromEntries(numbers.map((n) => [`a/${n}.ts`, content(n)])),
    );
    for (const n of numbers) {
      await put(`a/${n}.ts`, deleted);
      await write(n < 2 ? `b/${n}.ts` : `b/new${n}.ts`, n === 0 ? content(0) : `${content(n)}m\n`);
    }
    const renames = (await changes()).filter(({ kind }) => kind === 'rename');
    expect(moves(renames)).toEqual([
      ['b/0.ts', 'rename', 'a/0.ts'],
      ['b/1.ts', 'rename', 'a/1.ts'],
    ]);
  });
});

describe('a list of changes', () => {
  test('has parts for texts of the project, and none for binary, new and own files', async () => {
    const { changes, write } = bench({ 'a.ts': lines(1, 2), 'b.bin': new Uint8Array([0, 1]) });
    await write('a.ts', lines(1, 3));
    await write('b.bin', new Uint8Array([0, 2]));
    await write('new.ts', lines(1));
    const parts = (await changes()).map(({ path, hunks, isBinary }) => [
      ...[path, hunks?.length, isBinary],
    ]);
    expect(parts).toEqual([
      ['a.ts', 1, false],
      ['b.bin', undefined, true],
      ['new.ts', undefined, false],
    ]);
  });

  test('says why a text can only be decided as a whole', async () => {
    const { changes, write } = bench({ 'package-lock.json': '{}\n' });
    await write('package-lock.json', '{"a":1}\n');
    expect(await changes()).toMatchObject([{ wholeFile: 'generated', added: 1, removed: 1 }]);
  });

  test.each([0o600, 0o444, 0o755])(
    'tells of a change to mode %o and of nothing else',
    async (mode) => {
      const { changes, write } = bench({ 'a.sh': lines(1) });
      await write('a.sh', lines(1), mode);
      expect(await changes()).toMatchObject([
        { kind: 'mode', modes: { before: 0o644, after: mode }, added: 0, removed: 0 },
      ]);
    },
  );

  test('tells the mode of a new file where it is not the usual one', async () => {
    const { changes, write } = bench({});
    await write('key', 'k\n', 0o600);
    await write('plain', 'p\n');
    expect((await changes()).map(({ modes }) => modes)).toEqual([
      { before: null, after: 0o600 },
      undefined,
    ]);
  });

  test('has links with their own kind, whatever they take the place of', async () => {
    const { changes, put } = bench({ 'a.txt': 'a\n' });
    await put('a.txt', { kind: 'link', target: 'b.txt' });
    await put('new', { kind: 'link', target: 'ä' });
    expect((await changes()).map(({ path, kind, sizeBytes }) => [path, kind, sizeBytes])).toEqual([
      ['a.txt', 'link', 5],
      ['new', 'link', 2],
    ]);
  });

  test('is made again without reading what has not changed since', async () => {
    const { changes, write, put, reads } = bench({ 'a.ts': lines(1, 2), 'old.ts': lines(1, 2, 3) });
    await write('a.ts', lines(1, 3));
    await put('old.ts', deleted);
    await write('new.ts', lines(1, 2, 4));
    const first = await changes();
    const before = reads();
    expect(await changes()).toEqual(first);
    expect(reads()).toBe(before);
    await write('a.ts', lines(1, 4));
    expect(await changes()).not.toEqual(first);
    expect(reads()).toBe(before + 2);
  });
});
