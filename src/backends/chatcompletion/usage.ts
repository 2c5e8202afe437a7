import type { BackendPart } from '../../core/ports/model-backend';
import type { Usage } from '../../run/facts';
import { asArray, asCount, asObject } from '../wire/json-reading';

type UsagePart = Extract<BackendPart, { type: 'usage' }>;

type Json = Readonly<Record<string, unknown>>;

/** The usage of a chunk, wherever its service puts it; `undefined` when it has none. */
export function usageOf(chunk: Json | undefined, tellsCost: boolean): UsagePart | undefined {
  const usage = chunk === undefined ? undefined : placeOf(chunk);
  const counts = usage === undefined ? {} : toUsage(usage);
  if (counts.inputTokens === undefined && counts.outputTokens === undefined) {
    return undefined;
  }
  const cost = tellsCost ? asCount(usage?.['cost']) : undefined;
  return { type: 'usage', usage: counts, ...(cost === undefined ? {} : { costUsd: cost }) };
}

function placeOf(chunk: Json): Json | undefined {
  const choice = asObject(asArray(chunk['choices'])[0]);
  const places = [chunk['usage'], asObject(chunk['x_groq'])?.['usage'], choice?.['usage']];
  return places.map(asObject).find((place) => place !== undefined);
}

function toUsage(usage: Json): Usage {
  const input = asObject(usage['prompt_tokens_details']);
  const output = asObject(usage['completion_tokens_details']);
  // Some name what came from the cache beside the other counts.
  const cached = [
    ...[input?.['cached_tokens'], usage['prompt_cache_hit_tokens'], usage['cached_tokens']],
  ].find((count) => asCount(count) !== undefined);
  const counts: { -readonly [Name in keyof Usage]: number | undefined } = {
    inputTokens: asCount(usage['prompt_tokens']),
    cachedInputTokens: asCount(cached),
    cacheWriteTokens: asCount(input?.['cache_write_tokens']),
    outputTokens: asCount(usage['completion_tokens']),
    reasoningTokens: asCount(output?.['reasoning_tokens']),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
