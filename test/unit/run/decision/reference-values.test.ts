// What the rules come to over all ways in which voters can vote, against closed forms and their exact values.
import { describe, expect, test } from 'vitest';
import { decidePoll } from '../../../../src/run/decision/decide';
import type { Poll, RuleSettings } from '../../../../src/run/decision/poll';
import { tallyPoll } from '../../../../src/run/decision/tally';
import { breakTie } from '../../../../src/run/decision/tie-break';
import { effectiveVoters } from '../../../../src/run/decision/weights';
import {
  bestOfVerified,
  betaBinomial,
  binomial,
  condorcet,
  mixture,
  poissonBinomialMajority,
} from '../../../support/decision/formulas';
import {
  allChoices,
  candidate,
  elector,
  jury,
  range,
  rulesWith,
} from '../../../support/decision/polls';
import { expectExact, expectPrinted } from '../../../support/decision/printed';
import { accuracyOfJury, preferring, shareOfBest } from '../../../support/decision/voters';

const majority = rulesWith({ rule: 'majority' });

/** Candidate 1 is right; k of n voters say so. */
const split = (n: number, right: number): Poll =>
  jury(
    2,
    n,
    range(n).map((i) => (i <= right ? 1 : 2)),
  );

/** How often the right one is decided, when k of n are right with the probabilities given. */
function decidedRight(
  n: number,
  rules: RuleSettings,
  probability: (right: number) => number,
): number {
  return [0, ...range(n)].reduce((sum, right) => {
    const { winner, outcome } = decidePoll(split(n, right), rules);
    return winner === 1 && outcome === 'decided' ? sum + probability(right) : sum;
  }, 0);
}

const sizes = [3, 5, 7, 9, 15] as const;

describe('a majority of independent voters', () => {
  const printed = {
    0.7: ['0.784', '0.83692', '0.873964', '0.901191', '0.949987'],
    0.6: ['0.648', '0.68256', '0.710208', '0.733432', '0.786897'],
    0.4: ['0.352', '0.31744', '0.289792', '0.266568', '0.213103'],
    0.8: ['0.896', '0.94208', '0.966656', '0.980419', '0.995760'],
    0.9: ['0.972', '0.99144', '0.997272', '0.999109', '0.999966'],
  } as const;

  for (const [quality, values] of Object.entries(printed)) {
    const p = Number(quality);
    test.each(sizes.map((n, i) => [n, values[i] ?? ''] as const))(
      `of quality ${quality} is right, of %i voters: %s`,
      (n, value) => {
        const decided = decidedRight(n, majority, (k) => binomial(n, k, p));
        expectExact(decided, condorcet(n, p));
        expectPrinted(decided, value);
      },
    );
  }

  test('has the exact fractions of three, five and nine voters', () => {
    const of = (n: number): number => decidedRight(n, majority, (k) => binomial(n, k, 0.7));
    expectExact(of(3), 98 / 125);
    expectExact(of(5), 20923 / 25000);
    expectExact(of(9), 45059567 / 50000000);
  });

  test.each(sizes)('of %i is as often right as one of the opposite quality is wrong', (n) => {
    const of = (p: number): number => decidedRight(n, majority, (k) => binomial(n, k, p));
    expectExact(of(0.63) + of(0.37), 1);
    expectExact(of(0.5), 0.5);
  });
});

/** Over all 2^n ways to vote, voter by voter. */
function ofDifferentVoters(
  qualities: readonly number[],
  rules: RuleSettings,
  weightOf: (p: number) => number,
): number {
  let right = 0;
  for (const choices of allChoices(2, qualities.length)) {
    const poll = jury(2, qualities.length, choices, (i) => ({
      weight: weightOf(qualities[i] ?? 0),
    }));
    const probability = choices.reduce(
      (product, slot, i) => product * (slot === 1 ? (qualities[i] ?? 0) : 1 - (qualities[i] ?? 0)),
      1,
    );
    right += decidePoll(poll, rules).winner === 1 ? probability : 0;
  }
  return right;
}

describe('voters of different quality', () => {
  test.each([
    [[0.9, 0.6, 0.6], 99 / 125],
    [[0.8, 0.7, 0.6], 197 / 250],
    [[0.9, 0.7, 0.7], 217 / 250],
    [[0.8, 0.6, 0.6, 0.6, 0.6], 2349 / 3125],
  ])('%j with one vote each: %f', (qualities, value) => {
    const right = ofDifferentVoters(qualities, majority, () => 1);
    expectExact(right, poissonBinomialMajority(qualities));
    expectExact(right, value);
  });

  test.each([
    [[0.8, 0.6, 0.6, 0.6, 0.6], '0.80544'],
    [[0.9, 0.6, 0.6], '0.9'],
    [[0.9, 0.7, 0.7], '0.9'],
    [[0.8, 0.7, 0.6], '0.8'],
  ])('%j weighed by what they know: %s', (qualities, value) => {
    const weighted = rulesWith({ rule: 'weighted' });
    const right = ofDifferentVoters(qualities, weighted, (p) => Math.log(p / (1 - p)));
    expectPrinted(right, value);
  });
});

