import { describe, expect, it } from 'vitest';
import { agreementFrom } from '../../../../src/run/decision/agreement';
import { decidePoll, outcomeOf } from '../../../../src/run/decision/decide';
import { leadersAndRunnersUp, tallyPoll } from '../../../../src/run/decision/tally';
import { effectiveVoters, voteWeights } from '../../../../src/run/decision/weights';
import { elector, jury, panel, rulesWith } from '../../../support/decision/polls';

const majority = rulesWith({ rule: 'majority' });

describe('what a poll comes to', () => {
  it.each([
    ['decided', [1, 1, 2], {}],
    ['tie-broken', [1, 2, undefined], { quorum: 2 / 3 }],
    ['tie-broken', [1, 1, 2, 2], {}],
    ['tie-broken', [1, 1, 2, 3, 4], {}],
    ['no-quorum', [1, 2, undefined], {}],
    ['no-consensus', [1, 1, 2, 2], { onSplit: 'fail' }],
    ['none', [undefined, undefined], {}],
  ] as const)('is %s for votes %j with %j', (outcome, choices, changes) => {
    expect(decidePoll(jury(4, choices.length, choices), { ...majority, ...changes }).outcome).toBe(
      outcome,
    );
  });

  it('is decided without the last vote where that could change nothing', () => {
    expect(decidePoll(jury(2, 3, [1, 1, undefined]), majority).outcome).toBe('decided');
  });

  it('is no decision by the rule when somebody else chose in a split', () => {
    const tally = tallyPoll(jury(2, 2, [1, 2]), majority);
    expect(outcomeOf(majority, tally, 2)).toBe('tie-broken');
  });

  it('says lead, share, need and whether all agreed', () => {
    expect(decidePoll(jury(3, 5, [1, 1, 1, 2, 3]), majority)).toMatchObject({
      lead: 2,
      share: 0.6,
      needed: 3,
      isUnanimous: false,
    });
    expect(decidePoll(jury(2, 2, [1, 1]), majority).isUnanimous).toBe(true);
    expect(decidePoll(jury(2, 2, [1, 2]), majority).lead).toBe(0);
  });

  it('names no runner-up that nobody else has voted for', () => {
    const ignoring = rulesWith({ rule: 'majority', selfVote: 'ignore' });
    expect(leadersAndRunnersUp(tallyPoll(panel([1, 3, 3]), ignoring))).toEqual([3]);
    expect(leadersAndRunnersUp(tallyPoll(panel([2, 3, 2]), ignoring))).toEqual([2, 3]);
  });

  it('records how many voted without having seen all answers', () => {
    const poll = jury(2, 4, [1, 1, 2, 1]);
    const hasty = poll.ballots.map((one, i) => ({ ...one, isInformed: i !== 2 }));
    const choice = { decidedBy: 'rule', winner: 1, element: null } as const;
    const course = { runoffs: 0, extraRounds: 0, voidBallots: 0 };
    const tally = tallyPoll({ ...poll, ballots: hasty }, majority);
    const agreement = agreementFrom(poll, majority, tally, { ...choice, ...course });
    expect(agreement.uninformedBallots).toBe(1);
  });

  it('counts only ballots of the electorate', () => {
    const poll = panel([1, 1, 2]);
    const smaller = { ...poll, electors: poll.electors.filter(({ slot }) => slot !== 2) };
    expect(tallyPoll(smaller, majority).ballots.map(({ voter }) => voter)).toEqual([1, 3]);
    expect([...tallyPoll(smaller, majority).votes]).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });
});

describe('weights', () => {
  const family = [
    elector(1, { family: 'a' }),
    elector(2, { family: 'a' }),
    elector(3, { family: 'b' }),
    elector(4),
    elector(5),
  ];

  it('are shared within a family where families have one vote, and unknown families have their own', () => {
    expect([...voteWeights(family, 'weight').values()]).toEqual([0.5, 0.5, 1, 1, 1]);
    expect([...voteWeights(family, 'label').values()]).toEqual([1, 1, 1, 1, 1]);
  });

  it('make families of one voice worth fewer independent voters', () => {
    expect(effectiveVoters(family, 'label')).toBeCloseTo(25 / 7, 12);
    expect(effectiveVoters(family, 'weight')).toBeCloseTo(16 / 4, 12);
    expect(effectiveVoters([elector(1, { weight: 9 }), elector(2)], 'label')).toBeCloseTo(
      100 / 82,
      12,
    );
    expect(effectiveVoters([], 'label')).toBe(0);
  });
});
