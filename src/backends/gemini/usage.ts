import type { Usage } from '../../run/facts';
import { asCount, asObject } from '../wire/json-reading';

/**
 * Counts of one answer so far; every chunk repeats them. The service counts thoughts beside the output and what its tools
 * have read beside the prompt.
 */
export function toUsage(value: unknown): Usage | undefined {
  const counts = asObject(value);
  const count = (name: string): number | undefined => asCount(counts?.[name]);
  const prompt = count('promptTokenCount');
  const cached = count('cachedContentTokenCount');
  const candidates = count('candidatesTokenCount');
  const thoughts = count('thoughtsTokenCount');
  if ([prompt, candidates, thoughts].every((one) => one === undefined)) {
    return undefined;
  }
  const sum = (...parts: readonly (number | undefined)[]): number =>
    parts.reduce<number>((total, part) => total + (part ?? 0), 0);
  return {
    ...(prompt === undefined ? {} : { inputTokens: sum(prompt, count('toolUsePromptTokenCount')) }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    outputTokens: sum(candidates, thoughts),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
  };
}

/** Of one answer that took several requests. */
export function sumOf(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
  if (first === undefined || second === undefined) {
    return first ?? second;
  }
  const names = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'reasoningTokens'] as const;
  const inputs = [first.largestInputTokens ?? first.inputTokens, second.inputTokens];
  const sums = Object.fromEntries(
    names.flatMap((name) => {
      const a = first[name];
      const b = second[name];
      return a === undefined && b === undefined ? [] : [[name, (a ?? 0) + (b ?? 0)]];
    }),
  );
  return { ...sums, largestInputTokens: Math.max(...inputs.map((input) => input ?? 0)) };
}
