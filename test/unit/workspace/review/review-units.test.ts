// What belongs to a file as a whole beside its parts, and records that are not whole.
import { appendFileSync, chownSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReviewSession } from '../../../../src/core/ports/review';
import { never } from '../temp-project';
import { file, readTree, review, reviewOf, target } from './review-bench';

const lines = Array.from({ length: 12 }, (_, n) => `${n}\n`);
const base = lines.join('');
const proposed = lines.map((line, n) => (n === 1 || n === 10 ? `new ${line}` : line)).join('');

function idsOf(session: ReviewSession): readonly string[] {
  return (session.subject.files[0]?.hunks ?? []).map(({ id }) => id);
}

test('a mode that was rejected stays out of what is composed, beside a part that was taken up again', async () => {
  const { session, store } = review({ a: file(base) }, { a: file(proposed, 0o755) });
  const [one = ''] = idsOf(session);
  await session.reject([target('a')]);
  await session.undo([target('a', one)], never);
  const entry = store.readEntry(await session.composed(never), 'proj', 'a');
  expect(entry?.now).toMatchObject({ kind: 'file', mode: 0o644 });
  expect(Buffer.from(store.readContent(entry?.now ?? null) ?? []).toString()).toContain('new 1\n');
});

test('a file whose parts were all accepted one by one does not move by itself', async () => {
  const { session, project } = reviewOf(
    { 'old.txt': file(base) },
    { 'new.txt': file(proposed) },
    { moves: { 'new.txt': 'old.txt' } },
  );
  const targets = idsOf(session).map((id) => target('new.txt', id));
  await session.accept(targets, never);
  expect(readTree(project)).toEqual({ 'old.txt': `644 ${proposed}` });
  await session.accept([target('new.txt')], never);
  expect(readTree(project)).toEqual({ 'new.txt': `644 ${proposed}` });
});

test('parts that were settled one after the other are taken back in the other order', async () => {
  const { session, project } = review({ a: file(base) }, { a: file(proposed) });
  const place = join(project, 'a');
  const mine = base.replace('1\n', 'mine 1\n').replace('10\n', 'mine 10\n');
  writeFileSync(place, mine);
  for (const [index, id] of idsOf(session).entries()) {
    await session.versions(target('a', id), never);
    const chosen = Buffer.from(`settled ${index}\n`);
    expect((await session.resolve(target('a', id), chosen, never)).outcome).toBe('done');
  }
  expect(readFileSync(place, 'utf8')).toBe('settled 1\n');
  expect((await session.undo([target('a')], never))[0]?.outcome).toBe('done');
  expect(readFileSync(place, 'utf8')).toBe(mine);
});

test('a record whose parts are not those of the stored bytes leaves only the whole file to decide', async () => {
  const { session } = review({ a: file(base) }, { a: file(proposed) });
  const hunks = session.subject.files[0]?.hunks ?? [];
  const moved = hunks.map((hunk, index) => (index === 0 ? hunk : { ...hunk, baseStart: 4 }));
  const tampered = review({ a: file(base) }, { a: file(proposed) }, { a: { hunks: moved } });
  expect((await tampered.session.versions(target('a'), never)).hunks).toEqual([]);
  await tampered.session.accept(undefined, never);
  expect(readFileSync(join(tampered.project, 'a'), 'utf8')).toBe(proposed);
});

test('a record after one that a crash has torn is read', async () => {
  const { session, project, dir, reopen } = review({ a: file(base) }, { a: file(proposed) });
  const [one = '', two = ''] = idsOf(session);
  await session.accept([target('a', one)], never);
  const folder = join(dir, 'run-1');
  const journal = readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '';
  appendFileSync(join(folder, journal), '{"v":2,"type":"writ');
  await reopen().reject([target('a', two)]);
  const { hunks } = await reopen().versions(target('a'), never);
  expect(hunks.map(({ decision }) => decision)).toEqual(['accepted', 'rejected']);
  await reopen().undo(undefined, never);
  expect(readFileSync(join(project, 'a'), 'utf8')).toBe(base);
});

test.runIf(process.getuid?.() === 0)('a file of somebody else stays theirs', async () => {
  const { session, project } = review({ a: file(base) }, { a: file(proposed) });
  chownSync(join(project, 'a'), 12_345, 12_346);
  await session.accept(undefined, never);
  const { uid, gid } = lstatSync(join(project, 'a'));
  expect([uid, gid]).toEqual([12_345, 12_346]);
});
