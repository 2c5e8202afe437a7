/** `text` cut to at most `limit` UTF-16 units, never inside a surrogate pair, with `…` as the last one when it was cut. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const end = Math.max(0, limit - 1);
  const last = text.charCodeAt(end - 1);
  const isSplit = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, isSplit ? end - 1 : end)}…`;
}

/** Edit distance with unit costs, for "did you mean" hints; meant for short words. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_unused, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The candidate nearest to `word`, or `undefined` when none is near enough to be a plausible typing error. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    // No shorter way leads from one length to the other.
    if (Math.abs(candidate.length - word.length) >= bestDistance) {
      continue;
    }
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * The candidates that hold all words of `name`, e.g. `enable_web_search` for `web_search`; of a single word only those that begin
 * with it, when there are such. Case, separators and a final s do not count.
 */
export function withWordsOf(name: string, candidates: readonly string[]): readonly string[] {
  const wanted = wordsOf(name);
  if (wanted.join('').length < 3) {
    return [];
  }
  const holding = candidates.filter((each) => {
    const words = wordsOf(each);
    return wanted.every((word) => words.includes(word));
  });
  const [only, ...more] = wanted;
  const beginning = more.length > 0 ? [] : holding.filter((each) => wordsOf(each)[0] === only);
  return beginning.length > 0 ? beginning : holding;
}

function wordsOf(name: string): readonly string[] {
  const separated = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const words = separated.split(/[^a-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.replace(/(?<=..)s$/, ''));
}

/** `text` with a mark for each half of a surrogate pair that stands alone: services refuse requests that hold one. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\ufffd');
}

/** The first `most` of `items` for one line, and how many more there are: `a, b and 3 more`. */
export function firstOf(items: readonly string[], most: number): string {
  const more = items.length - most;
  const shown = items.slice(0, most).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
