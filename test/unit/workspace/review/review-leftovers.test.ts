// What an interrupted write leaves behind, and what only looks like it.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
} from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LiveFiles } from '../../../../src/core/ports/review';
import { createDiskFiles } from '../../../../src/workspace/review/disk-files';
import { never } from '../temp-project';
import { file, filesWith, readTree, review, reviewOf, target } from './review-bench';

/** Files whose writes fail, after `act`. */
function failing(act: (path: string) => void = () => undefined): LiveFiles {
  return filesWith({
    write: async (path) => {
      act(path);
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    },
  });
}

describe('after a write that failed', () => {
  test('a beginning of the new text that the user left in the file is theirs', async () => {
    for (const rest of ['', 'ONE\n']) {
      for (const act of ['accept', 'reject', 'undo'] as const) {
        const { project, reopen } = review(
          { 'a.txt': file('one\ntwo\nthree\n') },
          { 'a.txt': file('ONE\ntwo\nthree\nfour\n') },
        );
        await reopen(failing()).accept(undefined, never);
        writeFileSync(join(project, 'a.txt'), rest);
        const session = reopen();
        await (act === 'reject'
          ? session.reject([target('a.txt')])
          : session[act](undefined, never));
        expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(rest);
      }
    }
  });

  test('what was written before the process ended is known, whatever the user wrote after it', async () => {
    const lines = Array.from({ length: 9 }, (_, n) => `${n}\n`).join('');
    const { project, reopen } = review({ a: file(lines) }, { a: file(`first\nmore\n${lines}`) });
    const disk = createDiskFiles();
    const killed = filesWith({
      write: async (...all) => {
        await disk.write(...all);
        throw new Error('killed');
      },
    });
    await reopen(killed).accept(undefined, never);
    appendFileSync(join(project, 'a'), 'mine\n');
    const session = reopen();
    const { hunks } = await session.versions(target('a'), never);
    expect(hunks.map(({ decision }) => decision)).toEqual(['accepted']);
    expect((await session.undo(undefined, never))[0]?.outcome).toBe('done');
    expect(readFileSync(join(project, 'a'), 'utf8')).toBe(`${lines}mine\n`);
  });

  test('a temporary file of a process that is gone is removed, and no other', async () => {
    const gone = spawnSync(process.execPath, ['--version']).pid;
    const { project, reopen } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n') });
    const name = (pid: number): string => `.massgen-${pid}-0123456789ab.tmp`;
    const mine = ['.massgen-notes.tmp', name(process.pid)];
    mine.forEach((each) => writeFileSync(join(project, each), 'mine'));
    // The process was killed between giving the file its name and taking the other one away.
    await reopen(failing((path) => linkSync(path, join(project, name(gone))))).accept(
      undefined,
      never,
    );
    const [result] = await reopen().accept(undefined, never);
    expect(result).toMatchObject({ outcome: 'done', detail: '' });
    expect(readdirSync(project).sort()).toEqual([...mine, 'a.txt'].sort());
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('A\n');
  });

  test('folders that were to go with their last file go at the next decision', async () => {
    for (const act of ['accept', 'undo'] as const) {
      const [base, proposed] = [{ 'old/deep/a.txt': file('a\n') }, { 'b.txt': file('b\n') }];
      const { project, reopen } =
        act === 'accept' ? review(base, proposed) : review(proposed, base);
      if (act === 'undo') {
        await reopen().accept(undefined, never);
      }
      // The process was killed between taking the file away and taking its folders away.
      const killed = filesWith({
        remove: async (path) => {
          rmSync(path);
          throw new Error('killed');
        },
      });
      await reopen(killed)[act](undefined, never);
      expect(readTree(project)['old/deep']).toBe('folder');
      await reopen()[act](undefined, never);
      expect(readTree(project)).toEqual({ 'b.txt': '644 b\n' });
    }
  });

  test('[E-35] a journal that names folders elsewhere has none of them removed', async () => {
    const { project, dir, reopen } = review({}, { 'new/deep/a.txt': file('a\n') });
    const elsewhere = join(project, '..', 'elsewhere');
    mkdirSync(elsewhere);
    await reopen(failing()).accept(undefined, never);
    const folder = join(dir, 'run-1');
    const journal = join(folder, readdirSync(folder).find((each) => each.endsWith('.jsonl')) ?? '');
    const text = readFileSync(journal, 'utf8');
    const evil = JSON.stringify(`${project}/../elsewhere`);
    writeFileSync(journal, text.replace('"folders":[', `"folders":[${evil},`));
    await reopen().reject(undefined);
    expect(readFileSync(journal, 'utf8')).toContain(evil);
    expect(existsSync(elsewhere)).toBe(true);
  });
});

test('what the user writes at both ends of a move while it is made stays', async () => {
  const { project, reopen } = reviewOf(
    { 'old.txt': file('a\nb\nc\nd\n') },
    { 'new.txt': file('a\nb\nc\nD\n') },
    { moves: { 'new.txt': 'old.txt' } },
  );
  const disk = createDiskFiles();
  let isEdited = false;
  const live = filesWith({
    write: async (...all) => {
      const outcome = await disk.write(...all);
      if (!isEdited) {
        isEdited = true;
        writeFileSync(join(project, 'old.txt'), 'mine in the old place\n');
        writeFileSync(join(project, 'new.txt'), 'mine in the new place\n');
      }
      return outcome;
    },
  });
  await reopen(live).accept(undefined, never);
  expect(Object.values(readTree(project)).join('')).toContain('mine in the old place');
  expect(Object.values(readTree(project)).join('')).toContain('mine in the new place');
});

test('a move that makes room comes before the file that takes it', async () => {
  const { project, session } = reviewOf(
    { 'a/b.txt': file('1\n2\n3\n4\n') },
    { a: file('a\n'), 'x/b.txt': file('1\n2\n3\nfour\n') },
    { moves: { 'x/b.txt': 'a/b.txt' } },
  );
  const results = await session.accept(undefined, never);
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  expect(readTree(project)).toEqual({ a: '644 a\n', 'x/b.txt': '644 1\n2\n3\nfour\n' });
  await session.undo(undefined, never);
  expect(readTree(project)).toEqual({ 'a/b.txt': '644 1\n2\n3\n4\n' });
});
