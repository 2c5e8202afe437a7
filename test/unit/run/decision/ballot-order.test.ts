import { describe, expect, it } from 'vitest';
import { ballotOrder } from '../../../../src/run/decision/ballot-order';
import { range } from '../../../support/decision/polls';

describe('the order on the ballot', () => {
  it.each([
    [3, 3],
    [4, 4],
    [3, 6],
    [2, 8],
    [1, 3],
  ])('has each of %i candidates in each place equally often over %i voters', (m, n) => {
    const paper = { candidates: range(m), voters: range(n), seed: 'abc' };
    const orders = range(n).map((voter) => ballotOrder(paper, voter));
    for (let place = 0; place < m; place++) {
      const standing = orders.map((order) => order[place]);
      for (const slot of range(m)) {
        expect(standing.filter((one) => one === slot)).toHaveLength(n / m);
      }
    }
  });

  it.each([
    [3, 4],
    [3, 5],
    [4, 7],
  ])('has each of %i candidates in each place at most once more over %i voters', (m, n) => {
    const paper = { candidates: range(m), voters: range(n), seed: 'abc' };
    const firsts = range(n).map((voter) => ballotOrder(paper, voter)[0]);
    const counts = range(m).map((slot) => firsts.filter((one) => one === slot).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('holds every candidate once, also for somebody who is not on the list of voters', () => {
    const paper = { candidates: range(5), voters: range(5), seed: 'abc' };
    for (const voter of [...range(5), 0, 77]) {
      expect([...ballotOrder(paper, voter)].sort()).toEqual(range(5));
    }
    expect(ballotOrder({ ...paper, candidates: [] }, 1)).toEqual([]);
  });

  it('comes from the seed and not from how candidates and voters are listed', () => {
    const paper = { candidates: [1, 2, 3, 4], voters: [1, 2, 3, 4], seed: 'abc' };
    const turned = { candidates: [4, 2, 1, 3], voters: [3, 4, 1, 2], seed: 'abc' };
    expect(ballotOrder(turned, 2)).toEqual(ballotOrder(paper, 2));
    const firsts = new Set(
      range(20).map((seed) => ballotOrder({ ...paper, seed: `${seed}` }, 1)[0]),
    );
    expect(firsts.size).toBeGreaterThan(1);
  });
});
