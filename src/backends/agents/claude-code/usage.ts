// What Claude Code states about the tokens of a turn.
import type { Usage } from '../../../run/facts';
import { asCount, asObject } from '../../wire/json-reading';

type Json = Readonly<Record<string, unknown>>;

/** Tokens of one turn. */
export function tokensOf(result: Json): Usage {
  const usage = asObject(result['usage']) ?? {};
  const fresh = asCount(usage['input_tokens']);
  const cached = asCount(usage['cache_read_input_tokens']) ?? 0;
  const written = asCount(usage['cache_creation_input_tokens']) ?? 0;
  const outputTokens = asCount(usage['output_tokens']);
  return {
    ...(fresh === undefined ? {} : { inputTokens: fresh + cached + written }),
    ...(cached === 0 ? {} : { cachedInputTokens: cached }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}

/** Tokens of all models since its cost was nothing; `undefined` when it does not state them. */
export function countedTokens(result: Json): number | undefined {
  const models = Object.values(asObject(result['modelUsage']) ?? {}).map((each) => asObject(each));
  const names = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'];
  const counts = models.flatMap((model) => names.map((name) => asCount(model?.[name]) ?? 0));
  return models.length === 0 ? undefined : counts.reduce((all, each) => all + each, 0);
}
