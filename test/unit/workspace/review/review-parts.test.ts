// Decisions about parts of files, and files put together of several answers.
import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReviewSession } from '../../../../src/core/ports/review';
import type { HunkInfo, PickedPart } from '../../../../src/run/facts';
import { applyAutomatically } from '../../../../src/workspace/review/apply-automatically';
import { never, text } from '../temp-project';
import type { Tree } from './review-bench';
import { file, readTree, review, reviewOf, target } from './review-bench';

const lines = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `line ${n + 1}\n`);
const base = lines(40).join('');
const replaced = (...numbers: readonly number[]): string =>
  numbers.reduce((all, n) => all.replace(`line ${n}\n`, `LINE ${n}\n`), base);

async function hunksOf(session: ReviewSession, path = 'a.txt'): Promise<readonly HunkInfo[]> {
  return (await session.versions(target(path), never)).hunks.map(({ info }) => info);
}

async function ids(session: ReviewSession): Promise<readonly string[]> {
  return (await hunksOf(session)).map(({ id }) => id);
}

const read = (project: string, path = 'a.txt'): string => readFileSync(join(project, path), 'utf8');

describe('parts of a file', () => {
  const proposal = { 'a.txt': file(replaced(3, 13, 23, 33)) };

  test('are accepted, rejected and taken back one by one, and each is told', async () => {
    const { session, project, events } = review({ 'a.txt': file(base) }, proposal);
    const [one = '', two = '', three = ''] = await ids(session);
    await session.accept([target('a.txt', two)], never);
    expect(read(project)).toBe(replaced(13));
    await session.reject([target('a.txt', one)]);
    await session.accept([target('a.txt', three)], never);
    await session.undo([target('a.txt', two)], never);
    expect(read(project)).toBe(replaced(23));
    expect(events.map(({ hunk, decision }) => [hunk, decision])).toEqual([
      [two, 'accepted'],
      [one, 'rejected'],
      [three, 'accepted'],
      [two, 'pending'],
    ]);
    const { hunks } = await session.versions(target('a.txt'), never);
    expect(hunks.map(({ decision }) => decision)).toEqual([
      'rejected',
      'pending',
      'accepted',
      'pending',
    ]);
  });

  test('[E-14] that were kept stay when the rest is rejected', async () => {
    const { session, project, reopen } = review({ 'a.txt': file(base) }, proposal);
    const [one = ''] = await ids(session);
    await session.accept([target('a.txt', one)], never);
    await session.reject([target('a.txt')]);
    expect(read(project)).toBe(replaced(3));
    await reopen().accept(undefined, never);
    expect(read(project)).toBe(replaced(3));
  });

  test('[E-15] keep their places whatever is decided about others, in any order', async () => {
    const five = {
      'a.txt': file(
        base
          .replace('line 3\n', '')
          .replace('line 13\n', 'a\nb\nc\n')
          .replace('line 23\n', 'd\n')
          .replace('line 30\n', '')
          .replace('line 38\n', 'e\nf\n'),
      ),
    };
    const { session, project } = review({ 'a.txt': file(base) }, five);
    const [one = '', , three = '', , last = ''] = await ids(session);
    await session.reject([target('a.txt', one)]);
    await session.accept([target('a.txt', three)], never);
    await session.undo([target('a.txt', three)], never);
    await session.accept([target('a.txt', last)], never);
    expect(read(project)).toBe(base.replace('line 38\n', 'e\nf\n'));
  });

  test('[E-09] can be taken back after the user went on typing elsewhere', async () => {
    const { session, project } = review({ 'a.txt': file(base) }, proposal);
    const [one = ''] = await ids(session);
    await session.accept([target('a.txt', one)], never);
    const typed = Array.from({ length: 20 }, (_, n) => `typed ${n}\n`).join('');
    writeFileSync(join(project, 'a.txt'), replaced(3).replace('line 20\n', `line 20\n${typed}`));
    await session.undo([target('a.txt', one)], never);
    expect(read(project)).toBe(base.replace('line 20\n', `line 20\n${typed}`));
  });

  test('that meet the user’s edit are conflicts with their lines, and the rest can be accepted', async () => {
    const { session, project, events } = review({ 'a.txt': file(base) }, proposal);
    writeFileSync(join(project, 'a.txt'), base.replace('line 13\n', 'mine\nmine too\n'));
    const [result] = await session.accept([target('a.txt')], never);
    expect(result).toEqual({
      root: 'proj',
      path: 'a.txt',
      outcome: 'conflict',
      detail:
        '3 of 4 parts are in the file. Your edits and the proposal change the same lines (13 to 14).',
    });
    expect(read(project)).toBe(replaced(3, 23, 33).replace('line 13\n', 'mine\nmine too\n'));
    expect(events.map(({ decision }) => decision).toSorted()).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'conflict',
    ]);
    const { isConflict, merged, mergedWithMarkers } = await session.versions(
      target('a.txt'),
      never,
    );
    expect([isConflict, merged]).toEqual([true, undefined]);
    expect(mergedWithMarkers).toContain('<<<<<<< your file\nmine\nmine too\n=======\nLINE 13\n');
  });

  test('of which one is settled bring no other undecided part along', async () => {
    const { session, project } = review({ 'a.txt': file(base) }, proposal);
    const mine = base.replace('line 13\n', 'mine\n');
    writeFileSync(join(project, 'a.txt'), mine);
    const [, second = ''] = await ids(session);
    const conflict = target('a.txt', second);
    await session.accept([conflict], never);
    const { isConflict, mergedWithMarkers } = await session.versions(conflict, never);
    expect(isConflict).toBe(true);
    expect(mergedWithMarkers).toBe(
      base.replace('line 13\n', '<<<<<<< your file\nmine\n=======\nLINE 13\n>>>>>>> agent1.1\n'),
    );
    await session.resolve(conflict, new TextEncoder().encode(replaced(13)), never);
    expect(read(project)).toBe(replaced(13));
    await session.accept([target('a.txt')], never);
    expect(read(project)).toBe(replaced(3, 13, 23, 33));
  });

  test('are shown at their lines in the user’s file and in the result', async () => {
    const { session, project } = review({ 'a.txt': file(base) }, proposal);
    writeFileSync(join(project, 'a.txt'), `mine\n${base}`);
    const [one = ''] = await ids(session);
    await session.accept([target('a.txt', one)], never);
    const { hunks, merged } = await session.versions(target('a.txt'), never);
    expect(hunks.map(({ live, merged: now }) => [live?.start, now?.end])).toEqual([
      [3, 4],
      [13, 14],
      [23, 24],
      [33, 34],
    ]);
    expect(text(merged ?? new Uint8Array())).toBe(`mine\n${replaced(3, 13, 23, 33)}`);
  });

  test('that the user’s file already has count as accepted, and taking them back leaves it', async () => {
    const { session, project } = review({ 'a.txt': file(base) }, proposal);
    writeFileSync(join(project, 'a.txt'), replaced(3));
    const [one = ''] = await ids(session);
    expect((await session.accept([target('a.txt', one)], never))[0]?.outcome).toBe('done');
    await session.undo([target('a.txt', one)], never);
    expect(read(project)).toBe(replaced(3));
  });

  test('[E-12] [E-13] are as they were decided after a restart, over whatever the file is by then', async () => {
    const { session, project, reopen } = review({ 'a.txt': file(base) }, proposal);
    const [one = '', two = ''] = await ids(session);
    await session.accept([target('a.txt', one)], never);
    await session.reject([target('a.txt', two)]);
    writeFileSync(join(project, 'a.txt'), replaced(3).replace('line 33\n', 'newer\n'));
    const later = reopen();
    const { hunks } = await later.versions(target('a.txt'), never);
    expect(hunks.map(({ decision }) => decision)).toEqual([
      'accepted',
      'rejected',
      'pending',
      'conflict',
    ]);
    await later.accept(undefined, never);
    expect(read(project)).toBe(replaced(3, 23).replace('line 33\n', 'newer\n'));
  });

  test('settled by hand can only be taken back together', async () => {
    const { session, project } = review({ 'a.txt': file(base) }, proposal);
    const [one = '', two = ''] = await ids(session);
    await session.accept([target('a.txt', one)], never);
    await session.versions(target('a.txt'), never);
    await session.resolve(target('a.txt'), Buffer.from(`${replaced(3, 13)}mine\n`), never);
    const [part] = await session.undo([target('a.txt', two)], never);
    expect([part?.outcome, part?.detail]).toEqual([
      'skipped',
      'It was settled together with the rest of the file; undo the whole file.',
    ]);
    await session.undo([target('a.txt')], never);
    expect(read(project)).toBe(base);
  });

  test.each([
    ['[E-21] one-byte text', 'latin1', 'é'],
    ['[E-27] two-byte text', 'utf16le', '\uFEFF'],
    ['[E-27] UTF-8 with a mark', 'utf8', '\uFEFF'],
  ] as const)('of %s leave every other byte alone', async (_name, encoding, start) => {
    const encode = (all: string): Buffer =>
      Buffer.from(start + all.replaceAll('line 2\n', 'é è\n'), encoding);
    const { session, project } = review(
      { 'a.txt': file(encode(base)) },
      { 'a.txt': file(encode(replaced(13, 33))) },
    );
    const [one = ''] = await ids(session);
    await session.accept([target('a.txt', one)], never);
    expect(readFileSync(join(project, 'a.txt'))).toEqual(encode(replaced(13)));
    await session.undo([target('a.txt', one)], never);
    expect(readFileSync(join(project, 'a.txt'))).toEqual(encode(base));
  });

  test('[E-25] [E-28] [E-29] take the line ends of the user’s file, and no text in them is read as anything else', async () => {
    const { session, project } = review(
      { 'a.xml': file('<a>\n&lt;b&gt;\n<c/>\n<d/>\n<e>') },
      { 'a.xml': file('<a>\n&lt;b&gt;\n<c/>\n<d x="&amp;"/>\n<e>') },
    );
    const crlf = '<a>\r\n&lt;b&gt;\r\n<c/>\r\n<d/>\r\n<e>';
    writeFileSync(join(project, 'a.xml'), crlf);
    await session.accept(undefined, never);
    expect(read(project, 'a.xml')).toBe(crlf.replace('<d/>', '<d x="&amp;"/>'));
  });
});

