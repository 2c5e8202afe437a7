import { describe, expect, it } from 'vitest';
import {
  type ReasonSubject,
  type VoteReason,
  votesAbout,
} from '../../../../src/extension/review/reasons';
import { turn, vote } from '../../../webview/fixtures/events';
import { hunks, wonChecked } from '../../../webview/fixtures/checked-runs';

const subject: ReasonSubject = {
  path: 'src/duration.ts',
  changedText: 'let total = parseDuration(text);\nreturn toSeconds[unit];\nthe value is here',
};

function about(reason: string, changes: Partial<ReasonSubject> = {}): readonly string[] {
  const log = wonChecked().at(130, turn(1, 3), vote(1, 3, 'agent2.1', reason));
  const found = votesAbout(log.state(), { ...subject, ...changes }).find(
    (one) => one.reason === reason,
  );
  return found?.names ?? ['the vote is missing'];
}

describe('votes that speak of a file', () => {
  it('name its path or its name, and not a longer one', () => {
    expect(about('src/duration.ts is right.')).toEqual(['duration.ts']);
    expect(about('Only duration.ts, and well.')).toEqual(['duration.ts']);
    expect(about('my-duration.ts is another file.')).toEqual([]);
    expect(about('src/duration.tsx is another file.')).toEqual([]);
  });

  it('name something that its changed lines name', () => {
    expect(about('It makes parseDuration add up.')).toEqual(['parseDuration']);
    expect(about('It makes parseDurations add up.')).toEqual([]);
  });

  it('are not found by words of prose unless they are written as code', () => {
    expect(about('The value is right and the total is here.')).toEqual([]);
    expect(about('Now `total` starts at zero.')).toEqual(['total']);
  });

  it('come before votes that speak of the answer as a whole', () => {
    const log = wonChecked();
    const votes: readonly VoteReason[] = votesAbout(log.state(), { ...subject, changedText: '' });
    expect(votes.map(({ names }) => names.length > 0)).toEqual(
      votes.map(({ names }) => names.length > 0).toSorted((a, b) => Number(b) - Number(a)),
    );
    expect(votes.map(({ voter }) => voter)).toHaveLength(3);
  });
});

describe('votes that speak of a part', () => {
  const [hunk] = hunks;
  const part: Partial<ReasonSubject> = hunk === undefined ? {} : { hunk };

  it('name its lines, not only its file', () => {
    expect(about('duration.ts lines 12-24 are right.', part)).toEqual(['duration.ts']);
    expect(about('duration.ts line 90 is right.', part)).toEqual([]);
    expect(about('duration.ts is right.', part)).toEqual([]);
  });

  it('name something in its changed lines', () => {
    expect(about('toSeconds has every unit.', part)).toEqual(['toSeconds']);
  });
});

describe('votes without a reason', () => {
  it('explain nothing', () => {
    const log = wonChecked().at(130, turn(1, 3), vote(1, 3, 'agent2.1', '  '));
    expect(votesAbout(log.state(), subject).map(({ voter }) => voter)).not.toContain(1);
  });
});
