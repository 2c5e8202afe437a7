import type { Usage } from '../../run/facts';
import { asCount, asObject } from '../wire/json-reading';

/**
 * Counts of one answer so far; every chunk repeats them. The service counts thoughts beside the output and what its tools
 * have read beside the prompt.
 */
export function toUsage(value: unknown): Usage | undefined {
  const counts = asObject(value);
  const prompt = asCount(counts?.['promptTokenCount']);
  const candidates = asCount(counts?.['candidatesTokenCount']);
  const thoughts = asCount(counts?.['thoughtsTokenCount']);
  if (prompt === undefined && candidates === undefined && thoughts === undefined) {
    return undefined;
  }
  const cached = asCount(counts?.['cachedContentTokenCount']);
  const forTools = asCount(counts?.['toolUsePromptTokenCount']) ?? 0;
  return {
    ...(prompt === undefined ? {} : { inputTokens: prompt + forTools }),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    outputTokens: (candidates ?? 0) + (thoughts ?? 0),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
  };
}

/** Of one answer that took several requests. */
export function sumOf(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
  if (first === undefined || second === undefined) {
    return first ?? second;
  }
  const names = ['inputTokens', 'cachedInputTokens', 'outputTokens', 'reasoningTokens'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const a = first[name];
      const b = second[name];
      return a === undefined && b === undefined ? [] : [[name, (a ?? 0) + (b ?? 0)]];
    }),
  );
}