describe('a moved file', () => {
  const moves = { 'new/b.txt': 'a.txt' };
  const bench = (): ReturnType<typeof reviewOf> =>
    reviewOf({ 'a.txt': file(base) }, { 'new/b.txt': file(replaced(3, 33)) }, { moves });

  test('can be edited part by part before it moves, moves as a whole, and goes back', async () => {
    const { session, project } = bench();
    const [one = ''] = (await hunksOf(session, 'new/b.txt')).map(({ id }) => id);
    await session.accept([target('new/b.txt', one)], never);
    expect(readTree(project)).toEqual({ 'a.txt': `644 ${replaced(3)}` });
    writeFileSync(join(project, 'a.txt'), replaced(3).replace('line 20\n', 'mine\n'));
    await session.accept([target('new/b.txt')], never);
    expect(readTree(project)).toEqual({
      'new/b.txt': `644 ${replaced(3, 33).replace('line 20\n', 'mine\n')}`,
    });
    await session.undo([target('new/b.txt', one)], never);
    expect(readTree(project)).toEqual({
      'new/b.txt': `644 ${replaced(33).replace('line 20\n', 'mine\n')}`,
    });
    await session.undo([target('new/b.txt')], never);
    expect(readTree(project)).toEqual({ 'a.txt': `644 ${base.replace('line 20\n', 'mine\n')}` });
  });

  test('is a conflict where its new name is taken or the old file is gone', async () => {
    const taken = bench();
    writeFileSync(join(taken.project, 'new'), 'mine\n');
    expect((await taken.session.accept(undefined, never))[0]?.outcome).toBe('failed');
    const gone = bench();
    renameSync(join(gone.project, 'a.txt'), join(gone.project, 'mine.txt'));
    expect((await gone.session.accept(undefined, never))[0]?.outcome).toBe('conflict');
    expect(readTree(gone.project)).toEqual({ 'mine.txt': `644 ${base}` });
  });
});

