// What a review never does, whatever happens around it.
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { LiveFiles } from '../../../../src/core/ports/review';
import { createDiskFiles } from '../../../../src/workspace/review/disk-files';
import { fill, fingerprint, git, never, tempFolder } from '../temp-project';
import { asRead, file, filesWith, readTree, review, reviewOf, target } from './review-bench';

const outcome = async (
  asked: Promise<readonly { readonly outcome: string; readonly detail: string }[]>,
): Promise<readonly string[]> => (await asked).map((each) => `${each.outcome}: ${each.detail}`);

describe('a link', () => {
  test('in the place of the project itself is refused, also after a restart', async () => {
    const { session, project, reopen } = review(
      { 'a.txt': file('a\n'), 'b.txt': file('b\n') },
      { 'a.txt': file('A\n'), 'b.txt': file('B\n') },
    );
    await session.accept([target('a.txt')], never);
    const outside = tempFolder();
    fill(outside, { 'a.txt': 'A\n', 'b.txt': 'b\n' });
    const kept = `${project}.kept`;
    renameSync(project, kept);
    symlinkSync(outside, project);
    const refused = `failed: ${project} led to ${project} when the review began and leads to ${outside} by now. Put the folder back in its place, then try again.`;
    expect(await outcome(session.accept([target('b.txt')], never))).toEqual([refused]);
    expect(await outcome(reopen().accept([target('b.txt')], never))).toEqual([refused]);
    expect(await outcome(reopen().undo(undefined, never))).toEqual([refused]);
    expect(readTree(outside)).toEqual({ 'a.txt': '644 A\n', 'b.txt': '644 b\n' });
    rmSync(project);
    renameSync(kept, project);
    expect(await outcome(session.accept([target('b.txt')], never))).toEqual(['done: ']);
  });

  test('that is put in the way over and over while files are written leads nowhere', async () => {
    const outside = tempFolder();
    fill(outside, { 'f0.txt': 'old\n' });
    const before = fingerprint(outside);
    const old = { 'src/f0.txt': file('old\n'), 'src/other.txt': file('other\n') };
    for (let round = 0; round < 40; round++) {
      const { project, reopen } = review(old, {
        'src/f0.txt': file('new\n'),
        'src/added.txt': file('added\n'),
      });
      const src = join(project, 'src');
      let calls = 0;
      // Swaps the folder for a link and back at every other look at the disk, beginning at another one each time.
      const swap = (): void => {
        calls++;
        if (calls % 2 === round % 2 && !existsSync(`${src}.kept`)) {
          renameSync(src, `${src}.kept`);
          symlinkSync(outside, src);
        } else if (existsSync(`${src}.kept`) && calls > round % 7) {
          rmSync(src);
          renameSync(`${src}.kept`, src);
        }
      };
      const swapping = (disk: LiveFiles): LiveFiles => ({
        read: async (...all) => (swap(), disk.read(...all)),
        write: async (...all) => (swap(), disk.write(...all)),
        remove: async (...all) => (swap(), disk.remove(...all)),
        within: (bounds) => swapping(disk.within?.(bounds) ?? disk),
      });
      await reopen(swapping(createDiskFiles())).accept(undefined, never);
      expect(fingerprint(outside)).toEqual(before);
    }
  });

  test('[E-34] that leads out is not followed at a write, also when it comes at the last moment', async () => {
    const outside = tempFolder();
    fill(outside, { 'a.txt': 'a\n' });
    const { project } = review({ 'src/a.txt': file('a\n') }, {});
    const bound = createDiskFiles({ path: project, real: project });
    const before = await bound.read(join(project, 'src/a.txt'), never);
    renameSync(join(project, 'src'), join(project, 'kept'));
    symlinkSync(outside, join(project, 'src'));
    const content = { bytes: Buffer.from('A\n'), mode: 0o644 };
    for (const path of ['src/a.txt', 'src/new.txt']) {
      const expected = path === 'src/a.txt' ? before?.token : undefined;
      await expect(bound.write(join(project, path), content, expected, never)).rejects.toThrow(
        'On the way to the file something became a link',
      );
    }
    await expect(
      bound.remove(join(project, 'src/a.txt'), before?.token ?? '', [], never),
    ).rejects.toThrow('On the way to the file something became a link');
    expect(readTree(outside)).toEqual({ 'a.txt': '644 a\n' });
  });

  test('[E-33] inside the project stays a link, and the file it leads to is edited by its own name', async () => {
    const { session, project } = review(
      {
        'shared/real.go': file('a\n'),
        'alias.go': { link: 'shared/real.go' },
        lib: { link: 'shared' },
      },
      {
        'shared/real.go': file('A\n'),
        'alias.go': { link: 'shared/real.go' },
        lib: { link: 'shared' },
      },
    );
    expect(session.subject.files.map(({ path }) => path)).toEqual(['shared/real.go']);
    await session.accept(undefined, never);
    expect(readlinkSync(join(project, 'alias.go'))).toBe('shared/real.go');
    expect(readFileSync(join(project, 'alias.go'), 'utf8')).toBe('A\n');
  });
});

