import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LiveFiles, ReviewResult } from '../../../../src/core/ports/review';
import { createReviewSession } from '../../../../src/workspace/review/review-session';
import { createDiskFiles } from '../../../../src/workspace/review/disk-files';
import { fill, fingerprint, git, never, startRun, tempFolder, text } from '../temp-project';
import { asRead, file, filesWith, readTree, review, target } from './review-bench';

const outcomes = (results: readonly ReviewResult[]): readonly string[] =>
  results.map((result) => `${result.path} ${result.outcome}`);

describe('accepting', () => {
  const base = {
    'a.txt': file('one\r\ntwo\r\nthree'),
    'gone.bin': file(new Uint8Array([0, 1, 2]), 0o600),
    'run.sh': file('#!/bin/sh\n', 0o755),
    link: { link: 'a.txt' },
    room: file('becomes a folder\n'),
    'plan/a/deep.md': file('becomes a file\n'),
    'plan/b.md': file('too\n'),
    'old/x.txt': file('becomes a link\n'),
    lib: { link: 'src' },
    'src/x.txt': file('x\n'),
  };
  const proposed = {
    'a.txt': file('one\r\nTWO\r\nthree'),
    'new/deep/b.txt': file('b\n'),
    'run.sh': file('#!/bin/sh\n', 0o644),
    link: { link: 'run.sh' },
    'room/c.txt': file('c\n'),
    plan: file('one page\n'),
    old: { link: 'src' },
    'lib/x.txt': file('other\n'),
    'src/x.txt': file('x\n'),
  };

  test('everything on an unchanged project gives the proposal byte for byte', async () => {
    const { session, project, events } = review(base, proposed);
    const results = await session.accept(undefined, never);
    expect(readTree(project)).toEqual(asRead(proposed));
    expect(results.every((result) => result.outcome === 'done')).toBe(true);
    expect(events.map((event) => `${event.path} ${event.decision}`)).toEqual([
      'lib accepted',
      'old/x.txt accepted',
      'plan/a/deep.md accepted',
      'plan/b.md accepted',
      'room accepted',
      'a.txt accepted',
      'lib/x.txt accepted',
      'new/deep/b.txt accepted',
      'plan accepted',
      'room/c.txt accepted',
      'run.sh accepted',
      'link accepted',
      'old accepted',
      'gone.bin accepted',
    ]);
  });

  test('and undoing gives the project byte for byte, folders we made included', async () => {
    const { session, project, reopen } = review(base, proposed);
    const before = readTree(project);
    await session.accept(undefined, never);
    const undone = await reopen().undo(undefined, never);
    expect(undone.every((result) => result.outcome === 'done')).toBe(true);
    expect(readTree(project)).toEqual(before);
    expect(existsSync(join(project, 'new'))).toBe(false);
    expect(lstatSync(join(project, 'room')).isFile()).toBe(true);
  });

  test('leaves files that need a second look alone unless they are named', async () => {
    const { session, project } = review(
      { 'a.txt': file('a\n') },
      { 'a.txt': file('A\n'), '.vscode/settings.json': file('{}\n') },
      { '.vscode/settings.json': { caution: 'sensitive' } },
    );
    expect(outcomes(await session.accept(undefined, never))).toEqual(['a.txt done']);
    expect(existsSync(join(project, '.vscode'))).toBe(false);
    const named = await session.accept([target('.vscode/settings.json')], never);
    expect(outcomes(named)).toEqual(['.vscode/settings.json done']);
  });

  test('twice changes nothing the second time', async () => {
    const { session, project, events } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n') });
    await session.accept(undefined, never);
    writeFileSync(join(project, 'a.txt'), 'mine\n');
    expect(outcomes(await session.accept([target('a.txt')], never))).toEqual(['a.txt done']);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('mine\n');
    expect(events.length).toBe(1);
  });

  test('is taken back by an undo of all that was asked for while it went on', async () => {
    const { session, project } = review(base, proposed);
    const [accepted, undone] = await Promise.all([
      session.accept(undefined, never),
      session.undo(undefined, never),
    ]);
    expect(accepted.every(({ outcome }) => outcome === 'done')).toBe(true);
    expect(outcomes(undone)).toHaveLength(accepted.length);
    expect(readTree(project)).toEqual(asRead(base));
  });

  test('keeps several names of one file together', async () => {
    const { session, project } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n') });
    linkSync(join(project, 'a.txt'), join(project, 'other.txt'));
    await session.accept(undefined, never);
    expect(readFileSync(join(project, 'other.txt'), 'utf8')).toBe('A\n');
    expect(lstatSync(join(project, 'a.txt')).nlink).toBe(2);
  });

  test('a file of several names after a crash in the middle of it completes or undoes the whole', async () => {
    const whole = 'one\ntwo\nthree\nfour\n';
    for (const rest of ['', 'ONE\n', 'ONE\ntwo\n']) {
      for (const act of ['accept', 'undo'] as const) {
        const { project, reopen } = review(
          { 'a.txt': file(whole) },
          { 'a.txt': file(whole.replace('one', 'ONE')) },
        );
        linkSync(join(project, 'a.txt'), join(project, 'b.txt'));
        const crashing: LiveFiles = {
          ...filesWith({}),
          write: async (path) => {
            writeFileSync(path, rest);
            throw new Error('killed');
          },
        };
        await reopen(crashing).accept(undefined, never);
        const results = await reopen()[act](undefined, never);
        expect(outcomes(results)).toEqual(['a.txt done']);
        expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe(
          act === 'accept' ? whole.replace('one', 'ONE') : whole,
        );
      }
    }
  });

  test('answers for each file asked for, the unknown ones included', async () => {
    const { session } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n') });
    const asked = [target('nope'), target('../a.txt'), target('a.txt')];
    expect(outcomes(await session.accept(asked, never))).toEqual([
      'nope failed',
      '../a.txt failed',
      'a.txt done',
    ]);
  });

  test('stops between files when asked to', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    const { session, project } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n') });
    expect(outcomes(await session.accept(undefined, stopped))).toEqual(['a.txt skipped']);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('a\n');
  });
});