describe('a mix of answers', () => {
  const others = (tree: Tree): { readonly others: Record<`agent${number}.${number}`, Tree> } => ({
    others: { 'agent2.1': tree },
  });

  test('takes parts of another answer, and accepts and undoes them like its own', async () => {
    const { session, project, picks } = reviewOf(
      { 'a.txt': file(base) },
      { 'a.txt': file(replaced(3)) },
      others({ 'a.txt': file(replaced(20, 30)) }),
    );
    const [theirs] = await session.alternatives(target('a.txt'), never);
    const own = (await hunksOf(session)).map((hunk): PickedPart => ({ label: 'agent1.1', hunk }));
    const other = (theirs?.hunks ?? []).map((hunk): PickedPart => ({ label: 'agent2.1', hunk }));
    expect(await session.pick(target('a.txt'), [...other.slice(0, 1), ...own], never)).toEqual({
      kind: 'picked',
    });
    expect(picks[0]?.parts.map(({ label }) => label)).toEqual(['agent1.1', 'agent2.1']);
    await session.accept(undefined, never);
    expect(read(project)).toBe(replaced(3, 20));
    const shown = await session.versions(target('a.txt'), never);
    expect(shown.hunks.map(({ from }) => from)).toEqual(['agent1.1', 'agent2.1']);
    const refused = await session.pick(target('a.txt'), own, never);
    expect(refused.kind).toBe('refused');
    await session.undo(undefined, never);
    expect(read(project)).toBe(base);
  });

  test('is refused where parts overlap, and knows a part that both have', async () => {
    const { session } = reviewOf(
      { 'a.txt': file(base) },
      { 'a.txt': file(replaced(3, 20)) },
      others({ 'a.txt': file(replaced(3).replace('line 20\n', 'another\n')) }),
    );
    const [, second] = await hunksOf(session);
    const [same] = await session.alternatives(target('a.txt', (await ids(session))[0]), never);
    expect(same?.isSame).toBe(true);
    const [other] = await session.alternatives(target('a.txt', second?.id), never);
    const parts: readonly PickedPart[] = [
      ...(await hunksOf(session)).map((hunk) => ({ label: 'agent1.1' as const, hunk })),
      ...(other?.hunks ?? []).map((hunk) => ({ label: 'agent2.1' as const, hunk })),
    ];
    const result = await session.pick(target('a.txt'), parts, never);
    expect(result.kind === 'overlap' ? result.pairs.length : result).toBe(1);
    const instead = other?.hunks.map((hunk) => ({ label: 'agent2.1' as const, hunk })) ?? [];
    expect((await session.pick(target('a.txt', second?.id), instead, never)).kind).toBe('picked');
  });

  test('is stored as a tree of its own, the same for the same content', async () => {
    const { session, reopen } = reviewOf(
      { 'a.txt': file(base), 'b.txt': file('b\n') },
      { 'a.txt': file(replaced(3)), 'b.txt': file('B\n') },
      others({ 'a.txt': file(replaced(20)), 'b.txt': file('b\n') }),
    );
    expect(await session.composed(never)).toBe(session.subject.snapshotId);
    await session.pick(target('a.txt'), [{ label: 'agent2.1' }], never);
    await session.reject([target('b.txt')]);
    const [, theirs] = session.subject.candidates;
    expect(await session.composed(never)).toBe(theirs?.snapshotId);
    expect(await reopen().composed(never)).toBe(theirs?.snapshotId);
  });
});