describe('a file that', () => {
  test('is read-only is not replaced, and can be accepted once it is writable', async () => {
    const { session, project } = review(
      { 'a.txt': file('a\n', 0o444) },
      { 'a.txt': file('A\n', 0o444) },
    );
    expect(await outcome(session.accept(undefined, never))).toEqual([
      'failed: The file is read-only. Make it writable, then try again.',
    ]);
    expect(readTree(project)).toEqual({ 'a.txt': '444 a\n' });
    chmodSync(join(project, 'a.txt'), 0o644);
    expect(await outcome(session.accept(undefined, never))).toEqual(['done: ']);
    expect(readTree(project)).toEqual({ 'a.txt': '644 A\n' });
  });

  test('became read-only by being accepted can be taken back', async () => {
    const { session, project } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n', 0o444) });
    await session.accept(undefined, never);
    expect(readTree(project)).toEqual({ 'a.txt': '444 A\n' });
    expect(await outcome(session.undo(undefined, never))).toEqual(['done: ']);
    expect(readTree(project)).toEqual({ 'a.txt': '644 a\n' });
  });

  test('has several names on the disk is changed under all of them, and that is said', async () => {
    const { session, project } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n') });
    linkSync(join(project, 'a.txt'), join(project, 'b.txt'));
    expect(await outcome(session.accept(undefined, never))).toEqual([
      'done: The file has 2 names on the disk; it was changed in place, under all of them.',
    ]);
    expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe('A\n');
  });

  test('is new gives way to nothing but an empty folder, which comes back', async () => {
    const { session, project } = review({}, { 'a.txt': file('A\n'), 'b.txt': file('B\n') });
    mkdirSync(join(project, 'a.txt'));
    fill(project, { 'b.txt/mine.txt': 'mine\n' });
    expect(await outcome(session.accept(undefined, never))).toEqual([
      'done: ',
      'conflict: A folder stands in this place.',
    ]);
    expect(readTree(project)).toEqual({ 'a.txt': '644 A\n', 'b.txt/mine.txt': '644 mine\n' });
    await session.undo(undefined, never);
    expect(readTree(project)).toEqual({ 'a.txt': 'folder', 'b.txt/mine.txt': '644 mine\n' });
  });

  test('[E-17] is new leaves neither a file nor a folder behind when it is taken back', async () => {
    const { session, project } = review(
      {},
      { 'x/y/new.txt': file('n\n'), 'x/other.txt': file('o\n') },
    );
    await session.accept(undefined, never);
    await session.undo([target('x/y/new.txt')], never);
    expect(existsSync(join(project, 'x/y'))).toBe(false);
    await session.undo([target('x/other.txt')], never);
    expect(readdirSync(project)).toEqual([]);
  });

  test('[E-38] is binary is one item, with the same bytes after accepting and after undoing', async () => {
    const png = new Uint8Array([
      137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 1, 2, 3, 4,
    ]);
    const other = png.map((byte) => byte ^ 1);
    const { session, project } = review({ 'a.png': file(png) }, { 'a.png': file(other) });
    const shown = await session.versions(target('a.png'), never);
    expect([shown.hunks, shown.mergedWithMarkers]).toEqual([[], undefined]);
    await session.accept(undefined, never);
    expect(readFileSync(join(project, 'a.png'))).toEqual(Buffer.from(other));
    await session.undo(undefined, never);
    expect(readFileSync(join(project, 'a.png'))).toEqual(Buffer.from(png));
  });

  test('[E-37] only changes its permissions is one item, and an edited script stays executable', async () => {
    const { session, project } = review(
      { 'run.sh': file('#!/bin/sh\necho a\n', 0o755), 'mode.sh': file('x\n') },
      { 'run.sh': file('#!/bin/sh\necho b\n', 0o755), 'mode.sh': file('x\n', 0o755) },
    );
    await session.accept(undefined, never);
    expect(readTree(project)).toEqual({
      'mode.sh': '755 x\n',
      'run.sh': '755 #!/bin/sh\necho b\n',
    });
  });

  test('became an empty folder of the user’s is a conflict, and the folder stays', async () => {
    const { session, project } = review(
      { a: file(new Uint8Array([0, 1])) },
      { a: file(new Uint8Array([0, 2])) },
    );
    rmSync(join(project, 'a'));
    mkdirSync(join(project, 'a'));
    const [result] = await session.accept(undefined, never);
    expect(result?.outcome).toBe('conflict');
    expect(readTree(project)).toEqual({ a: 'folder' });
  });

  test('keeps its permissions until the last of its parts is in it', async () => {
    const lines = Array.from({ length: 12 }, (_, n) => `${n}\n`);
    const changed = lines.map((line, n) => (n === 1 || n === 10 ? `new ${line}` : line));
    const { session, project } = review(
      { a: file(lines.join('')) },
      { a: file(changed.join(''), 0o755) },
    );
    const place = join(project, 'a');
    writeFileSync(place, lines.map((line, n) => (n === 1 ? 'mine\n' : line)).join(''));
    expect((await session.accept(undefined, never))[0]?.outcome).toBe('conflict');
    expect(readFileSync(place, 'utf8')).toContain('new 10\n');
    expect(lstatSync(place).mode & 0o777).toBe(0o644);
  });

  test('moves to no second name of its own that the user gave it', async () => {
    const { session, project } = reviewOf(
      { 'old.txt': file('a\nb\nc\nd\n') },
      { 'new.txt': file('a\nb\nc\nD\n') },
      { moves: { 'new.txt': 'old.txt' } },
    );
    linkSync(join(project, 'old.txt'), join(project, 'new.txt'));
    const before = readTree(project);
    expect((await session.accept(undefined, never))[0]?.outcome).toBe('conflict');
    expect(readTree(project)).toEqual(before);
  });

  test('is written once the bytes that it replaces are safe', async () => {
    const { store, reopen } = review({ a: file('a\n') }, { a: file('A\n') });
    const disk = createDiskFiles();
    const calls: string[] = [];
    const sync = store.sync.bind(store);
    vi.spyOn(store, 'sync').mockImplementation(() => {
      calls.push('sync');
      sync();
    });
    const live = filesWith({
      write: async (...all) => {
        calls.push('write');
        return disk.write(...all);
      },
    });
    await reopen(live).accept(undefined, never);
    expect(calls).toEqual(['sync', 'write']);
  });

  test('is named like a pipe that stands there is left alone', async () => {
    const { session, project } = review({}, { pipe: file('A\n') });
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(project, 'pipe')]);
    expect(await outcome(session.accept(undefined, never))).toEqual([
      'conflict: Something that is no regular file stands in this place.',
    ]);
    expect(lstatSync(join(project, 'pipe')).isFIFO()).toBe(true);
  });
});