describe('a file that changed meanwhile', () => {
  const lines = 'one\ntwo\nthree\nfour\nfive\n';
  const proposal = { 'a.txt': file(lines.replace('five', 'FIVE')) };

  test('is merged where the edits do not meet, and Undo keeps the user’s edit', async () => {
    const { session, project } = review({ 'a.txt': file(lines) }, proposal);
    writeFileSync(join(project, 'a.txt'), lines.replace('one', 'user'));
    expect(text((await session.versions(target('a.txt'), never)).merged ?? new Uint8Array())).toBe(
      'user\ntwo\nthree\nfour\nFIVE\n',
    );
    await session.accept(undefined, never);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('user\ntwo\nthree\nfour\nFIVE\n');
    writeFileSync(join(project, 'a.txt'), 'user\ntwo\nmore\nthree\nfour\nFIVE\n');
    await session.undo(undefined, never);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(
      'user\ntwo\nmore\nthree\nfour\nfive\n',
    );
  });

  test('P3: keeps what the user wrote meanwhile, names the file, and takes the others', async () => {
    const { session, project, events } = review(
      { 'a.txt': file(lines), 'b.txt': file('b\n') },
      { ...proposal, 'b.txt': file('B\n') },
    );
    const mine = lines.replace('five', 'mine');
    writeFileSync(join(project, 'a.txt'), mine);
    expect(outcomes(await session.accept(undefined, never)).toSorted()).toEqual([
      'a.txt conflict',
      'b.txt done',
    ]);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(mine);
    expect(readFileSync(join(project, 'b.txt'), 'utf8')).toBe('B\n');
    expect(events.map(({ path, decision }) => [path, decision]).toSorted()).toEqual([
      ['a.txt', 'conflict'],
      ['b.txt', 'accepted'],
    ]);
  });

  test('is a conflict where they meet, and nothing is written', async () => {
    const { session, project, events } = review({ 'a.txt': file(lines) }, proposal);
    const mine = lines.replace('five', 'mine');
    writeFileSync(join(project, 'a.txt'), mine);
    expect(outcomes(await session.accept(undefined, never))).toEqual(['a.txt conflict']);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe(mine);
    expect(events).toEqual([
      {
        type: 'file-decided',
        root: 'proj',
        path: 'a.txt',
        decision: 'conflict',
        detail: 'Your edits and the proposal change the same lines (5).',
      },
    ]);
    const shown = await session.versions(target('a.txt'), never);
    expect([shown.isConflict, shown.merged, shown.mergedWithMarkers]).toEqual([
      true,
      undefined,
      'one\ntwo\nthree\nfour\n<<<<<<< your file\nmine\n=======\nFIVE\n>>>>>>> agent1.1\n',
    ]);
  });

  test('can be settled by hand, and that can be undone', async () => {
    const { session, project } = review({ 'a.txt': file(lines) }, proposal);
    writeFileSync(join(project, 'a.txt'), 'mine\n');
    await session.versions(target('a.txt'), never);
    expect((await session.resolve(target('a.txt'), Buffer.from('both\n'), never)).outcome).toBe(
      'done',
    );
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('both\n');
    await session.undo(undefined, never);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('mine\n');
  });

  test('is not overwritten by a settlement made for an older text', async () => {
    const { session, project } = review({ 'a.txt': file(lines) }, proposal);
    writeFileSync(join(project, 'a.txt'), 'mine\n');
    await session.versions(target('a.txt'), never);
    writeFileSync(join(project, 'a.txt'), 'mine, later\n');
    const result = await session.resolve(target('a.txt'), Buffer.from('both\n'), never);
    expect(result.outcome).toBe('conflict');
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('mine, later\n');
  });

  test('is a conflict when it is gone, taken, binary, or to be deleted', async () => {
    const { session, project } = review(
      {
        'gone.txt': file('a\n'),
        'image.png': file(new Uint8Array([0, 1])),
        'edited.txt': file('a\n'),
        'folder.txt': file('a\n'),
      },
      {
        'gone.txt': file('A\n'),
        'image.png': file(new Uint8Array([0, 2])),
        'taken.txt': file('theirs\n'),
        'folder.txt': file('A\n'),
      },
    );
    unlinkSync(join(project, 'gone.txt'));
    writeFileSync(join(project, 'image.png'), new Uint8Array([0, 3]));
    writeFileSync(join(project, 'taken.txt'), 'mine\n');
    writeFileSync(join(project, 'edited.txt'), 'mine\n');
    rmSync(join(project, 'folder.txt'));
    mkdirSync(join(project, 'folder.txt'));
    const before = fingerprint(project);
    expect(outcomes(await session.accept(undefined, never))).toEqual([
      'edited.txt conflict',
      'folder.txt conflict',
      'gone.txt conflict',
      'image.png conflict',
      'taken.txt conflict',
    ]);
    expect(fingerprint(project)).toEqual(before);
  });

  test('that already is as proposed counts as accepted, and Undo leaves it', async () => {
    const { session, project } = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n') });
    writeFileSync(join(project, 'a.txt'), 'A\n');
    expect(outcomes(await session.accept(undefined, never))).toEqual(['a.txt done']);
    await session.undo(undefined, never);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('A\n');
  });

  test('between the look and the write is looked at again', async () => {
    const { reopen, project } = review({ 'a.txt': file(lines) }, proposal);
    const disk = filesWith({});
    let edits = 0;
    const session = reopen({
      ...disk,
      write: async (path, content, expected, signal) => {
        if (edits++ === 0) {
          writeFileSync(path, lines.replace('one', 'user'));
        }
        return disk.write(path, content, expected, signal);
      },
    });
    await session.accept(undefined, never);
    expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('user\ntwo\nthree\nfour\nFIVE\n');
  });
});

