import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { budgetsFor, cutMiddle, lengthLimit } from '../../../../../src/core/agent/prompt/budget';

describe('the budget for answers in a prompt', () => {
  it('is a share of the window at four characters per token', () => {
    const none = { answersBudgetTokens: null, historyBudgetTokens: null, memoryBudgetTokens: null };
    expect(budgetsFor(none, 10_000)).toEqual({ answers: 16_000, history: 6_000, memory: 4_000 });
    expect(budgetsFor(none, undefined).answers).toBe(204_800);
  });

  it('is what the settings say, whatever the window', () => {
    const own = { answersBudgetTokens: 100, historyBudgetTokens: 50, memoryBudgetTokens: 10 };
    expect(budgetsFor(own, 1_000_000)).toEqual({ answers: 400, history: 200, memory: 40 });
  });

  it('lets everything stand that fits', () => {
    expect(lengthLimit([100, 200, 300], 600)).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes from the longest texts only', () => {
    expect(lengthLimit([300, 5_000, 9_000], 4_300)).toBe(2_000);
  });

  it('never shows more than the budget, unless every text keeps its least', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50_000), { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 2_000, max: 100_000 }),
        (lengths, budget) => {
          const limit = lengthLimit(lengths, budget);
          const sum = lengths.reduce((all, length) => all + Math.min(length, limit), 0);
          expect(sum).toBeLessThanOrEqual(budget);
        },
      ),
      { seed: 11 },
    );
  });

  it('keeps beginning and end of a text and says how much is missing and where it is', () => {
    const text = `${'a'.repeat(600)}${'b'.repeat(600)}`;
    const cut = cutMiddle(text, 100, 'Look at /peers/agent2.');
    expect(cut).toBe(
      `${'a'.repeat(60)}\n[… 1100 characters left out here. Look at /peers/agent2. …]\n${'b'.repeat(40)}`,
    );
  });

  it('does not cut a character in half', () => {
    const cut = cutMiddle('😀'.repeat(300), 101, '');
    expect(cut).not.toMatch(/\p{Surrogate}/u);
  });
});
