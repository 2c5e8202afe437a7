// What votes for oneself and places in the list do to a decision, over all ways in which voters can vote.
import { describe, expect, test } from 'vitest';
import { ballotOrder } from '../../../../src/run/decision/ballot-order';
import { selfVotePolicy } from '../../../../src/run/decision/self-votes';
import { tallyPoll } from '../../../../src/run/decision/tally';
import { narrowedBy } from '../../../../src/run/decision/tie-break';
import { binomial } from '../../../support/decision/formulas';
import { draw, seeded, wilson } from '../../../support/decision/chance';
import {
  ballot,
  candidate,
  elector,
  panel,
  range,
  rulesWith,
} from '../../../support/decision/polls';
import { expectExact, expectPrinted } from '../../../support/decision/printed';
import {
  accuracyOfPanel,
  hasty,
  selfish,
  shareOfBest,
  withoutOwn,
} from '../../../support/decision/voters';
import type { VotingModel } from '../../../support/decision/voters';

const counting = rulesWith({ selfVote: 'allow' });

const table = [
  [2, ['.7000', '.6600', '.6200', '.5800', '.5400', '.5000'], '.5000'],
  [3, ['.8155', '.7374', '.6584', '.5701', '.4645', '.3333'], '.7266'],
  [4, ['.8764', '.7977', '.7153', '.6139', '.4695', '.2500'], '.8138'],
  [5, ['.9243', '.8499', '.7665', '.6617', '.4976', '.2000'], '.8861'],
] as const;
const selfShares = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;

describe('votes for oneself', () => {
  test.each(table)('counted with %i agents: the best wins with %j', (n, counted) => {
    selfShares.forEach((self, i) => {
      expectPrinted(accuracyOfPanel(selfish(n, 0.7, self), counting), counted[i] ?? '');
    });
  });

  test.each(table)('not allowed with %i agents: instead of %j, %s', (n, _counted, excluded) => {
    const rules = rulesWith({ selfVote: 'forbid' });
    expectPrinted(accuracyOfPanel(withoutOwn(n, 0.7), rules), excluded);
  });

  test.each([
    [3, 0.228],
    [4, 0.159],
    [5, 0.105],
  ])('cost more than they bring with %i agents from a share of %f on', (n, crossover) => {
    const excluded = accuracyOfPanel(withoutOwn(n, 0.7), counting);
    const counted = (self: number): number => accuracyOfPanel(selfish(n, 0.7, self), counting);
    expect(counted(crossover - 0.001)).toBeGreaterThan(excluded);
    expect(counted(crossover + 0.001)).toBeLessThan(excluded);
  });

  test.each([
    [0, '.7578'],
    [0.2, '.7114'],
    [0.4, '.6498'],
  ])('only ignored, with a share of %f of three agents: %s', (self, value) => {
    const rules = rulesWith({ selfVote: 'ignore' });
    expectPrinted(accuracyOfPanel(selfish(3, 0.7, self), rules), value);
  });

  test('are counted with two voters and not allowed with more, under the rule by size', () => {
    expect([1, 2, 3, 4, 9].map((n) => selfVotePolicy('by_panel_size', n))).toEqual([
      'allow',
      'allow',
      'forbid',
      'forbid',
      'forbid',
    ]);
    expect(selfVotePolicy('ignore', 2)).toBe('ignore');
  });

  test('are shown both ways: with them and without', () => {
    const { votes, votesFromOthers, ignoredSelfVotes } = tallyPoll(panel([1, 1, 3]), counting);
    expect([...votes]).toEqual([
      [1, 2],
      [3, 1],
    ]);
    expect([...votesFromOthers]).toEqual([
      [1, 1],
      [3, 0],
    ]);
    expect(ignoredSelfVotes).toBe(0);
    const ignoring = tallyPoll(panel([1, 1, 3]), rulesWith({ selfVote: 'ignore' }));
    expect([...ignoring.votes]).toEqual([
      [1, 1],
      [3, 0],
    ]);
    expect(ignoring.ignoredSelfVotes).toBe(2);
  });
});

describe('the place in the list', () => {
  const places = [
    [3, ['.8155', '.7140', '.5880', '.4645'], ['.8155', '.7374', '.6584', '.5701']],
    [4, ['.8764', '.7499', '.5753', '.4091'], ['.8764', '.7977', '.7153', '.6139']],
    [5, ['.9243', '.7884', '.5659', '.3510'], ['.9243', '.8499', '.7665', '.6617']],
  ] as const;
  const biases = [0, 0.2, 0.4, 0.6] as const;

  test.each(places)('with %i agents and one order for all: %j', (n, fixed) => {
    biases.forEach((bias, i) => {
      // The best stands in each place of the one order equally often.
      const sum = range(n).reduce((total, first) => {
        const order = [first, ...range(n).filter((slot) => slot !== first)];
        return (
          total +
          accuracyOfPanel(
            hasty(
              range(n).map(() => order),
              0.7,
              bias,
            ),
            counting,
          )
        );
      }, 0);
      expectPrinted(sum / n, fixed[i] ?? '');
    });
  });

  test.each(places)(
    'with %i agents and an order for each: not %j, but %j',
    (n, _fixed, rotated) => {
      const paper = { candidates: range(n), voters: range(n), seed: 'any' };
      const orders = range(n).map((voter) => ballotOrder(paper, voter));
      biases.forEach((bias, i) => {
        expectPrinted(accuracyOfPanel(hasty(orders, 0.7, bias), counting), rotated[i] ?? '');
      });
    },
  );
});