describe('a disk that refuses', () => {
  test.each(['EACCES', 'ENOSPC', 'EROFS', 'EIO'])(
    'with %s at any step loses nothing, says so, and can be tried again',
    async (code) => {
      for (const failAt of [0, 1, 2]) {
        const base = {
          'a.txt': file('a\n'),
          'gone.txt': file('gone\n'),
          'old.txt': file('same\n'),
        };
        const proposed = { 'a.txt': file('A\n'), 'new.txt': file('same\n'), 'n.txt': file('n\n') };
        const { project, reopen } = reviewOf(base, proposed, { moves: { 'new.txt': 'old.txt' } });
        let calls = 0;
        const refuse = <T>(work: () => T): T => {
          if (calls++ === failAt) {
            throw Object.assign(new Error(`${code}: no`), { code });
          }
          return work();
        };
        const disk = createDiskFiles();
        const refusing = filesWith({
          write: async (...all) => refuse(async () => disk.write(...all)),
          remove: async (...all) => refuse(async () => disk.remove(...all)),
        });
        const results = await reopen(refusing).accept(undefined, never);
        expect(results.filter((each) => each.outcome === 'failed').length).toBe(1);
        expect(results.find((each) => each.outcome === 'failed')?.detail).toMatch(`(${code})`);
        const lost = Object.keys(asRead(base)).filter(
          (path) => !Object.values(readTree(project)).includes(asRead(base)[path] ?? ''),
        );
        expect(lost.every((path) => path === 'a.txt' || path === 'gone.txt')).toBe(true);
        await reopen().accept(undefined, never);
        expect(readTree(project)).toEqual(asRead(proposed));
        await reopen().undo(undefined, never);
        expect(readTree(project)).toEqual(asRead(base));
      }
    },
  );
});

