import { describe, expect, it } from 'vitest';
import type { ShownHunk } from '../../../../src/core/ports/review';
import { decidedItems } from '../../../../src/extension/review/decided';
import {
  partAtLine,
  partBeside,
  partsOf,
  pickedParts,
} from '../../../../src/extension/review/parts';
import type { ReviewFile } from '../../../../src/run/state';
import {
  decide,
  hunks,
  mixed,
  partsDecided,
  wonChecked,
} from '../../../webview/fixtures/checked-runs';

type Log = ReturnType<typeof wonChecked>;

function fileOf(log: Log, path = 'src/duration.ts'): ReviewFile {
  const file = log.state().review?.files.find((each) => each.path === path);
  if (file === undefined) {
    throw new Error(`${path} is not in the review`);
  }
  return file;
}

describe('the parts of a file', () => {
  it('have their own decisions, and wait while none was made', () => {
    const parts = partsOf(fileOf(partsDecided()), 'agent2.1');
    expect(parts.map(({ decision }) => decision)).toEqual(['accepted', 'conflict', 'pending']);
    expect(parts.map(({ detail }) => detail)).toEqual(['', 'Lines 39–44 overlap yours.', '']);
  });

  it('name the answer that each was taken from', () => {
    const parts = partsOf(fileOf(mixed()), 'agent2.1');
    expect(parts.map(({ from }) => from)).toEqual(['agent2.1', 'agent1.1']);
  });

  it('are those of the reviewed answer until others were picked', () => {
    expect(pickedParts(fileOf(wonChecked()), 'agent2.1')).toEqual(
      hunks.map((hunk) => ({ label: 'agent2.1', hunk })),
    );
    expect(pickedParts(fileOf(wonChecked(), 'CHANGELOG.md'), 'agent2.1')).toEqual([
      { label: 'agent2.1' },
    ]);
    expect(pickedParts(fileOf(mixed()), 'agent2.1').map(({ label }) => label)).toEqual([
      'agent2.1',
      'agent1.1',
    ]);
  });
});

describe('the part under the cursor', () => {
  const shown = (id: string, at: readonly [number, number] | null): ShownHunk => {
    const [info] = hunks;
    if (info === undefined) {
      throw new Error('there is no part to make one of');
    }
    const place = at === null ? null : { start: at[0], end: at[1] };
    return {
      info: { ...info, id },
      from: 'agent2.1',
      decision: 'pending',
      live: at === null ? null : { start: at[0] + 100, end: at[1] + 100 },
      merged: place,
    };
  };
  const all = [shown('a', [2, 5]), shown('lost', null), shown('b', [9, 9]), shown('c', [20, 22])];
  const under = (line: number): string | undefined => partAtLine(all, 'merged', line)?.info.id;
  const beside = (line: number, step: 1 | -1): string | undefined =>
    partBeside(all, 'merged', { line, step })?.info.id;

  it('holds its first and last line and nothing beside it', () => {
    expect([1, 2, 4, 5].map(under)).toEqual([undefined, 'a', 'a', undefined]);
  });

  it('is found where lines only go, at the line that follows', () => {
    expect([8, 9, 10].map(under)).toEqual([undefined, 'b', undefined]);
  });

  it('is found in the user’s own text by its own lines', () => {
    expect(partAtLine(all, 'live', 103)?.info.id).toBe('a');
    expect(partAtLine(all, 'live', 3)).toBeUndefined();
  });

  it('is followed and preceded by the next ones that have a place, around the end of the file', () => {
    expect([beside(0, 1), beside(2, 1), beside(9, 1), beside(21, 1)]).toEqual(['a', 'b', 'c', 'a']);
    expect([beside(30, -1), beside(20, -1), beside(3, -1), beside(2, -1)]).toEqual([
      'c',
      'b',
      'a',
      'c',
    ]);
    expect(partBeside([shown('lost', null)], 'merged', { line: 0, step: 1 })).toBeUndefined();
  });
});

describe('what can be taken back', () => {
  it('is each part that was decided, where the parts of a file were not decided alike', () => {
    expect(
      decidedItems(partsDecided().state()).map(({ target, hunk, decision }) => [
        target.path,
        target.hunk,
        hunk?.id,
        decision,
      ]),
    ).toEqual([
      ['src/duration.ts', 'h1', 'h1', 'accepted'],
      ['src/duration.test.ts', undefined, undefined, 'rejected'],
    ]);
  });

  it('is the file where all its parts were decided alike, and nothing that is open', () => {
    const log = wonChecked().at(160, decide('accepted'));
    expect(decidedItems(log.state()).map(({ target }) => target)).toEqual([
      { root: 'sample-project', path: 'src/duration.ts' },
    ]);
    expect(decidedItems(wonChecked().state())).toEqual([]);
  });
});
