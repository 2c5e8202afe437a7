// What holds for every poll, however it is made up.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Slot } from '../../../../src/base/ids';
import { decidePoll } from '../../../../src/run/decision/decide';
import type { Decision } from '../../../../src/run/decision/decide';
import type { Poll, RuleSettings } from '../../../../src/run/decision/poll';
import { tallyPoll } from '../../../../src/run/decision/tally';
import { effectiveVoters } from '../../../../src/run/decision/weights';
import { candidate, range, recommendedWith, rulesWith } from '../../../support/decision/polls';

const numRuns = Number(process.env['SOAK_RUNS'] ?? 500);

const elements = ['evidence', 'approvals', 'votes_from_others', 'smaller_change'] as const;

/** Rules that never look at the list or at the time. */
const neutralRules: fc.Arbitrary<RuleSettings> = fc
  .record({
    rule: fc.constantFrom(
      'plurality',
      'majority',
      'supermajority',
      'unanimity',
      'min_agreement',
      'weighted',
    ),
    threshold: fc.constantFrom(null, 0.5, 0.6, 0.75),
    minAgreement: fc.constantFrom(1, 2, 3),
    quorum: fc.constantFrom(0.5, 2 / 3, 1),
    margin: fc.constantFrom(0, 1, 2),
    selfVote: fc.constantFrom('allow', 'forbid', 'ignore', 'by_panel_size'),
    families: fc.constantFrom('label', 'weight'),
    onSplit: fc.constantFrom('tie_break', 'fail'),
    tieBreak: fc.shuffledSubarray([...elements]),
    runSeed: fc.integer({ min: 0, max: 15 }).map((digit) => `seed ${digit}`),
  } satisfies Record<string, fc.Arbitrary<unknown>>)
  .map((changes) => recommendedWith(changes as Partial<RuleSettings>));

const polls: fc.Arbitrary<Poll> = fc
  .record({ candidates: fc.integer({ min: 1, max: 4 }), voters: fc.integer({ min: 0, max: 6 }) })
  .chain(({ candidates, voters }) =>
    fc.record({
      candidates: fc.tuple(
        ...range(candidates).map((slot) =>
          fc
            .record({
              changedLines: fc.constantFrom(3, 3, 8),
              changedFiles: fc.constantFrom(0, 1, 1),
              evidence: fc.constantFrom(null, 0, 1),
            })
            .map((changes) => candidate(slot, changes)),
        ),
      ),
      electors: fc.tuple(
        ...range(voters).map((slot) =>
          fc
            .record({
              weight: fc.constantFrom(1, 1, 2, 0.5),
              family: fc.constantFrom('', 'a', 'b'),
            })
            .map((changes) => ({ slot, model: 'm', ...changes })),
        ),
      ),
      ballots: fc
        .tuple(
          ...range(voters).map((voter) =>
            fc.option(
              fc.record({
                voter: fc.constant(voter),
                target: fc.integer({ min: 1, max: candidates }),
                approve: fc.subarray([...range(candidates)]),
                isInformed: fc.boolean(),
              }),
            ),
          ),
        )
        .map((ballots) => ballots.filter((one) => one !== null)),
    }),
  );

function always(holds: (poll: Poll, rules: RuleSettings, shuffle: number) => void): void {
  fc.assert(
    fc.property(polls, neutralRules, fc.nat(), (poll, rules, shuffle) => {
      holds(poll, rules, shuffle);
    }),
    { numRuns, seed: 7 },
  );
}

/** A reordering that a number stands for. */
function shuffled<T>(items: readonly T[], code: number): readonly T[] {
  const left = [...items];
  let rest = code;
  return items.map(() => {
    const at = rest % left.length;
    rest = Math.floor(rest / left.length);
    return left.splice(at, 1)[0] as T;
  });
}

/** The poll with candidates and voters named anew; who wrote what and who voted for what stays. */
function renamed(poll: Poll, name: (slot: Slot) => Slot): Poll {
  return {
    candidates: poll.candidates.map((one) => ({
      ...one,
      ...candidate(name(one.slot), {}),
      ...without(one),
    })),
    electors: poll.electors.map((one) => ({ ...one, slot: name(one.slot) })),
    ballots: poll.ballots.map((one) => ({
      ...one,
      voter: name(one.voter),
      target: name(one.target),
      approve: one.approve.map(name),
    })),
  };
}

