import type { Usage } from '../../run/facts';
import { asCount, asObject } from '../wire/json-reading';

/** Input counts hold what came from a cache or went into one, output counts hold reasoning. */
export function toUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const input = asObject(usage?.['input_tokens_details']);
  const output = asObject(usage?.['output_tokens_details']);
  const counts = {
    ...count('inputTokens', usage?.['input_tokens']),
    ...count('cachedInputTokens', input?.['cached_tokens']),
    ...count('cacheWriteTokens', input?.['cache_write_tokens']),
    ...count('outputTokens', usage?.['output_tokens']),
    ...count('reasoningTokens', output?.['reasoning_tokens']),
  };
  return Object.keys(counts).length === 0 ? undefined : counts;
}

function count(name: keyof Usage, value: unknown): Usage {
  const tokens = asCount(value);
  return tokens === undefined ? {} : { [name]: tokens };
}