describe('a file is never written', () => {
  test('through a folder that became a link leading out', async () => {
    const outside = tempFolder();
    fill(outside, { 'a.txt': 'outside\n' });
    const { session, project } = review({ 'src/a.txt': file('a\n') }, { 'src/a.txt': file('A\n') });
    renameSync(join(project, 'src'), join(project, 'kept'));
    symlinkSync(outside, join(project, 'src'));
    const [result] = await session.accept(undefined, never);
    expect([result?.outcome, result?.detail]).toEqual([
      'failed',
      `${join(project, 'src')} is a link that leads to ${outside}, outside the folder.`,
    ]);
    expect(readTree(outside)).toEqual({ 'a.txt': '644 outside\n' });
  });

  test('when that happens between the look and the write', async () => {
    const outside = tempFolder();
    fill(outside, { 'a.txt': 'a\n' });
    const { reopen, project } = review({ 'src/a.txt': file('a\n') }, { 'src/a.txt': file('A\n') });
    const disk = filesWith({});
    const session = reopen({
      ...disk,
      read: async (path, signal) => {
        const answer = await disk.read(path, signal);
        renameSync(join(project, 'src'), join(project, 'kept'));
        symlinkSync(outside, join(project, 'src'));
        return answer;
      },
    });
    expect(outcomes(await session.accept(undefined, never))).toEqual(['src/a.txt failed']);
    expect(readTree(outside)).toEqual({ 'a.txt': '644 a\n' });
  });

  test('below .git, nor as a link that leads out', async () => {
    const { session, project } = review(
      {},
      { '.git/hooks/post-commit': file('x'), out: { link: '/etc' }, up: { link: '../..' } },
    );
    const results = await session.accept(undefined, never);
    expect(outcomes(results)).toEqual(['.git/hooks/post-commit failed', 'out failed', 'up failed']);
    expect(readTree(project)).toEqual({});
  });
});