function without({
  changedLines,
  changedFiles,
  evidence,
  contentHash,
}: Poll['candidates'][number]) {
  return { changedLines, changedFiles, evidence, contentHash };
}

const essence = ({ winner, outcome, element, isSatisfied }: Decision) => ({
  winner,
  outcome,
  element,
  isSatisfied,
});

describe('a decision', () => {
  it('is anonymous: who of several equal voters cast which ballot makes no difference', () => {
    always((poll, rules, code) => {
      // Voters that are not authors, of one weight and one family.
      const outside = (slot: Slot): Slot => slot + 50;
      const jury: Poll = {
        ...poll,
        electors: poll.electors.map((one) => ({
          ...one,
          slot: outside(one.slot),
          weight: 1,
          family: '',
        })),
        ballots: poll.ballots.map((one) => ({ ...one, voter: outside(one.voter) })),
      };
      const voters = shuffled(
        jury.electors.map(({ slot }) => slot),
        code,
      );
      const swapped = jury.ballots.map((one) => ({
        ...one,
        voter: voters[one.voter - outside(1)] ?? one.voter,
      }));
      expect(essence(decidePoll({ ...jury, ballots: swapped }, rules))).toEqual(
        essence(decidePoll(jury, rules)),
      );
    });
  });

  it('is neutral: with the agents in other slots, the same content wins', () => {
    always((poll, rules, code) => {
      const order = shuffled(range(6), code);
      const name = (slot: Slot): Slot => order[slot - 1] ?? slot;
      const decision = decidePoll(poll, rules);
      const other = decidePoll(renamed(poll, name), rules);
      expect(other.winner).toBe(decision.winner === null ? null : name(decision.winner));
      expect(other.outcome).toBe(decision.outcome);
      expect(other.element).toBe(decision.element);
    });
  });

  it('does not depend on the order of the list, nor on the order in which ballots arrive', () => {
    always((poll, rules, code) => {
      const mixed: Poll = {
        candidates: shuffled(poll.candidates, code),
        electors: shuffled(poll.electors, code + 1),
        ballots: shuffled(poll.ballots, code + 2),
      };
      expect(essence(decidePoll(mixed, rules))).toEqual(essence(decidePoll(poll, rules)));
    });
  });

  it('is monotone: a ballot that moves to the winner leaves it the winner', () => {
    always((poll, rules) => {
      const { winner } = decidePoll(poll, rules);
      const isOther = (one: Poll['ballots'][number]): boolean =>
        one.target !== winner && one.voter !== winner;
      const moved = poll.ballots.find(isOther);
      if (winner !== null && moved !== undefined) {
        const ballots = poll.ballots.map((one) =>
          one === moved ? { ...one, target: winner } : one,
        );
        expect(decidePoll({ ...poll, ballots }, rules).winner).toBe(winner);
      }
    });
  });

  it('never becomes one by the rule when the rule asks for more', () => {
    always((poll, rules) => {
      const asking = (threshold: number): string =>
        decidePoll(poll, { ...rules, rule: 'supermajority', threshold }).outcome;
      const outcomes = [0.4, 0.5, 0.6, 0.8, 1].map(asking);
      const firstUnmet = outcomes.findIndex((outcome) => outcome !== 'decided');
      const after = firstUnmet < 0 ? [] : outcomes.slice(firstUnmet);
      expect(after).not.toContain('decided');
    });
  });

  it('never becomes one by the rule when the rule asks for a larger lead', () => {
    always((poll, rules) => {
      const met = [0, 1, 2, 3].map((margin) => decidePoll(poll, { ...rules, margin }).isSatisfied);
      expect(met).toEqual([...met].sort((a, b) => Number(b) - Number(a)));
    });
  });

  it('is the same under all policies for votes for oneself when nobody votes for itself', () => {
    always((poll, rules) => {
      const ballots = poll.ballots.filter(({ voter, target }) => voter !== target);
      const essences = (['allow', 'forbid', 'ignore', 'by_panel_size'] as const).map((selfVote) =>
        JSON.stringify(essence(decidePoll({ ...poll, ballots }, { ...rules, selfVote }))),
      );
      expect(new Set(essences).size).toBe(1);
    });
  });

  it('ignores votes for oneself exactly: they fill the quorum and count for nobody', () => {
    always((poll, rules) => {
      const { votes, votesFromOthers } = tallyPoll(poll, { ...rules, selfVote: 'ignore' });
      expect(votes).toEqual(votesFromOthers);
    });
  });

  it('is the same when all weights are multiplied', () => {
    always((poll, rules) => {
      const scaled = {
        ...poll,
        electors: poll.electors.map((one) => ({ ...one, weight: one.weight * 1024 })),
      };
      const free = { ...rules, margin: 0, minAgreement: 0 };
      const counted = {
        ...free,
        rule: free.rule === 'min_agreement' ? 'majority' : free.rule,
      } as const;
      expect(essence(decidePoll(scaled, counted))).toEqual(essence(decidePoll(poll, counted)));
      expect(effectiveVoters(scaled.electors, rules.families)).toBeCloseTo(
        effectiveVoters(poll.electors, rules.families),
        9,
      );
    });
  });

  it('never goes to an answer that may not win', () => {
    always((poll, rules) => {
      const [gated, ...rest] = poll.candidates;
      const ballots = poll.ballots.filter(({ target }) => target !== gated?.slot);
      expect(decidePoll({ ...poll, candidates: rest, ballots }, rules).winner).not.toBe(
        gated?.slot,
      );
    });
  });

  it('loses and invents no vote', () => {
    always((poll, rules) => {
      const { votes, weights, ballots, eligibleWeight, missing } = tallyPoll(poll, {
        ...rules,
        selfVote: 'allow',
      });
      const given = [...votes.values()].reduce((sum, weight) => sum + weight, 0);
      const cast = ballots.reduce((sum, { voter }) => sum + (weights.get(voter) ?? 0), 0);
      expect(given).toBeCloseTo(cast, 9);
      expect(given + missing).toBeCloseTo(eligibleWeight, 9);
    });
  });

  it('gives each family one vote at most of its heaviest member', () => {
    always((poll) => {
      const { weights } = tallyPoll(poll, rulesWith({ families: 'weight' }));
      for (const family of ['a', 'b']) {
        const members = poll.electors.filter((one) => one.family === family);
        const sum = members.reduce((total, { slot }) => total + (weights.get(slot) ?? 0), 0);
        const heaviest = Math.max(0, ...members.map(({ weight }) => weight));
        expect(sum).toBeLessThanOrEqual(heaviest + 1e-9);
      }
    });
  });

  it('has only finite numbers, and no winner without candidates', () => {
    always((poll, rules) => {
      const nobody = { ...poll, candidates: [], ballots: [] };
      expect(decidePoll(nobody, rules)).toMatchObject({ winner: null, outcome: 'none' });
      const { share, lead, effectiveVoters: worth, tally } = decidePoll(poll, rules);
      const numbers = [share, lead, worth, tally.best, tally.second, tally.missing];
      expect(numbers.filter((number) => !Number.isFinite(number))).toEqual([]);
      expect(lead).toBeGreaterThanOrEqual(0);
    });
  });

  it('is not called one by the rule without enough ballots or when nobody voted', () => {
    always((poll, rules) => {
      const { outcome } = decidePoll({ ...poll, ballots: [] }, rules);
      expect(outcome).toBe('none');
    });
  });

  it('is worth between one voter and all of them', () => {
    always((poll, rules) => {
      const worth = effectiveVoters(poll.electors, rules.families);
      if (poll.electors.length > 0) {
        expect(worth).toBeGreaterThanOrEqual(1 - 1e-9);
        expect(worth).toBeLessThanOrEqual(poll.electors.length + 1e-9);
      }
    });
  });

  it('is the same byte for byte when it is made again', () => {
    always((poll, rules) => {
      const text = (decision: Decision): string =>
        JSON.stringify({ ...decision, tally: [...decision.tally.votes] });
      const copy = JSON.parse(JSON.stringify(poll)) as Poll;
      expect(text(decidePoll(copy, rules))).toBe(text(decidePoll(poll, rules)));
    });
  });
});
