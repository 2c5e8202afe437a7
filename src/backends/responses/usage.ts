import type { BackendPart } from '../../core/ports/model-backend';
import type { Usage } from '../../run/facts';
import { asCount, asObject } from '../wire/json-reading';

type UsagePart = Extract<BackendPart, { type: 'usage' }>;

/** xAI counts what a request has cost in parts of a dollar. */
const ticksPerUsd = 10_000_000_000;

/** What the service counted; `undefined` when it did not. */
export function usageOf(value: unknown): UsagePart | undefined {
  const counted = asObject(value) ?? {};
  const usage = toUsage(counted);
  const ticks = asCount(counted['cost_in_usd_ticks']);
  // The fees of tools that ran there are in it.
  const cost = ticks === undefined ? {} : { costUsd: ticks / ticksPerUsd, hasFees: false };
  return usage === undefined ? undefined : { type: 'usage', usage, ...cost };
}

/** Input counts hold what came from a cache or went into one, output counts hold reasoning. */
function toUsage(usage: Readonly<Record<string, unknown>>): Usage | undefined {
  const input = asObject(usage['input_tokens_details']);
  const output = asObject(usage['output_tokens_details']);
  const counts = {
    ...count('inputTokens', usage['input_tokens']),
    ...count('cachedInputTokens', input?.['cached_tokens']),
    ...count('cacheWriteTokens', input?.['cache_write_tokens']),
    ...count('outputTokens', usage['output_tokens']),
    ...count('reasoningTokens', output?.['reasoning_tokens']),
  };
  return Object.keys(counts).length === 0 ? undefined : counts;
}

function count(name: keyof Usage, value: unknown): Usage {
  const tokens = asCount(value);
  return tokens === undefined ? {} : { [name]: tokens };
}
