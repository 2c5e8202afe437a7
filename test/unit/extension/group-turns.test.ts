import { expect, it } from 'vitest';
import { groupTurns } from '../../../src/extension/views/group-turns';

it('puts the turns of a session together where the newest of them stands', () => {
  const runs = [
    { runId: 'd', sessionId: 'a' },
    { runId: 'c' },
    { runId: 'b', sessionId: 'a' },
    { runId: 'a' },
  ];
  expect(
    groupTurns(runs).map(({ sessionId, turns }) => [sessionId, turns.map(({ runId }) => runId)]),
  ).toEqual([
    ['a', ['d', 'b', 'a']],
    ['c', ['c']],
  ]);
});
