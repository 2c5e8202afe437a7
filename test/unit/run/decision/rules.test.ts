import { describe, expect, it } from 'vitest';
import { rulesWith } from '../../../support/decision/polls';
import { hasQuorum, isSatisfied, neededWeight } from '../../../../src/run/decision/rules';
import type { Tally } from '../../../../src/run/decision/tally';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';

function counted(votes: Readonly<Record<number, number>>, eligibleWeight: number): Tally {
  const pairs = Object.entries(votes).map(([slot, weight]) => [Number(slot), weight] as const);
  const best = Math.max(0, ...pairs.map(([, weight]) => weight));
  const top = pairs.filter(([, weight]) => weight === best).map(([slot]) => slot);
  const others = pairs.filter(([slot]) => slot !== top[0]);
  return {
    electorate: [],
    eligibleWeight,
    ballots: [],
    weights: new Map(),
    votes: new Map(pairs),
    votesFromOthers: new Map(),
    top,
    best,
    second: Math.max(0, ...others.map(([, weight]) => weight)),
    missing: 0,
    ignoredSelfVotes: 0,
  };
}

type Case = readonly [
  rule: CoordinationSettings['rule'],
  more: Partial<CoordinationSettings>,
  votes: Readonly<Record<number, number>>,
  total: number,
  isMet: boolean,
];

const cases: readonly Case[] = [
  ['plurality', {}, { 1: 2, 2: 1 }, 5, true],
  ['plurality', {}, { 1: 2, 2: 2 }, 5, false],
  ['majority', {}, { 1: 2, 2: 2 }, 4, false],
  ['majority', {}, { 1: 2, 2: 1 }, 4, false],
  ['majority', {}, { 1: 3, 2: 1 }, 4, true],
  ['majority', {}, { 1: 2 }, 3, true],
  ['majority', {}, { 1: 1.5 }, 3, false],
  ['supermajority', {}, { 1: 2, 2: 1 }, 3, true],
  ['supermajority', {}, { 1: 3, 2: 2 }, 5, false],
  ['supermajority', { threshold: 0.75 }, { 1: 2, 2: 1 }, 3, false],
  ['supermajority', { threshold: 0.75 }, { 1: 3, 2: 1 }, 4, true],
  ['unanimity', {}, { 1: 3 }, 3, true],
  ['unanimity', {}, { 1: 2 }, 3, false],
  ['min_agreement', { minAgreement: 2 }, { 1: 2, 2: 1 }, 9, true],
  ['min_agreement', { minAgreement: 2 }, { 1: 2, 2: 2 }, 9, false],
  ['min_agreement', { minAgreement: 3 }, { 1: 2 }, 3, false],
  ['weighted', {}, { 1: 0.5, 2: 0.25 }, 5, true],
  ['weighted', { threshold: 0.5 }, { 1: 2, 2: 1 }, 5, false],
  ['weighted', { threshold: 0.5 }, { 1: 2.5 }, 5, true],
  ['plurality', {}, {}, 3, false],
  ['plurality', { margin: 1 }, { 1: 2, 2: 1 }, 5, true],
  ['plurality', { margin: 2 }, { 1: 2, 2: 1 }, 5, false],
  ['majority', { margin: 2 }, { 1: 3, 2: 2 }, 5, false],
  ['majority', { margin: 2 }, { 1: 3, 2: 1 }, 5, true],
];

describe('the rule of a poll', () => {
  it.each(cases)('%s %j with %j of %d is met: %s', (rule, more, votes, total, isMet) => {
    expect(isSatisfied(rulesWith({ rule, ...more }), counted(votes, total))).toBe(isMet);
  });

  it.each([
    ['plurality', {}, 3, null],
    ['majority', {}, 3, 2],
    ['majority', {}, 4, 3],
    ['majority', {}, 2.5, 1.25],
    ['supermajority', {}, 3, 2],
    ['supermajority', {}, 4, 3],
    ['supermajority', { threshold: 0.75 }, 4, 3],
    ['unanimity', {}, 4, 4],
    ['min_agreement', { minAgreement: 3 }, 4, 3],
    ['weighted', {}, 4, null],
    ['weighted', { threshold: 0.5 }, 5, 3],
  ] as const)('%s %j needs of %d: %s', (rule, more, total, needed) => {
    expect(neededWeight(rulesWith({ rule, ...more }), total)).toBe(needed);
  });

  it('does not round what it needs up to a whole vote where votes are fractions', () => {
    expect(neededWeight(rulesWith({ rule: 'majority' }), 2, false)).toBe(1);
  });

  it.each([
    [1, 3, 2, false],
    [1, 3, 3, true],
    [0.66, 3, 1, false],
    [0.66, 3, 2, true],
    [2 / 3, 3, 2, true],
    [0.5, 4, 2, true],
    [0.5, 4, 1, false],
    [1, 0, 0, false],
  ])('a quorum of %d of %d electors is met by %d ballots: %s', (quorum, electors, cast, isMet) => {
    const ballot = { voter: 1, target: 1, approve: [], isInformed: true };
    const tally = {
      ...counted({}, electors),
      electorate: Array.from({ length: electors }, (_unused, i) => i + 1),
      ballots: Array.from({ length: cast }, () => ballot),
    };
    expect(hasQuorum(rulesWith({ quorum }), tally)).toBe(isMet);
  });
});
