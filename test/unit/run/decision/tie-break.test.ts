import { describe, expect, it } from 'vitest';
import type { PollBallot, PollCandidate, RuleSettings } from '../../../../src/run/decision/poll';
import { contentHash } from '../../../../src/run/decision/poll-of';
import { tallyPoll } from '../../../../src/run/decision/tally';
import { breakTie, chainOf } from '../../../../src/run/decision/tie-break';
import type { BrokenTie } from '../../../../src/run/decision/tie-break';
import {
  ballot,
  candidate,
  elector,
  range,
  recommendedWith,
  rulesWith,
} from '../../../support/decision/polls';

interface Setup {
  readonly ballots?: readonly PollBallot[];
  readonly candidates?: readonly Partial<PollCandidate>[];
  readonly weights?: readonly number[];
}

/** Three agents, each with an answer and a vote. */
function broken(
  tieBreak: RuleSettings['tieBreak'],
  tied: readonly number[],
  { ballots = [], candidates = [], weights = [] }: Setup,
): BrokenTie {
  const rules = rulesWith({ tieBreak });
  const poll = {
    candidates: range(3).map((slot) => candidate(slot, candidates[slot - 1])),
    electors: range(3).map((slot) => elector(slot, { weight: weights[slot - 1] ?? 1 })),
    ballots,
  };
  return breakTie(poll, rules, tallyPoll(poll, rules), tied);
}

describe('the tie chain', () => {
  it('prefers what the checks found better, and does not ask where something was not checked', () => {
    const checked = [{ evidence: 1 }, { evidence: 3 }, { evidence: null }];
    expect(broken(['evidence'], [1, 2], { candidates: checked }).winner).toBe(2);
    expect(broken(['evidence'], [1, 2, 3], { candidates: checked })).toEqual({
      winner: 1,
      element: 'config_order',
    });
  });

  it('counts approvals and votes of others alike, each by its weight', () => {
    const ballots = [ballot(1, 1, [2]), ballot(2, 2), ballot(3, 3, [1])];
    expect(broken(['approvals'], [1, 2], { ballots }).element).toBe('config_order');
    expect(broken(['approvals'], [1, 2], { ballots, weights: [3, 1, 1] })).toEqual({
      winner: 2,
      element: 'approvals',
    });
  });

  it('does not count what a voter says of its own answer', () => {
    const ballots = [ballot(1, 1, [1]), ballot(2, 3, [2]), ballot(3, 2)];
    expect(broken(['approvals'], [1, 2], { ballots }).winner).toBe(2);
    const selfish = [ballot(1, 1), ballot(3, 2)];
    expect(broken(['votes_from_others'], [1, 2], { ballots: selfish })).toEqual({
      winner: 2,
      element: 'votes_from_others',
    });
  });

  it('prefers fewer changed lines, then fewer files, and never doing nothing', () => {
    const candidates = [
      { changedLines: 9, changedFiles: 1 },
      { changedLines: 4, changedFiles: 2 },
      { changedLines: 4, changedFiles: 1 },
    ];
    expect(broken(['smaller_change'], [1, 2], { candidates }).winner).toBe(2);
    expect(broken(['smaller_change'], [1, 2, 3], { candidates }).winner).toBe(3);
    const idle = [{}, {}, { changedLines: 0, changedFiles: 0 }];
    expect(broken(['smaller_change', 'latest'], [1, 3], { candidates: idle }).element).toBe(
      'latest',
    );
  });

  it('can prefer the latest or the earliest answer', () => {
    expect(broken(['latest'], [1, 2], {}).winner).toBe(2);
    expect(broken(['earliest'], [2, 3], {}).winner).toBe(2);
  });

  it('goes on with those that the last element left, and names the one that decided', () => {
    const candidates = [{ changedLines: 4 }, { changedLines: 4 }, { changedLines: 9 }];
    expect(broken(['smaller_change', 'latest'], [1, 2, 3], { candidates })).toEqual({
      winner: 2,
      element: 'latest',
    });
    expect(broken(['latest'], [2], {})).toEqual({ winner: 2, element: null });
  });

  it('ends in the order of the list only for files of MassGen', () => {
    expect(chainOf(rulesWith({ tieBreak: ['latest'] }))).toEqual(['latest', 'config_order']);
    expect(chainOf(recommendedWith())).toEqual([
      'evidence',
      'approvals',
      'votes_from_others',
      'smaller_change',
      'seeded_hash',
      'seeded_hash',
    ]);
  });
});

describe('the lot', () => {
  const drawn = (candidates: readonly PollCandidate[], runSeed: string): BrokenTie => {
    const rules = recommendedWith({ tieBreak: [], runSeed });
    const poll = { candidates, electors: [], ballots: [] };
    return breakTie(
      poll,
      rules,
      tallyPoll(poll, rules),
      candidates.map(({ slot }) => slot),
    );
  };
  const texts = ['first text', 'second text', 'third text'];

  it('falls on the same content whoever wrote it and wherever it stands', () => {
    for (const seed of range(30).map(String)) {
      const written = texts.map((hash, i) => candidate(i + 1, { contentHash: hash }));
      const turned = texts.map((hash, i) => candidate(3 - i, { contentHash: hash })).reverse();
      const contentOf = (list: readonly PollCandidate[]): string | undefined =>
        list.find(({ slot }) => slot === drawn(list, seed).winner)?.contentHash;
      expect(contentOf(turned)).toBe(contentOf(written));
    }
  });

  it('falls on each content about equally often', () => {
    const winners = range(300).map(
      (seed) =>
        drawn(
          texts.map((hash, i) => candidate(i + 1, { contentHash: hash })),
          `s${seed}`,
        ).winner,
    );
    for (const slot of range(3)) {
      const share = winners.filter((winner) => winner === slot).length / winners.length;
      expect(share).toBeGreaterThan(0.2);
      expect(share).toBeLessThan(0.47);
    }
  });

  it('falls on one of two equal contents, not always on the first', () => {
    const equal = [candidate(1, { contentHash: 'same' }), candidate(2, { contentHash: 'same' })];
    const winners = new Set(range(30).map((seed) => drawn(equal, `s${seed}`).winner));
    expect([...winners].sort()).toEqual([1, 2]);
  });

  it('sees text and files of an answer, and neither its label nor its time', () => {
    const revision = {
      label: 'agent1.1',
      slot: 1,
      n: 1,
      text: 'text',
      snapshotId: 'files',
      changes: [],
      turnNo: 1,
      unseenAtSubmit: [],
      seq: 4,
      at: 1000,
    } as const;
    const hash = contentHash(revision);
    expect(contentHash({ ...revision, label: 'agent2.3', slot: 2, n: 3, seq: 9, at: 2 })).toBe(
      hash,
    );
    expect(contentHash({ ...revision, text: 'other' })).not.toBe(hash);
    expect(contentHash({ ...revision, snapshotId: 'others' })).not.toBe(hash);
  });
});
