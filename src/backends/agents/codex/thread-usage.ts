import type { Usage } from '../../../run/facts';

/** What threads have used so far: the program counts over all prompts of a thread, whichever process plays them. */
export class ThreadUsage {
  readonly #totals = new Map<string, Usage>();

  /** What was used since the total before; a total that has become smaller was begun anew. */
  since(threadId: string, total: Usage): Usage {
    const before = this.#totals.get(threadId) ?? {};
    this.#totals.set(threadId, total);
    const isSmaller = names.some((name) => (total[name] ?? 0) < (before[name] ?? 0));
    return isSmaller ? total : difference(total, before);
  }
}

const names = [
  ...(['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens'] as const),
  'reasoningTokens',
] as const;

function difference(total: Usage, before: Usage): Usage {
  return Object.fromEntries(
    names.flatMap((name) => {
      const count = total[name];
      return count === undefined ? [] : [[name, count - (before[name] ?? 0)]];
    }),
  );
}