describe('git', () => {
  test('[E-01] [E-03] [E-04] and everything that is no part of the review stay untouched by accept and undo', async () => {
    const { session, project } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n') });
    git(project, 'init', '-q');
    git(project, 'add', 'a.txt');
    git(project, 'commit', '-qm', 'one');
    fill(project, { '.gitignore': 'data/\n', 'data/big.bin': 'kept', 'untracked.txt': 'mine\n' });
    mkdirSync(join(project, 'vendor/x'), { recursive: true });
    git(join(project, 'vendor/x'), 'init', '-q');
    const others = (): readonly string[] =>
      fingerprint(project).filter((line) => !line.startsWith('a.txt '));
    const before = others();
    await session.accept(undefined, never);
    await session.undo(undefined, never);
    await session.reject(undefined);
    expect(others()).toEqual(before);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('a\n');
  });
});

describe('a second name of one file', () => {
  /** A disk that takes names of other case for the same. */
  const caseless = (project: string): LiveFiles => {
    const disk = createDiskFiles();
    const actual = (path: string): string => {
      const name = path.slice(project.length + 1).toLowerCase();
      const found = readdirSync(project).find((each) => each.toLowerCase() === name);
      return found === undefined ? path : join(project, found);
    };
    return {
      read: async (path, signal) => disk.read(actual(path), signal),
      write: async (path, ...rest) => disk.write(actual(path), ...rest),
      remove: async (path, ...rest) => disk.remove(actual(path), ...rest),
      rename: async (from, to, expected, signal) =>
        disk.rename?.(actual(from), to, expected, signal) ?? 'changed',
    };
  };

  test('is renamed and edited where case makes no difference, and goes back', async () => {
    const { project, reopen } = reviewOf(
      { 'readme.md': file('a\nb\n') },
      { 'README.md': file('a\nB\n') },
      { moves: { 'README.md': 'readme.md' } },
    );
    const files = caseless(project);
    expect(await outcome(reopen(files).accept(undefined, never))).toEqual(['done: ']);
    expect(readTree(project)).toEqual({ 'README.md': '644 a\nB\n' });
    expect(await outcome(reopen(files).undo(undefined, never))).toEqual(['done: ']);
    expect(readTree(project)).toEqual({ 'readme.md': '644 a\nb\n' });
  });

  test('is not taken by another new file', async () => {
    const { project, reopen } = review({}, { 'A.txt': file('big\n'), 'a.txt': file('small\n') });
    const results = await outcome(reopen(caseless(project)).accept(undefined, never));
    expect(results).toEqual([
      'done: ',
      'conflict: The proposal adds this file, but one with the same name exists by now.',
    ]);
    expect(readTree(project)).toEqual({ 'A.txt': '644 big\n' });
  });
});

test('[E-35] a journal that was tampered with leads nowhere', async () => {
  const { session, dir, project, reopen } = review(
    { 'a.txt': file('a\n') },
    { 'a.txt': file('A\n') },
  );
  await session.accept(undefined, never);
  const folder = join(dir, 'run-1');
  const journal = join(
    folder,
    readdirSync(folder).find((name) => name.startsWith('review-')) ?? '',
  );
  const evil = readFileSync(journal, 'utf8').replaceAll('"a.txt"', '"../evil.txt"');
  writeFileSync(journal, evil);
  await reopen().undo([{ root: 'proj', path: '../evil.txt' }], never);
  expect(existsSync(join(project, '../evil.txt'))).toBe(false);
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('A\n');
});
