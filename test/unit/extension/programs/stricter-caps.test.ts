import { expect, it } from 'vitest';
import { stricterCaps } from '../../../../src/extension/programs/stricter-caps';

it('never lifts a limit of the user, and keeps those that are lower', () => {
  const ofUser = { durationMs: 60_000, modelCalls: 100, costUsd: null };
  expect(stricterCaps({ durationMs: null, modelCalls: 5, costUsd: 2 }, ofUser)).toEqual({
    durationMs: 60_000,
    modelCalls: 5,
    costUsd: 2,
  });
  expect(stricterCaps({ durationMs: 90_000, modelCalls: 101, costUsd: null }, ofUser)).toEqual(
    ofUser,
  );
});
