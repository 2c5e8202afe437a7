import { describe, expect, it } from 'vitest';
import { reasonFor } from '../../../../src/run/decision/reason';
import type { Agreement } from '../../../../src/run/facts';

const agreement: Agreement = {
  rule: 'majority',
  threshold: null,
  quorum: 1,
  electorate: [1, 2, 3],
  eligibleWeight: 3,
  ballots: 3,
  votes: { 'agent1.1': 1, 'agent2.1': 2 },
  votesFromOthers: { 'agent1.1': 1, 'agent2.1': 1 },
  needed: 2,
  share: 2 / 3,
  isSatisfied: true,
  isTie: false,
  tied: [],
  runoffs: 0,
  extraRounds: 0,
  tieBreakUsed: null,
  decidedBy: 'rule',
  isUnanimous: false,
  uninformedBallots: 0,
  voidBallots: 0,
  result: 'decided',
  lead: 1,
  margin: 0,
  effectiveVoters: 3,
  ignoredSelfVotes: 0,
};

const tie: Partial<Agreement> = {
  votes: { 'agent1.1': 1, 'agent2.1': 1, 'agent3.1': 1 },
  isTie: true,
  tied: ['agent1.1', 'agent2.1', 'agent3.1'],
  share: 1 / 3,
  lead: 0,
};

const likely = { by: 'posterior', unasked: 8, probability: 0.96875 } as const;

type Case = readonly [changes: Partial<Agreement>, sentence: string];

const chosen: readonly Case[] = [
  [{}, 'agent2.1 won with 2 of 3 votes.'],
  [{ decidedBy: 'runoff' }, 'agent2.1 won the runoff with 2 of 3 votes.'],
  [
    { earlyStop: likely },
    'agent2.1 won with 2 of 3 votes; 8 voters were not asked, as it is the better one with 96 %.',
  ],
  [
    { ...tie, decidedBy: 'tie_break', tieBreakUsed: 'smaller_change' },
    'agent2.1 won a tie of 1 vote each by its smaller change.',
  ],
  [
    { ...tie, decidedBy: 'tie_break', tieBreakUsed: 'seeded_hash' },
    'agent2.1 won a tie of 1 vote each by lot.',
  ],
  [
    { decidedBy: 'tie_break', tieBreakUsed: 'evidence', votes: { 'agent2.1': 1.5 } },
    'agent2.1 won a tie of 1.5 votes each by the checks it passed.',
  ],
  [
    { decidedBy: 'fallback_plurality', needed: 3 },
    'agent2.1 has the most, 2 of 3 votes; the rule asks for 3.',
  ],
  [
    { decidedBy: 'fallback_plurality', margin: 2 },
    'agent2.1 has the most, 2 of 3 votes; the rule asks for a lead of 2, and it leads by 1.',
  ],
  [{ decidedBy: 'timeout' }, 'agent2.1 was chosen when the time was up, with 2 of 3 votes.'],
  [
    { decidedBy: 'timeout', result: 'no-quorum', ballots: 1, votes: { 'agent2.1': 1 } },
    'agent2.1 was chosen when the time was up, with 1 of 3 votes; 1 of the 3 ballots needed were in.',
  ],
  [{ decidedBy: 'budget', ballots: 0 }, 'agent2.1 was chosen at the cap, without a vote.'],
  [
    { decidedBy: 'degraded', ballots: 0 },
    'agent2.1 was chosen by the agents that were left, without a vote.',
  ],
  [{ decidedBy: 'human' }, 'You chose agent2.1; it had 2 of 3 votes.'],
  [{ decidedBy: 'human', ballots: 0 }, 'You chose agent2.1 without a vote.'],
  [
    { decidedBy: 'judge', votes: { 'agent1.1': 1 } },
    'agent2.1 was chosen by a judge after a split vote; it had 0 of 3 votes.',
  ],
  [{ decidedBy: 'no_vote' }, 'agent2.1 was chosen without a vote.'],
  [
    { decidedBy: 'no_vote', tieBreakUsed: 'latest' },
    'agent2.1 was chosen without a vote, by being the latest answer.',
  ],
  [{ decidedBy: 'presenter' }, 'agent2.1 was chosen without a vote.'],
  [{ decidedBy: 'single' }, 'One answer; no vote was needed.'],
];

const nothing: readonly Case[] = [
  [
    { ...tie, decidedBy: 'no_consensus', result: 'no-consensus' },
    'Nothing was chosen: agent1.1, agent2.1 and agent3.1 have 1 of 3 votes each; the rule asks for 2.',
  ],
  [
    { decidedBy: 'no_consensus', needed: 3 },
    'Nothing was chosen: agent2.1 has the most, 2 of 3 votes; the rule asks for 3.',
  ],
  [
    { decidedBy: 'timeout', ballots: 1 },
    'Nothing was chosen: the time was up with 1 of 3 ballots in.',
  ],
  [
    { decidedBy: 'budget', ballots: 0 },
    'Nothing was chosen: a cap was reached with 0 of 3 ballots in.',
  ],
  [
    { decidedBy: 'cancelled', ballots: 2 },
    'Nothing was chosen: the run was stopped with 2 of 3 ballots in.',
  ],
  [{ decidedBy: 'error' }, 'Nothing was chosen: no agent handed in an answer.'],
  [{ decidedBy: 'no_consensus', ballots: 0 }, 'Nothing was chosen: nobody voted.'],
];

describe('the reason of a decision', () => {
  it.each(chosen)('%j: %s', (changes, sentence) => {
    expect(reasonFor({ ...agreement, ...changes }, 'agent2.1', 3)).toBe(sentence);
  });

  it.each(nothing)('of nothing, %j: %s', (changes, sentence) => {
    expect(reasonFor({ ...agreement, ...changes }, null, 3)).toBe(sentence);
  });

  it('of a single answer is that there was no other', () => {
    expect(reasonFor({ ...agreement, decidedBy: 'no_vote' }, 'agent2.1', 1)).toBe(
      'One answer; no vote was needed.',
    );
  });
});
