import type { ModelRequest } from '../../src/core/ports/model-backend';

export interface Prefix {
  /** Characters at the beginning that are those of the request before. */
  readonly unchanged: number;
  readonly total: number;
}

/**
 * How much of a request a service has read before, as far as its beginning goes. Services put together what they read
 * in this order: tools, system message, conversation.
 */
export function unchangedPrefix(before: ModelRequest, request: ModelRequest): Prefix {
  const [old, now] = [inputOf(before), inputOf(request)];
  let unchanged = 0;
  while (unchanged < old.length && unchanged < now.length && old[unchanged] === now[unchanged]) {
    unchanged += 1;
  }
  return { unchanged, total: now.length };
}

/** Share of the input of all but the first request that is such a prefix; 0 for less than two requests. */
export function unchangedShare(requests: readonly ModelRequest[]): number {
  let unchanged = 0;
  let total = 0;
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1];
    if (before !== undefined) {
      const prefix = unchangedPrefix(before, request);
      unchanged += prefix.unchanged;
      total += prefix.total;
    }
  }
  return total === 0 ? 0 : unchanged / total;
}

/** Everything is ended by a line of its own, so that a longer list is a continuation of a shorter one. */
function inputOf({ tools, system, messages }: ModelRequest): string {
  return [
    ...tools.map((tool) => JSON.stringify(tool)),
    system,
    ...messages.map((message) => JSON.stringify(message)),
  ].join('\n');
}
