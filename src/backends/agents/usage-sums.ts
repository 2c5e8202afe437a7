import type { Usage } from '../../run/facts';

const names = [
  ...(['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens'] as const),
  'reasoningTokens',
] as const;

/** Counts that neither of the two states stay unknown. */
export function sumOf(one: Usage, other: Usage): Usage {
  return joined(one, other, (a = 0, b = 0) => a + b);
}

/** What was added to `before`; counts that `total` does not state are unknown. */
export function addedTo(before: Usage, total: Usage): Usage {
  return joined(total, before, (now, then = 0) => (now === undefined ? undefined : now - then));
}

/** Whether one of the counts has become smaller, so that it cannot be a sum of both. */
export function hasShrunk(before: Usage, total: Usage): boolean {
  return names.some((name) => (total[name] ?? 0) < (before[name] ?? 0));
}

function joined(
  one: Usage,
  other: Usage,
  join: (a: number | undefined, b: number | undefined) => number | undefined,
): Usage {
  return Object.fromEntries(
    names.flatMap((name) => {
      const [a, b] = [one[name], other[name]];
      const count = a === undefined && b === undefined ? undefined : join(a, b);
      return count === undefined ? [] : [[name, count]];
    }),
  );
}