describe('approvals of others', () => {
  /** How many approve of the best and of each other one; which of the others is which makes no difference. */
  function* approvalCounts(
    n: number,
  ): Generator<{ readonly counts: readonly number[]; readonly ways: number }> {
    for (const others of rising(n - 1, n - 1)) {
      const same = range(n).map((k) => others.filter((count) => count === k - 1).length);
      const ways = same.reduce((sum, count) => sum / factorial(count), factorial(n - 1));
      for (const k of range(n)) {
        yield { counts: [k - 1, ...others], ways };
      }
    }
  }

  /** All lists of `length` numbers up to `most` in which none is smaller than the one before. */
  function* rising(length: number, most: number, from = 0): Generator<readonly number[]> {
    if (length === 0) {
      yield [];
      return;
    }
    for (let first = from; first <= most; first++) {
      for (const rest of rising(length - 1, most, first)) {
        yield [first, ...rest];
      }
    }
  }

  const factorial = (n: number): number => range(n).reduce((product, k) => product * k, 1);

  /** The best is approved of with `best`, every other answer with `other`, by each of the others on its own. */
  function byApprovals(n: number, best: number, other: number): number {
    const rules = rulesWith();
    let right = 0;
    for (const { counts, ways } of approvalCounts(n)) {
      const probability = counts.reduce(
        (p, k, i) => p * binomial(n - 1, k, i === 0 ? best : other),
        ways,
      );
      const approvedBy = (voter: number): readonly number[] =>
        counts.flatMap((k, i) => {
          const others = range(n).filter((slot) => slot !== i + 1);
          return others.slice(0, k).includes(voter) ? [i + 1] : [];
        });
      const ballots = range(n).flatMap((voter) => {
        const [first, ...rest] = approvedBy(voter);
        return first === undefined ? [] : [ballot(voter, first, rest)];
      });
      const poll = {
        candidates: range(n).map((slot) => candidate(slot)),
        electors: range(n).map((slot) => elector(slot)),
        ballots,
      };
      const left = narrowedBy('approvals', poll.candidates, {
        rules,
        tally: tallyPoll(poll, rules),
      });
      right += probability * shareOfBest(left.map(({ slot }) => slot));
    }
    return right;
  }

  test.each([
    [3, 0.85, 0.3, '.7899'],
    [4, 0.85, 0.3, '.8246'],
    [5, 0.85, 0.3, '.8595'],
    [3, 0.8, 0.4, '.6661'],
    [4, 0.8, 0.4, '.6717'],
    [5, 0.8, 0.4, '.6903'],
    [7, 0.85, 0.3, '.9153'],
    [7, 0.8, 0.4, '.7384'],
  ])('with %i agents, %f for the best and %f for others: %s', (n, best, other, value) => {
    expectPrinted(byApprovals(n, best, other), value);
  });
});

describe('drawn at random', () => {
  const trials = 4_000;

  /** The share in which the best wins, one panel after the other, with ties shared by chance. */
  function simulated(
    model: VotingModel,
    rules: typeof counting,
    seed: number,
  ): readonly [number, number] {
    const chance = seeded(seed);
    let right = 0;
    for (let i = 0; i < trials; i++) {
      const { top } = tallyPoll(panel(model.map((weights) => draw(weights, chance()) + 1)), rules);
      right += top[Math.floor(chance() * top.length)] === 1 ? 1 : 0;
    }
    return wilson(right, trials);
  }

  test.each([
    [3, 0.2, 0.7374],
    [4, 0.4, 0.7153],
    [5, 0, 0.9243],
    [7, 0, undefined],
  ])('%i agents that vote for themselves with %f win as often as counted', (n, self, exact) => {
    const model = selfish(n, 0.7, self);
    const [low, high] = simulated(model, counting, 1000 * n + 10 * self);
    const value = exact ?? bestOfMany(n);
    expect(value).toBeGreaterThan(low);
    expect(value).toBeLessThan(high);
  });

  /** The best is voted for k times, and each other is at most as often. */
  function bestOfMany(n: number): number {
    let right = 0;
    for (let k = 0; k <= n; k++) {
      right += binomial(n, k, 0.7) * shareWith(k, n - k, n - 1);
    }
    return right;
  }

  /** How much of a win k votes are, when the rest is spread evenly over the others; tied leaders share. */
  function shareWith(k: number, rest: number, others: number): number {
    let sum = 0;
    const walk = (left: number, open: number, tied: number, ways: number): void => {
      if (open === 0) {
        sum += left === 0 && (k > 0 || rest === 0) ? ways / (tied + 1) : 0;
        return;
      }
      for (let votes = 0; votes <= Math.min(left, k); votes++) {
        walk(
          left - votes,
          open - 1,
          tied + (votes === k ? 1 : 0),
          (ways * pick(left, votes)) / others ** votes,
        );
      }
    };
    walk(rest, others, 0, 1);
    return sum;
  }

  function pick(n: number, k: number): number {
    return range(k).reduce((value, i) => (value * (n - k + i)) / i, 1);
  }

  test('the interval is that of Wilson', () => {
    const [low, high] = wilson(50, 100);
    expectExact((low + high) / 2, 0.5);
    expectPrinted(high - low, '.31257');
  });
});
