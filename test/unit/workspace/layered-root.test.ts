import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { UpperEntry } from '../../../src/workspace/content';
import { LayeredRoot } from '../../../src/workspace/layered-root';
import { decodeManifest, encodeManifest } from '../../../src/workspace/manifest';
import type { ManifestEntry } from '../../../src/workspace/manifest';
import { resolvePath } from '../../../src/workspace/path-guard';
import { openSnapshotStore } from '../../../src/workspace/snapshot-store';
import { UserFolderBase } from '../../../src/workspace/user-folder-base';
import { bytes, fill, never, tempFolder, text } from './temp-project';

function open(
  files: Readonly<Record<string, string>>,
  foldsNames = false,
): {
  readonly folder: string;
  readonly root: LayeredRoot;
  readonly again: () => LayeredRoot;
} {
  const folder = tempFolder();
  fill(folder, files);
  const store = openSnapshotStore({ dir: tempFolder(), runId: 'run-1' });
  onTestFinished(() => store.close());
  const isHidden = (): boolean => false;
  const again = (): LayeredRoot => {
    const base = new UserFolderBase({ folder, only: undefined, pins: new Map(), isHidden, store });
    return new LayeredRoot({
      ...{ name: 'proj', kind: 'context', canWrite: true, base, store, isHidden, foldsNames },
    });
  };
  return { folder, root: again(), again };
}

const names = async (root: LayeredRoot, path = ''): Promise<readonly string[]> =>
  (await root.list(path, never)).map(({ name }) => name);

const folder = (mode = 0o755): UpperEntry => ({ kind: 'folder', mode });

/** As it is read from the disk after it was stored. */
async function stored(root: LayeredRoot): Promise<ReadonlyMap<string, ManifestEntry>> {
  const { bytes: encoded } = encodeManifest(new Map([['proj', await root.changes(never)]]));
  return decodeManifest(encoded).get('proj') ?? new Map();
}

describe('an empty folder', () => {
  test('that came is a change of its own until something is in it', async () => {
    const { root } = open({ 'a.txt': 'a\n' });
    await root.put('new/deep', folder(0o700), never);
    expect([...(await root.changes(never))]).toEqual([
      ['new/deep', { now: folder(0o700), base: null }],
    ]);
    expect(await root.stat('new/deep', never)).toMatchObject({ kind: 'directory', mode: 0o700 });
    await root.write('new/deep/b.txt', bytes('b\n'), never);
    expect([...(await root.changes(never)).keys()]).toEqual(['new/deep/b.txt']);
    await root.remove('new/deep/b.txt', never);
    expect([...(await root.changes(never)).keys()]).toEqual(['new/deep']);
    await root.remove('new/deep', never);
    expect([...(await root.changes(never))]).toEqual([]);
    expect(await names(root)).toEqual(['a.txt']);
  });

  test('of a file that alone made it goes with the file', async () => {
    const { root } = open({ 'a.txt': 'a\n' });
    await root.write('x/y/z.txt', bytes('z\n'), never);
    await root.remove('x/y/z.txt', never);
    expect(await names(root)).toEqual(['a.txt']);
    expect((await root.changes(never)).size).toBe(0);
  });

  test('of the user stays when its last file is deleted, and goes when it is removed itself', async () => {
    const { root } = open({ 'c/d.txt': 'd\n', 'a.txt': 'a\n' });
    await root.remove('c/d.txt', never);
    expect(await names(root)).toEqual(['a.txt', 'c']);
    await root.remove('c', never);
    expect(await names(root)).toEqual(['a.txt']);
    const changes = await root.changes(never);
    expect([...changes].map(([path, { now, base }]) => [path, now.kind, base?.kind])).toEqual([
      ['c', 'deleted', 'folder'],
      ['c/d.txt', 'deleted', 'file'],
    ]);
  });

  test('that was removed is still gone after the snapshot is gone back to', async () => {
    const { folder: project, root, again } = open({ 'a.txt': 'a\n' });
    mkdirSync(join(project, 'empty'));
    await root.remove('empty', never);
    await root.put('new', folder(), never);
    const changes = await stored(root);
    for (const other of [root, again()]) {
      other.restore(new Map());
      expect(await names(other)).toEqual(['a.txt', 'empty']);
      other.restore(changes);
      expect(await names(other)).toEqual(['a.txt', 'new']);
      expect(await stored(other)).toEqual(changes);
    }
  });

  test('that was removed and made anew holds only what is put into it', async () => {
    const { root } = open({ 'c/d.txt': 'd\n' });
    await root.remove('c/d.txt', never);
    await root.remove('c', never);
    await root.write('c/e.txt', bytes('e\n'), never);
    expect(await names(root, 'c')).toEqual(['e.txt']);
    expect([...(await root.changes(never)).keys()]).toEqual(['c/d.txt', 'c/e.txt']);
  });

  test('in the place of a link shows nothing of where the link led', async () => {
    const { folder: project, root } = open({ 'real/secret.txt': 's\n' });
    symlinkSync('real', join(project, 'link'));
    await root.put('link', folder(), never);
    expect(await names(root, 'link')).toEqual([]);
    expect(await root.stat('link/secret.txt', never)).toBe(undefined);
    expect([...(await root.changes(never))]).toEqual([
      ['link', { now: folder(), base: { kind: 'link', target: 'real' } }],
    ]);
  });

  test('gives way to a file and comes back', async () => {
    const { folder: project, root } = open({ 'a.txt': 'a\n' });
    mkdirSync(join(project, 'e'));
    await root.remove('e', never);
    await root.write('e', bytes('file\n'), never);
    expect((await root.changes(never)).get('e')).toMatchObject({
      now: { kind: 'file' },
      base: null,
    });
    await root.remove('e', never);
    await root.put('e', folder(), never);
    expect((await root.changes(never)).size).toBe(0);
  });
});

