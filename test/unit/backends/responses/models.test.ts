import { describe, expect, it } from 'vitest';
import { findModel } from '../../../../src/backends/catalog/lookup';
import { grokModels, openAiModels } from '../../../../src/backends/responses/models';

describe('the models of services for responses', () => {
  const all = [...openAiModels, ...grokModels];

  it('are there once each, with a dated source', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ source }) => !/\b20\d\d\b/.test(source))).toEqual([]);
  });

  it('cost more with a long input, and less with a cached one', () => {
    for (const { id, price } of all) {
      if (price !== undefined) {
        expect([id, price.cachedInputUsd < price.inputUsd]).toEqual([id, true]);
        const long = price.above?.price.inputUsd ?? Infinity;
        expect([id, long > price.inputUsd]).toEqual([id, true]);
      }
    }
  });

  it('have no price that nobody knows', () => {
    expect(findModel(openAiModels, 'gpt-5.6-sol')).not.toHaveProperty('price');
    expect(findModel(openAiModels, 'gpt-5.4-2026-03-05')?.price?.outputUsd).toBe(15);
    expect(findModel(openAiModels, 'gpt-6.2-astra')?.price?.above).toEqual({
      inputTokens: 272_000,
      price: { inputUsd: 16, cachedInputUsd: 0.8, outputUsd: 60, cacheWriteUsd: 20 },
    });
  });
});
