// When the rest of the votes need not be waited for: never at the price of another result.
import { describe, expect, test } from 'vitest';
import { decidePoll } from '../../../../src/run/decision/decide';
import type { Decision } from '../../../../src/run/decision/decide';
import { castOnly, earlyStop } from '../../../../src/run/decision/early-stop';
import type { Elector, Poll, RuleSettings } from '../../../../src/run/decision/poll';
import { betaAboveHalf, probabilityOfLead } from '../../../../src/run/decision/posterior';
import { tallyPoll } from '../../../../src/run/decision/tally';
import { leadStop, sprtLead } from '../../../support/decision/formulas';
import {
  allChoices,
  candidate,
  elector,
  jury,
  range,
  recommendedWith,
  rulesWith,
} from '../../../support/decision/polls';
import { expectExact, expectPrinted } from '../../../support/decision/printed';

/** What a decision says, without the numbers that grow with each ballot. */
function essence({ winner, outcome, element, isSatisfied }: Decision): unknown {
  return { winner, outcome, element, isSatisfied };
}

const variants: readonly (readonly [name: string, Partial<RuleSettings>])[] = [
  ['plurality', { rule: 'plurality' }],
  ['majority', { rule: 'majority' }],
  ['supermajority', { rule: 'supermajority' }],
  ['unanimity, or nothing', { rule: 'unanimity', onSplit: 'fail' }],
  ['unanimity, or the most', { rule: 'unanimity' }],
  ['three that agree', { rule: 'min_agreement', minAgreement: 3 }],
  ['majority with a lead of two', { rule: 'majority', margin: 2 }],
  ['plurality with a lead of two, or nothing', { margin: 2, onSplit: 'fail' }],
  ['share of 0.6', { rule: 'weighted', threshold: 0.6 }],
];

/** All ways to vote: the votes so far decide the same as all of them, wherever asking stops. */
function stopsOf(
  m: number,
  n: number,
  rules: RuleSettings,
  changes: (index: number) => Partial<Elector> = () => ({}),
): number {
  let stops = 0;
  for (const choices of allChoices(m, n)) {
    const all = jury(m, n, choices, changes);
    const count = range(n - 1).find((k) => {
      const part = { ...all, ballots: all.ballots.slice(0, k) };
      return earlyStop(part, rules) !== undefined;
    });
    if (count !== undefined) {
      stops += 1;
      const part = { ...all, ballots: all.ballots.slice(0, count) };
      const full = essence(decidePoll(all, rules));
      const soFar = essence(decidePoll(part, rules));
      if (JSON.stringify(soFar) !== JSON.stringify(full)) {
        expect({ choices, count, soFar }).toEqual({ choices, count, soFar: full });
      }
    }
  }
  return stops;
}

