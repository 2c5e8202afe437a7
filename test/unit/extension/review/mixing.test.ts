import { describe, expect, it } from 'vitest';
import type { Label } from '../../../../src/base/ids';
import type { Alternative } from '../../../../src/core/ports/review';
import {
  inOrder,
  offeredParts,
  withAlternative,
  withoutOverlapped,
} from '../../../../src/extension/review/mixing';
import type { HunkInfo, PickedPart } from '../../../../src/run/facts';

function hunk(id: string, baseStart: number, baseLines = 1): HunkInfo {
  const place = { baseStart, baseLines, newStart: baseStart, newLines: 1 };
  return { id, ...place, added: 1, removed: baseLines, title: id };
}

function alternative(
  label: Label,
  hunks: readonly HunkInfo[] | undefined,
  touching: readonly HunkInfo[] = [],
): Alternative {
  const change = {
    ...{ root: 'app', path: 'a.ts', kind: 'modify' as const, added: 1, removed: 1 },
    ...{ isBinary: false, sizeBytes: 10 },
    ...(hunks === undefined ? {} : { hunks }),
  };
  return { label, change, hunks: touching, isSame: false };
}

const [a, b, c] = [hunk('a', 1), hunk('b', 10), hunk('c', 20)];
const now: readonly PickedPart[] = [
  { label: 'agent2.1', hunk: a },
  { label: 'agent2.1', hunk: b },
];
const ids = (parts: readonly PickedPart[]): readonly string[] =>
  parts.map((part) => `${part.label}/${part.hunk?.id ?? 'all'}`);

describe('taking from another answer', () => {
  it('puts its part in the place of one and keeps the others, in the order of the lines', () => {
    const other = hunk('x', 9, 3);
    const wanted = withAlternative(now, alternative('agent1.1', [other, c], [other]), 'b');
    expect(ids(wanted)).toEqual(['agent2.1/a', 'agent1.1/x']);
    const first = hunk('y', 0);
    expect(ids(withAlternative(now, alternative('agent1.1', [first], [first]), 'a'))).toEqual([
      'agent1.1/y',
      'agent2.1/b',
    ]);
  });

  it('does not take a part twice that is proposed already', () => {
    const other = alternative('agent1.1', [a, c], [a, c]);
    expect(ids(withAlternative(now, other, 'b'))).toEqual(['agent2.1/a', 'agent1.1/c']);
  });

  it('takes the whole file with all its parts, or as one where it has none', () => {
    expect(ids(withAlternative(now, alternative('agent1.1', [b, c]), undefined))).toEqual([
      'agent1.1/b',
      'agent1.1/c',
    ]);
    expect(ids(withAlternative(now, alternative('agent1.1', undefined), 'a'))).toEqual([
      'agent1.1/all',
    ]);
  });
});

describe('all parts that can be chosen', () => {
  it('stand once each with every answer that has them, those of the proposal ticked', () => {
    const offered = offeredParts(now, [
      alternative('agent1.1', [b, c]),
      alternative('agent3.1', [c]),
    ]);
    expect(offered.map(({ hunk: { id }, labels, isProposed }) => [id, labels, isProposed])).toEqual(
      [
        ['a', ['agent2.1'], true],
        ['b', ['agent2.1', 'agent1.1'], true],
        ['c', ['agent1.1', 'agent3.1'], false],
      ],
    );
    expect(offered.map(({ part }) => part.label)).toEqual(['agent2.1', 'agent2.1', 'agent1.1']);
  });
});

describe('parts that overlap', () => {
  it('leave the new one and take out what stands in its way', () => {
    const x: PickedPart = { label: 'agent1.1', hunk: hunk('x', 9, 3) };
    const [first, second] = now;
    if (first === undefined || second === undefined) {
      throw new Error('there are two parts');
    }
    const wanted = inOrder([...now, x]);
    const isNew = (part: PickedPart): boolean => part === x;
    expect(ids(withoutOverlapped(wanted, [[second, x]], isNew))).toEqual([
      'agent2.1/a',
      'agent1.1/x',
    ]);
    const isNone = (): boolean => false;
    expect(ids(withoutOverlapped([first, second], [[first, second]], isNone))).toEqual([]);
  });
});
