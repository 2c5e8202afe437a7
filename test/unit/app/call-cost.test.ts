import { describe, expect, it } from 'vitest';
import { costOfUsage, tierOf } from '../../../src/app/call-cost';
import type { ModelPrice } from '../../../src/core/ports/backend-kind';

const long: ModelPrice = { inputUsd: 20, cachedInputUsd: 2, cacheWriteUsd: 25, outputUsd: 80 };
const price: ModelPrice = {
  ...{ inputUsd: 10, cachedInputUsd: 1, cacheWriteUsd: 12.5, outputUsd: 50 },
  above: { inputTokens: 200_000, price: long },
};

describe('the cost of a call', () => {
  it.each([
    ['plain tokens', { inputTokens: 100_000, outputTokens: 10_000 }, 1.5],
    [
      'cached tokens once',
      { inputTokens: 100_000, cachedInputTokens: 60_000, outputTokens: 0 },
      0.46,
    ],
    [
      'tokens written into a cache at their own price',
      { inputTokens: 100_000, cacheWriteTokens: 40_000, outputTokens: 0 },
      1.1,
    ],
    [
      'thinking as part of the output',
      { inputTokens: 0, outputTokens: 10_000, reasoningTokens: 9_000 },
      0.5,
    ],
    [
      'no more cached tokens than there are',
      { inputTokens: 10, cachedInputTokens: 50, outputTokens: 0 },
      0.00001,
    ],
    ['the last token of the lower tier', { inputTokens: 200_000, outputTokens: 0 }, 2],
    [
      'several requests at the price of short input when each was short',
      { inputTokens: 400_000, outputTokens: 0, largestInputTokens: 200_000 },
      4,
    ],
    [
      'several requests at the price of long input when one was long',
      { inputTokens: 400_000, outputTokens: 0, largestInputTokens: 200_001 },
      8,
    ],
    [
      'everything at the price of long input',
      { inputTokens: 200_001, outputTokens: 1000 },
      4.08002,
    ],
  ])('counts %s', (_what, usage, usd) => {
    expect(costOfUsage(price, usage)).toBeCloseTo(usd, 8);
  });

  it('takes written tokens for other input where no price of them is known', () => {
    const plain: ModelPrice = { inputUsd: 10, cachedInputUsd: 1, outputUsd: 50 };
    expect(costOfUsage(plain, { inputTokens: 1000, cacheWriteTokens: 1000, outputTokens: 0 })).toBe(
      0.01,
    );
  });

  it.each([
    [undefined, { inputTokens: 1, outputTokens: 1 }],
    [price, { inputTokens: 1 }],
    [price, {}],
  ])('is not guessed', (one, usage) => {
    expect(costOfUsage(one, usage)).toBeNull();
  });

  it('is nothing for a model that costs nothing, counted or not', () => {
    expect(costOfUsage({ inputUsd: 0, cachedInputUsd: 0, outputUsd: 0 }, {})).toBe(0);
  });
});

it('finds the price of the input among several tiers', () => {
  const longest: ModelPrice = { inputUsd: 40, cachedInputUsd: 4, outputUsd: 160 };
  const tiers: ModelPrice = {
    ...price,
    above: { inputTokens: 10, price: { ...long, above: { inputTokens: 20, price: longest } } },
  };
  expect([10, 11, 20, 21].map((tokens) => tierOf(tiers, tokens).inputUsd)).toEqual([
    10, 20, 20, 40,
  ]);
});
