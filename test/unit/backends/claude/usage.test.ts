import { describe, expect, it } from 'vitest';
import { UsageCount } from '../../../../src/backends/claude/usage';

function counted(...streams: readonly (readonly object[])[]) {
  const count = new UsageCount();
  for (const [i, events] of streams.entries()) {
    if (i > 0) {
      count.nextStream();
    }
    for (const event of events) {
      count.read(event);
    }
  }
  return count.sum();
}

describe('the usage of an answer', () => {
  const first = { input_tokens: 10, cache_read_input_tokens: 80, output_tokens: 1 };

  it('counts what is told again once, and what was cached beside the rest', () => {
    expect(counted([first, { ...first, output_tokens: 7 }])).toEqual({
      ...{ inputTokens: 90, cachedInputTokens: 80, outputTokens: 7 },
    });
  });

  it('is the sum of its streams, with the input of the largest by which it is charged', () => {
    const later = { input_tokens: 5, cache_read_input_tokens: 90, output_tokens: 3 };
    expect(counted([first], [later], [{ input_tokens: 2, output_tokens: 2 }])).toEqual({
      ...{ inputTokens: 187, cachedInputTokens: 170, outputTokens: 6, largestInputTokens: 95 },
    });
  });
});
