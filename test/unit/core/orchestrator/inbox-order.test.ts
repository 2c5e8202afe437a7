import { describe, expect, it } from 'vitest';
import type { Input } from '../../../../src/core/coordination/inputs';
import { inOrder } from '../../../../src/core/orchestrator/inbox-order';

const vote = (slot: number): Input => ({
  kind: 'report',
  slot,
  turnNo: 1,
  report: { kind: 'response', call: 1, actions: [] },
});
const deadline: Input = { kind: 'timer', timer: { kind: 'deadline' } };
const cancel: Input = { kind: 'cancel' };
const text: Input = {
  kind: 'observed',
  event: { type: 'text-delta', slot: 3, turnNo: 1, call: 1, text: 'a' },
};

const ordered = (...arrivals: readonly (readonly [number, Input])[]): readonly Input[] =>
  inOrder(arrivals.map(([at, input]) => ({ at, input }))).map(({ input }) => input);

describe('the order of what arrived', () => {
  it('is that of arrival: a vote before the deadline counts', () => {
    expect(ordered([5, vote(2)], [6, deadline])).toEqual([vote(2), deadline]);
  });

  it('puts stop, then deadline, then agents by slot, when they came in the same millisecond', () => {
    expect(ordered([5, vote(2)], [5, vote(1)], [5, deadline], [5, cancel])).toEqual([
      cancel,
      deadline,
      vote(1),
      vote(2),
    ]);
  });

  it('keeps what was seen before a stop before it', () => {
    expect(ordered([5, text], [5, cancel])).toEqual([text, cancel]);
  });
});
