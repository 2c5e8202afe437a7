// What several answers put together must not run into each other.
import { expect, test } from 'vitest';
import { never } from '../temp-project';
import { file, reviewOf, target } from './review-bench';

test('a part without a line end at the end of the file is not joined with lines of another answer', async () => {
  const base = { 'a.txt': file('1\n2\n3\n4\n5\n6\n') };
  const { session } = reviewOf(
    base,
    { 'a.txt': file('1\n2\n3\n4\n5\nsix') },
    { others: { 'agent2.1': { 'a.txt': file('1\n2\n3\n4\n5\n6\nseven\n') } } },
  );
  const [one] = await session.alternatives(target('a.txt'), never);
  const [own] = session.subject.files[0]?.hunks ?? [];
  const [theirs] = one?.hunks ?? [];
  if (one === undefined || own === undefined || theirs === undefined) {
    throw new Error('no parts');
  }
  const parts = [
    { label: session.subject.label, hunk: own },
    { label: one.label, hunk: theirs },
  ];
  expect(await session.pick(target('a.txt'), parts, never)).toMatchObject({ kind: 'overlap' });
  const { proposed } = await session.versions(target('a.txt'), never);
  expect(Buffer.from(proposed ?? []).toString()).toBe('1\n2\n3\n4\n5\nsix');
});

test('lines that two answers insert in one place overlap: nobody knows which come first', async () => {
  const { session } = reviewOf(
    { 'a.txt': file('1\n2\n') },
    { 'a.txt': file('1\nmine\n2\n') },
    { others: { 'agent2.1': { 'a.txt': file('1\ntheirs\n2\n') } } },
  );
  const [one] = await session.alternatives(target('a.txt'), never);
  const [own] = session.subject.files[0]?.hunks ?? [];
  const [theirs] = one?.hunks ?? [];
  if (one === undefined || own === undefined || theirs === undefined) {
    throw new Error('no parts');
  }
  const mine = { label: session.subject.label, hunk: own };
  const other = { label: one.label, hunk: theirs };
  expect(await session.pick(target('a.txt'), [mine, other], never)).toEqual({
    kind: 'overlap',
    pairs: [[mine, other]],
  });
});
