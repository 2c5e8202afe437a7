// Two windows that decide on one proposal, and a record of them that does not fit.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReviewSession } from '../../../../src/core/ports/review';
import { never } from '../temp-project';
import { file, review, target } from './review-bench';

const lines = Array.from({ length: 20 }, (_, n) => `line ${n}\n`);
const base = lines.join('');
const proposed = lines.map((line, n) => (n === 2 || n === 17 ? line.toUpperCase() : line)).join('');

function idsOf(session: ReviewSession): readonly string[] {
  return (session.subject.files[0]?.hunks ?? []).map(({ id }) => id);
}

test('of two windows that decide at once one is done, the other is told, and the record fits the file', async () => {
  for (const second of ['accept', 'undo'] as const) {
    const { project, session, reopen } = review({ a: file(base) }, { a: file(proposed) });
    const [one = '', two = ''] = idsOf(session);
    await session.accept([target('a', second === 'undo' ? one : 'none')], never);
    const other = reopen();
    const results = await Promise.all([
      session.accept([target('a', two)], never),
      other[second]([target('a', one)], never),
    ]);
    expect(results.flat().map(({ outcome }) => outcome)).toEqual(['done', 'failed']);
    expect(results.flat()[1]?.detail).toContain('Another process is writing');
    const { hunks } = await reopen().versions(target('a'), never);
    const expected = lines.map((line, n) =>
      (n === 2 && second === 'undo') || n === 17 ? line.toUpperCase() : line,
    );
    expect(readFileSync(join(project, 'a'), 'utf8')).toBe(expected.join(''));
    expect(hunks.map(({ decision }) => decision)).toEqual([
      second === 'undo' ? 'accepted' : 'pending',
      'accepted',
    ]);
    expect((await other[second]([target('a', one)], never))[0]?.outcome).toBe('done');
  }
});

test('what another window decided is seen at the next look', async () => {
  const { session, reopen } = review({ a: file(base) }, { a: file(proposed) });
  const [one = ''] = idsOf(session);
  await reopen().accept([target('a', one)], never);
  const { hunks } = await session.versions(target('a'), never);
  expect(hunks.map(({ decision }) => decision)).toEqual(['accepted', 'pending']);
});

test('a decision gives the record free again, also when it fails', async () => {
  const { project, session } = review({ a: file(base) }, { a: file(proposed) });
  writeFileSync(join(project, 'a'), 'all mine\n');
  expect((await session.accept(undefined, never))[0]?.outcome).toBe('conflict');
  expect((await session.reject(undefined))[0]?.outcome).toBe('done');
});