describe('the exact stop', () => {
  for (const [name, changes] of variants) {
    const rules = recommendedWith({ onSplit: 'tie_break', ...changes, stop: 'exact' });
    test(`decides as the full count does, for all votes of up to 7 voters among 2: ${name}`, () => {
      const stops = range(7).map((n) => stopsOf(2, n, rules));
      expect(Math.max(...stops)).toBeGreaterThan(0);
    });
    test(`decides as the full count does, for all votes of up to 5 voters among 4: ${name}`, () => {
      range(5).forEach((n) => stopsOf(4, n, rules));
      range(6).forEach((n) => stopsOf(3, n, rules));
    });
  }

  test('decides as the full count does, for all votes of 7 voters among 3 and 4', () => {
    const rules = rulesWith({ rule: 'majority', stop: 'exact' });
    expect(stopsOf(3, 7, rules)).toBeGreaterThan(0);
    expect(stopsOf(4, 7, rules)).toBeGreaterThan(0);
  }, 120_000);

  test('decides as the full count does where votes weigh differently', () => {
    const weights = [3, 1, 0.5, 1, 2];
    for (const rule of ['plurality', 'majority', 'weighted'] as const) {
      const rules = rulesWith({ rule, threshold: null, stop: 'exact' });
      expect(stopsOf(3, 5, rules, (i) => ({ weight: weights[i] ?? 1 }))).toBeGreaterThan(0);
    }
  });

  test('decides as the full count does where families share a vote', () => {
    const rules = rulesWith({ rule: 'majority', families: 'weight', stop: 'exact' });
    const family = (i: number): Partial<Elector> => ({ family: i < 3 ? 'one' : '' });
    expect(stopsOf(3, 5, rules, family)).toBeGreaterThan(0);
  });

  test('is not led astray by voters who abstain instead of voting', () => {
    const rules = rulesWith({ rule: 'supermajority', stop: 'exact' });
    for (const choices of allChoices(3, 5)) {
      for (const k of range(4)) {
        const part = jury(
          2,
          5,
          choices.slice(0, k).map((c) => Math.min(c, 2)),
        );
        if (earlyStop(part, rules) !== undefined) {
          const rest = jury(
            2,
            5,
            choices.map((c, i) => (i >= k && c === 3 ? undefined : Math.min(c, 2))),
          );
          expect(essence(decidePoll(castOnly(rest), rules))).toEqual(
            essence(decidePoll(part, rules)),
          );
        }
      }
    }
  });

  test('waits where a close lead would be compared again', () => {
    const two = jury(2, 3, [1, 1, undefined]);
    const rules = rulesWith({ rule: 'majority', stop: 'exact' });
    expect(earlyStop(two, rules)?.by).toBe('exact');
    expect(earlyStop(two, { ...rules, dualPass: 'close' })).toBeUndefined();
  });

  test('says how many were not asked', () => {
    const rules = rulesWith({ rule: 'majority', stop: 'exact' });
    expect(earlyStop(jury(2, 5, [1, 1, 1]), rules)).toEqual({
      by: 'exact',
      unasked: 2,
      probability: null,
    });
  });

  test('never stops before the first vote, nor where all are to be asked', () => {
    const rules = rulesWith({ rule: 'majority', stop: 'exact' });
    expect(earlyStop(jury(2, 3, []), rules)).toBeUndefined();
    expect(earlyStop(jury(2, 3, [1, 1]), { ...rules, stop: 'full' })).toBeUndefined();
  });

  test('stops where nobody can meet the rule and nothing would be chosen', () => {
    const rules = rulesWith({ rule: 'unanimity', stop: 'exact', onSplit: 'fail' });
    expect(earlyStop(jury(2, 4, [1, 2]), rules)?.by).toBe('exact');
    expect(earlyStop(jury(2, 4, [1, 2]), { ...rules, onSplit: 'runoff' })).toBeUndefined();
  });
});

/** Walks over all courses of votes by their counts; answers calls on average and how often candidate 1 wins. */
function asked(
  n: number,
  p: number,
  isEnough: (poll: Poll) => boolean,
): { calls: number; right: number } {
  let open = new Map([['0 0', 1]]);
  const sums = { calls: 0, right: 0 };
  for (let count = 0; count <= n; count++) {
    const next = new Map<string, number>();
    for (const [key, mass] of open) {
      const [a = 0, b = 0] = key.split(' ').map(Number);
      const poll = counted(n, a, b);
      if (a + b === n || isEnough(poll)) {
        sums.calls += mass * (a + b);
        sums.right += a > b ? mass : 0;
        continue;
      }
      next.set(`${a + 1} ${b}`, (next.get(`${a + 1} ${b}`) ?? 0) + mass * p);
      next.set(`${a} ${b + 1}`, (next.get(`${a} ${b + 1}`) ?? 0) + mass * (1 - p));
    }
    open = next;
  }
  return sums;
}

function counted(n: number, a: number, b: number): Poll {
  return jury(2, n, [...range(a).map(() => 1), ...range(b).map(() => 2)]);
}