describe('voters that depend on each other', () => {
  test.each([
    [3, 0.5, '0.742'],
    [5, 0.5, '0.76846'],
    [9, 0.5, '0.8006'],
    [5, 1, '0.7'],
  ])('%i that copy one draw with probability %f: %s', (n, rho, value) => {
    const copied = (k: number): number => (k === n ? 0.7 : k === 0 ? 0.3 : 0);
    const right = decidedRight(
      n,
      majority,
      (k) => (1 - rho) * binomial(n, k, 0.7) + rho * copied(k),
    );
    expectExact(right, (1 - rho) * condorcet(n, 0.7) + rho * 0.7);
    expectPrinted(right, value);
  });

  test.each([
    [0.1, ['0.76185', '0.79398', '0.82745']],
    [0.3, ['0.73166', '0.74425', '0.75518']],
    [0.5, ['0.714', '0.71864', '0.72229']],
    [0.9, ['0.70044', '0.70056', '0.70064']],
  ] as const)('with a pairwise correlation of %f: %j', (rho, values) => {
    [3, 5, 9].forEach((n, i) => {
      expectPrinted(
        decidedRight(n, majority, (k) => betaBinomial(n, k, 0.7, rho)),
        values[i] ?? '',
      );
    });
  });

  test.each([
    [5, 0, '5'],
    [5, 0.1, '3.571'],
    [5, 0.3, '2.273'],
    [5, 0.5, '1.667'],
    [5, 0.8, '1.19'],
    [5, 1, '1'],
    [9, 0.5, '1.8'],
  ])('%i of one family with correlation %f are worth %s', (n, rho, value) => {
    const family = range(n).map((slot) => elector(slot, { family: 'one' }));
    const worth = effectiveVoters(family, 'label', rho);
    expectExact(worth, n / (1 + (n - 1) * rho));
    expectPrinted(worth, value);
  });

  test('three of one family decide alone, until each family has one vote', () => {
    const right = (families: RuleSettings['families']): number => {
      let sum = 0;
      for (const [block = 1, a = 1, b = 1] of allChoices(2, 3)) {
        const poll = jury(2, 5, [block, block, block, a, b], (i) => ({
          family: i < 3 ? 'block' : '',
        }));
        const probability = [block, a, b].reduce((p, x) => p * (x === 1 ? 0.7 : 0.3), 1);
        sum += decidePoll(poll, { ...majority, families }).winner === 1 ? probability : 0;
      }
      return sum;
    };
    expectExact(right('label'), 0.7);
    expectExact(right('weight'), 98 / 125);
  });
});

/** Over all ways in which n voters draw from the same shares; tied leaders share. */
function pluralityOf(shares: readonly number[], n: number): number {
  let right = 0;
  for (const choices of allChoices(shares.length, n)) {
    const probability = choices.reduce((p, slot) => p * (shares[slot - 1] ?? 0), 1);
    right += probability * shareOfBest(tallyPoll(jury(shares.length, n, choices), majority).top);
  }
  return right;
}

describe('a plurality among several', () => {
  test.each([
    [3, 9 / 16],
    [5, 79 / 128],
    [9, 5811 / 8192],
  ])('of %i voters, half of them for the best: %f', (n, value) => {
    expectExact(pluralityOf([0.5, 0.25, 0.25], n), value);
  });

  test.each([
    [[0.4, 0.2, 0.2, 0.2], 3, '0.448'],
    [[0.4, 0.2, 0.2, 0.2], 5, '0.50944'],
    [[0.4, 0.45, 0.15], 3, '0.406'],
    [[0.4, 0.45, 0.15], 5, '0.41464'],
    [[0.4, 0.45, 0.15], 9, '0.417208'],
  ])('with shares %j of %i voters: %s', (shares, n, value) => {
    expectPrinted(pluralityOf(shares, n), value);
  });

  test('with shares (0.4, 0.2, 0.2, 0.2) of 9 voters: 0.598589', () => {
    expectPrinted(pluralityOf([0.4, 0.2, 0.2, 0.2], 9), '0.598589');
  });
});