describe('a base that moves on while nobody runs', () => {
  test('stays what it was for the changes that were stored before', async () => {
    const { folder: project, root, again } = open({ 'a.txt': 'one\n', 'gone.txt': 'g\n' });
    await root.write('a.txt', bytes('one, edited\n'), never);
    await root.write('new.txt', bytes('n\n'), never);
    await root.remove('gone.txt', never);
    const changes = await stored(root);
    fill(project, { 'a.txt': 'the user’s own\n', 'new.txt': 'the user’s own\n' });
    rmSync(join(project, 'gone.txt'));
    const later = again();
    later.restore(changes);
    expect(await stored(later)).toEqual(changes);
    const moved = ['a.txt', 'new.txt', 'gone.txt'].map((path) => later.base.hasMoved(path, never));
    expect(await Promise.all(moved)).toEqual([true, true, true]);
  });
});

describe('names', () => {
  const placed = async (root: LayeredRoot, path: string): Promise<string> => {
    const guarded = [{ root, shownPath: '/agent/proj', places: ['/agent/proj'] }];
    return (await resolvePath(guarded, path, { keepLastLink: false }, never)).path;
  };

  test('that differ in case or in how an accent is written are one file where the system says so', async () => {
    const { root } = open({ 'Src/Read\u00e9.md': 'r\n' }, true);
    expect(await placed(root, 'src/reade\u0301.MD')).toBe('Src/Read\u00e9.md');
    expect(await placed(root, 'SRC/New.md')).toBe('Src/New.md');
    await root.write('Src/New.md', bytes('n\n'), never);
    expect(await placed(root, 'src/new.MD')).toBe('Src/New.md');
  });

  test('are two files elsewhere, each with the bytes of its own name', async () => {
    const { root } = open({ 'caf\u00e9.txt': 'composed\n', 'A.txt': 'A\n' });
    for (const [path, content] of [
      ['cafe\u0301.txt', 'decomposed\n'],
      ['a.txt', 'a\n'],
    ] as const) {
      expect(await placed(root, path)).toBe(path);
      await root.write(path, bytes(content), never);
    }
    expect([...(await stored(root)).keys()].toSorted()).toEqual(['a.txt', 'cafe\u0301.txt']);
    expect(text((await root.read('caf\u00e9.txt', never)) ?? bytes(''))).toBe('composed\n');
  });
});