describe('votes that are needed on average', () => {
  const rules = rulesWith({ rule: 'majority', stop: 'exact' });

  test.each([
    [3, 0.7, '2.42'],
    [3, 0.5, '2.5'],
    [3, 0.9, '2.18'],
    [5, 0.5, '4.125'],
    [5, 0.6, '4.0656'],
    [5, 0.7, '3.8946'],
    [5, 0.8, '3.6336'],
    [5, 0.9, '3.3186'],
    [9, 0.7, '6.85866'],
    [15, 0.7, '11.26347'],
    [9, 0.9, '5.55382'],
    [15, 0.9, '8.88882'],
  ])('of %i voters of quality %f with the exact stop: %s', (n, p, value) => {
    const { calls } = asked(n, p, (poll) => earlyStop(poll, rules) !== undefined);
    expectPrinted(calls, value);
    if (n === 3) {
      expectExact(calls, 2 + 2 * p * (1 - p));
    }
  });

  test.each([
    [0.6, '12.1686', '.7827'],
    [0.7, '10.3648', '.94607'],
    [0.8, '7.9098', '.99443'],
    [0.9, '5.5915', '.99987'],
    [0.95, '4.6941', '.99999'],
  ])('with quality %f and a likely leader, of 15: %s calls, right with %s', (p, calls, right) => {
    const likely = { ...rules, stop: 'posterior' } as const;
    const found = asked(15, p, (poll) => probabilityOfLead(tallyPoll(poll, likely)) >= 0.95);
    expectPrinted(found.calls, calls);
    expectPrinted(found.right, right);
    const withExact = asked(15, p, (poll) => earlyStop(poll, likely) !== undefined);
    expectExact(withExact.right, found.right);
    expect(withExact.calls).toBeLessThan(found.calls);
  });

  test.each([
    [2, 0.7, '.844828', '3.448276'],
    [2, 0.8, '.941176', '2.941176'],
    [2, 0.9, '.987805', '2.439024'],
    [3, 0.7, '.927027', '6.405405'],
  ])('until a lead of %i at %f: right with %s after %s', (k, p, right, votes) => {
    expectPrinted(leadStop(k, p).right, right);
    expectPrinted(leadStop(k, p).votes, votes);
    const walked = walkToLead(k, p);
    expectExact(walked.right, leadStop(k, p).right);
    expectExact(walked.votes, leadStop(k, p).votes);
  });

  test.each([
    [0.7, 4, '.03263', '9.3473'],
    [0.8, 3, '.01538', '4.8462'],
    [0.9, 2, '.0122', '2.439'],
    [0.6, 8, '.03755', '36.9957'],
  ])('in a sequential test of %f: lead %i, wrong with %s after %s', (p, k, wrong, votes) => {
    expect(sprtLead(0.05, p)).toBe(k);
    expectPrinted(1 - leadStop(k, p).right, wrong);
    expectPrinted(leadStop(k, p).votes, votes);
  });
});

/** A walk that ends at a lead of k, step by step until what is left is nothing. */
function walkToLead(k: number, p: number): { right: number; votes: number } {
  let open = new Map([[0, 1]]);
  const sums = { right: 0, votes: 0 };
  for (let step = 1; step <= 2_000; step++) {
    const next = new Map<number, number>();
    for (const [lead, mass] of open) {
      for (const [to, q] of [
        [lead + 1, p],
        [lead - 1, 1 - p],
      ] as const) {
        if (Math.abs(to) === k) {
          sums.votes += mass * q * step;
          sums.right += to > 0 ? mass * q : 0;
        } else {
          next.set(to, (next.get(to) ?? 0) + mass * q);
        }
      }
    }
    open = next;
  }
  return sums;
}

describe('the stop on likelihood', () => {
  const rules = rulesWith({ rule: 'majority', stop: 'posterior' });

  test.each([
    [3, 0, '.9375'],
    [4, 0, '.96875'],
    [3, 1, '.8125'],
    [5, 1, '.9375'],
    [6, 1, '.964844'],
    [7, 2, '.945313'],
    [8, 2, '.967285'],
    [0, 0, '.5'],
  ])('%i to %i means %s', (a, b, value) => {
    expectPrinted(betaAboveHalf(a, b), value);
  });

  test('is no different from the exact stop with three voters, and asks fewer of fifteen', () => {
    expect(earlyStop(counted(15, 3, 0), rules)).toBeUndefined();
    expect(earlyStop(counted(15, 4, 0), rules)).toEqual({
      by: 'posterior',
      unasked: 11,
      probability: 0.96875,
    });
  });

  test('counts only those who were asked: four of four, not four of fifteen', () => {
    const { outcome, share, tally } = decidePoll(castOnly(counted(15, 4, 0)), rules);
    expect({ outcome, share, base: tally.eligibleWeight }).toEqual({
      outcome: 'decided',
      share: 1,
      base: 4,
    });
  });

  test('does not stop where the votes so far do not meet the rule', () => {
    const nine = { ...rules, rule: 'supermajority', threshold: 0.9 } as const;
    expect(earlyStop(counted(15, 7, 1), rules)?.by).toBe('posterior');
    expect(earlyStop(counted(15, 7, 1), nine)).toBeUndefined();
  });

  test('takes a heavy voter for one voter', () => {
    const heavy = {
      candidates: [candidate(1), candidate(2)],
      electors: [elector(100, { weight: 4 }), ...range(8).map((slot) => elector(100 + slot))],
      ballots: [{ voter: 100, target: 1, approve: [], isInformed: true }],
    };
    expect(earlyStop(heavy, { ...rules, rule: 'plurality' })).toBeUndefined();
  });
});