describe('decisions', () => {
  test('survive a restart', async () => {
    const { session, reopen, project } = review(
      { 'a.txt': file('a\n'), 'b.txt': file('b\n'), 'c.txt': file('c\n') },
      { 'a.txt': file('A\n'), 'b.txt': file('B\n'), 'c.txt': file('C\n') },
    );
    await session.accept([target('a.txt')], never);
    await session.reject([target('b.txt')]);
    const later = reopen();
    expect(outcomes(await later.accept(undefined, never))).toEqual(['c.txt done']);
    expect(readTree(project)).toEqual({
      'a.txt': '644 A\n',
      'b.txt': '644 b\n',
      'c.txt': '644 C\n',
    });
    expect(outcomes(await later.undo(undefined, never))).toEqual(['a.txt done', 'c.txt done']);
  });

  test('of another window are known, so that what was replaced first can be taken back', async () => {
    const { session, reopen, project } = review(
      { 'a.txt': file('a\n'), 'b.txt': file('b\n') },
      { 'a.txt': file('A\n'), 'b.txt': file('B\n') },
    );
    const other = reopen();
    await session.accept([target('a.txt')], never);
    await session.reject([target('b.txt')]);
    expect(outcomes(await other.accept(undefined, never))).toEqual([]);
    expect(outcomes(await other.accept([target('a.txt')], never))).toEqual(['a.txt done']);
    expect(outcomes(await other.undo(undefined, never))).toEqual(['a.txt done']);
    expect(readTree(project)).toEqual({ 'a.txt': '644 a\n', 'b.txt': '644 b\n' });
    expect(outcomes(await session.undo(undefined, never))).toEqual([]);
  });

  test('that the run could not record are told as done, and recorded by the next try', async () => {
    const { session, project, store, dir } = review({}, { 'a.txt': file('a\n') });
    let isLocked = true;
    const recorded: string[] = [];
    const locked = createReviewSession({
      subject: session.subject,
      store,
      live: createDiskFiles(),
      journalDir: join(dir, 'run-1'),
      onDecision: (event) => {
        if (isLocked) {
          throw new Error('another window writes it');
        }
        recorded.push(event.type === 'file-decided' ? event.decision : event.type);
      },
    });
    const [first] = await locked.accept(undefined, never);
    expect(first?.detail).toBe(
      'Done, but the run could not record it: another window writes it. Try again: only the record is missing.',
    );
    expect(readTree(project)).toEqual({ 'a.txt': '644 a\n' });
    isLocked = false;
    expect(outcomes(await locked.accept([target('a.txt')], never))).toEqual(['a.txt done']);
    await locked.accept([target('a.txt')], never);
    expect(recorded).toEqual(['accepted']);
  });

  test('to reject change no file', async () => {
    const { session, project, events } = review(
      { 'a.txt': file('a\n') },
      { 'a.txt': file('A\n'), 'b.txt': file('b\n') },
    );
    const before = fingerprint(project);
    await session.reject(undefined);
    expect(await session.accept(undefined, never)).toEqual([]);
    expect(fingerprint(project)).toEqual(before);
    expect(events.map((event) => event.decision)).toEqual(['rejected', 'rejected']);
  });

  test('to reject can be taken back one by one, also after a restart, and then the file can be accepted', async () => {
    const bench = review({ 'a.txt': file('a\n') }, { 'a.txt': file('A\n'), 'b.txt': file('b\n') });
    const before = fingerprint(bench.project);
    await bench.session.reject(undefined);
    const again = bench.reopen();
    expect(await again.undo(undefined, never)).toEqual([]);
    expect(outcomes(await again.undo([target('a.txt')], never))).toEqual(['a.txt done']);
    expect(bench.events.at(-1)).toMatchObject({ path: 'a.txt', decision: 'pending' });
    expect(fingerprint(bench.project)).toEqual(before);
    expect(outcomes(await bench.reopen().accept(undefined, never))).toEqual(['a.txt done']);
    expect(readTree(bench.project)).toEqual({ 'a.txt': '644 A\n' });
  });

  test('about a file of the agent’s own folder wait for a place to save it', async () => {
    const bench = review({}, { 'note.txt': file('n\n') });
    const session = createReviewSession({
      subject: { ...bench.session.subject, contextRoots: [] },
      store: bench.store,
      live: createDiskFiles(),
      journalDir: bench.dir,
      onDecision: () => undefined,
    });
    expect(await session.accept(undefined, never)).toEqual([]);
    expect(outcomes(await session.accept([target('note.txt')], never))).toEqual([
      'note.txt skipped',
    ]);
    expect(
      text((await session.versions(target('note.txt'), never)).proposed ?? new Uint8Array()),
    ).toBe('n\n');
  });
});