describe('applying without a person', () => {
  const proposed = { 'a.txt': file('A\n'), 'b.txt': file('B\n'), '.vscode/x': file('x\n') };
  const bench = (): ReturnType<typeof review> => {
    const made = review({ 'a.txt': file('a\n'), 'b.txt': file('b\n') }, proposed, {
      '.vscode/x': { caution: 'sensitive' },
    });
    writeFileSync(join(made.project, 'b.txt'), 'mine\n');
    return made;
  };
  const applied = async (onDrift: 'fail' | 'skip' | 'merge'): Promise<readonly unknown[]> => {
    const { session, project } = bench();
    const results = await applyAutomatically(session, { onDrift }, never);
    return [results.map(({ path, outcome }) => `${path} ${outcome}`).toSorted(), readTree(project)];
  };

  test('leaves all as it is, leaves out what changed, or merges, and never takes what needs a second look', async () => {
    const untouched = { 'a.txt': '644 a\n', 'b.txt': '644 mine\n' };
    expect(await applied('fail')).toEqual([['a.txt skipped', 'b.txt skipped'], untouched]);
    const some = { ...untouched, 'a.txt': '644 A\n' };
    expect(await applied('skip')).toEqual([['a.txt done', 'b.txt skipped'], some]);
    expect(await applied('merge')).toEqual([['a.txt done', 'b.txt conflict'], some]);
  });
});

test('a file that the user deleted is not made again, unless the user says so', async () => {
  const { session, project } = review({ 'a.txt': file(base) }, { 'a.txt': file(replaced(3)) });
  unlinkSync(join(project, 'a.txt'));
  const [result] = await session.accept(undefined, never);
  expect([result?.outcome, result?.detail]).toEqual([
    'conflict',
    'The file was deleted or renamed meanwhile.',
  ]);
  await session.resolve(target('a.txt'), Buffer.from(replaced(3)), never);
  expect(read(project)).toBe(replaced(3));
  await session.undo(undefined, never);
  expect(readTree(project)).toEqual({});
});
