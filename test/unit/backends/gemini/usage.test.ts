import { describe, expect, it } from 'vitest';
import { sumOf, toUsage } from '../../../../src/backends/gemini/usage';

describe('the usage of an answer that took several requests', () => {
  it('is their sum, with the input of the largest by which it is charged', () => {
    const of = (promptTokenCount: number) => toUsage({ promptTokenCount, candidatesTokenCount: 2 });
    const sums = [of(7), of(9), of(8)].reduce((sum, usage) => sumOf(sum, usage));
    expect(sums).toEqual({ inputTokens: 24, outputTokens: 6, largestInputTokens: 9 });
    expect(sumOf(undefined, of(7))).toEqual({ inputTokens: 7, outputTokens: 2 });
  });
});