test('an agent’s answer in a repository in mid-merge is reviewed and applied without touching .git', async () => {
  const project = tempFolder();
  fill(project, { 'a.txt': 'base\n', 'b.txt': 'b\n' });
  git(project, 'init', '-q');
  git(project, 'add', '.');
  git(project, 'commit', '-qm', 'base');
  git(project, 'checkout', '-qb', 'side');
  fill(project, { 'a.txt': 'side\n' });
  git(project, 'commit', '-qam', 'side');
  git(project, 'checkout', '-q', 'main');
  fill(project, { 'a.txt': 'main\n' });
  git(project, 'commit', '-qam', 'main');
  expect(() => git(project, 'merge', 'side')).toThrow('Command failed');
  const before = fingerprint(project);
  const run = startRun(project);
  const agent = await run.agent();
  await agent.runCommand(
    { command: 'git status; sed -i s/b/B/ b.txt', cwd: undefined, timeoutMs: 9000 },
    never,
  );
  const snapshot = await agent.takeSnapshot(never);
  expect(fingerprint(project)).toEqual(before);
  const session = createReviewSession({
    subject: {
      runId: 'run-1',
      label: 'agent1.1',
      snapshotId: snapshot.id,
      contextRoots: [{ name: 'proj', path: project, permission: 'write' }],
      files: snapshot.changes.map((each) => ({ ...each, decision: 'pending' })),
      candidates: [],
    },
    store: run.workspaces.store,
    live: createDiskFiles(),
    journalDir: join(run.dir, 'run-1'),
    onDecision: () => undefined,
  });
  expect(outcomes(await session.accept(undefined, never))).toEqual(['b.txt done']);
  const changed = fingerprint(project).filter((line) => !before.includes(line));
  expect(changed.map((line) => line.split(' ')[0])).toEqual(['b.txt']);
});
