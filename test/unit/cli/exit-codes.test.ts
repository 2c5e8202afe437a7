import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../src/cli/exit-codes';
import type { RunState } from '../../../src/run/state';
import { sampleRunEvents, stateAfter } from '../../support/sample-run';

const answered = stateAfter(sampleRunEvents);
const ended = (outcome: RunState['outcome']): RunState => ({ ...answered, outcome });
const without = (state: RunState): RunState => ({ ...state, finalAnswer: null });

describe('the exit code', () => {
  it.each([
    ['an accepted answer', ended('completed'), 0],
    ['an answer at the cap of money', ended('budget'), 0],
    ['no answer at the cap of money', without(ended('budget')), 2],
    ['no answer', without(ended('completed')), 2],
    ['no consensus', ended('no-consensus'), 2],
    ['a failed team', ended('error'), 2],
    ['a deadline, also with an answer', ended('timeout'), 3],
    ['a stop by the user', ended('cancelled'), 4],
    ['a run that was cut off', ended('interrupted'), 4],
  ])('of %s', (_what, state, code) => {
    expect(exitCodeOf(state)).toBe(code);
  });

  it('of a deadline with an answer is success only where the team file says so', () => {
    expect(exitCodeOf(ended('timeout'), true)).toBe(0);
    expect(exitCodeOf(without(ended('timeout')), true)).toBe(3);
    expect(exitCodeOf(ended('cancelled'), true)).toBe(4);
  });
});