describe('a rule that asks for k of n', () => {
  test.each([
    [3, 3, '0.343', '0.027', '0.630', '0.92703'],
    [4, 5, '0.52822', '0.03078', '0.441', '0.94494'],
    [5, 5, '0.16807', '0.00243', '0.8295', '0.98575'],
  ])('%i of %i is right, wrong or undecided: %s %s %s', (k, n, right, wrong, none, precision) => {
    const rules = rulesWith({ rule: 'supermajority', threshold: k / n, onSplit: 'fail' });
    const sums = { right: 0, wrong: 0, none: 0 };
    for (const votes of [0, ...range(n)]) {
      const { winner, outcome } = decidePoll(split(n, votes), rules);
      expect(outcome).toBe(winner === null ? 'no-consensus' : 'decided');
      const kind = winner === null ? 'none' : winner === 1 ? 'right' : 'wrong';
      sums[kind] += binomial(n, votes, 0.7);
    }
    expectPrinted(sums.right, right);
    expectPrinted(sums.wrong, wrong);
    expectPrinted(sums.none, none);
    expectPrinted(sums.right / (sums.right + sums.wrong), precision);
  });
});

describe('checks before votes', () => {
  /** The chain asks checks first and then draws a lot that knows nothing of right and wrong. */
  function bestByChecks(n: number, p: number, s: number, f: number): number {
    const rules = rulesWith({ profile: 'recommended', tieBreak: ['evidence'] });
    const kinds = [
      { isRight: true, passes: true, weight: p * s },
      { isRight: true, passes: false, weight: p * (1 - s) },
      { isRight: false, passes: true, weight: (1 - p) * f },
      { isRight: false, passes: false, weight: (1 - p) * (1 - f) },
    ];
    let right = 0;
    for (const choices of allChoices(kinds.length, n)) {
      const probability = choices.reduce((q, kind) => q * (kinds[kind - 1]?.weight ?? 0), 1);
      const candidates = choices.map((kind, i) =>
        candidate(i + 1, { evidence: kinds[kind - 1]?.passes === true ? 1 : 0 }),
      );
      const poll = { candidates, electors: [], ballots: [] };
      if (probability > 0) {
        const { winner } = breakTie(poll, rules, tallyPoll(poll, rules), range(n));
        right += kinds[(choices[winner - 1] ?? 1) - 1]?.isRight === true ? probability : 0;
      }
    }
    return right;
  }

  test.each([
    [3, 0.5, 1, 0, '0.875'],
    [5, 0.5, 1, 0, '0.96875'],
    [3, 0.3, 1, 0, '0.657'],
    [5, 0.3, 1, 0, '0.83193'],
    [5, 0.5, 0.9, 0.2, '0.805134'],
    [5, 0.5, 0.9, 0.1, '0.875'],
    [5, 0.5, 0.5, 0.5, '0.5'],
    [5, 0.3, 0.9, 0.2, '0.615091'],
  ])('best of %i at %f, checks that pass %f and %f: %s', (n, p, s, f, value) => {
    const right = bestByChecks(n, p, s, f);
    expectExact(right, bestOfVerified(n, p, s, f));
    expectPrinted(right, value);
  });

  test.each([
    [8, 0.5, 1, 0, '0.996094'],
    [8, 0.3, 1, 0, '0.942352'],
    [8, 0.5, 0.9, 0.2, '0.816993'],
  ])('best of %i at %f, %f, %f by the closed form: %s', (n, p, s, f, value) => {
    expectPrinted(bestOfVerified(n, p, s, f), value);
  });
});

describe('easy and hard tasks mixed', () => {
  test.each([
    [0.6, 0.85, 0.4, [1, 3, 5, 9, 15, 301], ['.67', '.7043', '.711', '.7032', '.6849', '.6001']],
    [0.7, 0.85, 0.3, [1, 3, 5, 9], ['.685', '.7223', '.7303', '.7257']],
    [0.7, 0.85, 0.1, [1, 3, 5, 9], ['.625', '.6659', '.6839', '.6963']],
    [
      0.3,
      0.6,
      0.3,
      [1, 3, 5, 9, 15, 31, 101, 301],
      ['.39', '.3456', '.3189', '.2892', '.2711', '.2682', '.2937', '.2999'],
    ],
  ] as const)('%f of %f, the rest of %f', (alpha, easy, hard, counts, values) => {
    counts.forEach((n, i) => {
      const byCount = mixture(n, alpha, easy, hard);
      expectPrinted(byCount, values[i] ?? '');
      if (n <= 15) {
        const right = (p: number): number => decidedRight(n, majority, (k) => binomial(n, k, p));
        expectExact(alpha * right(easy) + (1 - alpha) * right(hard), byCount);
      }
    });
  });
});

describe('jurors who wrote none of the candidates', () => {
  test.each([
    [1, '0.7'],
    [2, '0.7'],
    [3, '0.8155'],
    [5, '0.8865'],
  ])('%i of quality 0.7 for three candidates: %s', (jurors, value) => {
    const model = range(jurors).map(() => preferring(3, 0.7));
    expectPrinted(accuracyOfJury(3, model, rulesWith()), value);
  });
});
