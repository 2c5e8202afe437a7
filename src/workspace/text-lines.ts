import { diffArrays } from 'diff';
import { toByteText } from './hunks/byte-text';

/** Longer files are whole files for a review: as lines they would take many times their size in memory. */
const longestText = 8 * 1024 * 1024;

/**
 * The text of a file, `undefined` when it is binary, not UTF-8 or too long to be taken apart. A byte order mark stays in the text, so encoding it
 * again gives the same bytes.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.length > longestText || bytes.subarray(0, 8192).includes(0)) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Lines with their own ends (LF, CRLF or a lone CR); joined they give the text again. Empty for an empty text. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/** A run of lines of `from` (`start` to `end`, exclusive, 0-based) replaced by `lines`. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** A line without its end. */
export function withoutLineEnd(line: string): string {
  return line.replace(/[\r\n]+$/, '');
}

/** Beyond this many differences a finer comparison costs more than it tells. */
const mostDifferences = 2000;

/** Edits that lead from one list of lines to the other, in order, with at least one common line between two of them. */
export function diffLineLists(from: readonly string[], to: readonly string[]): LineEdit[] {
  const edits = findLineEdits(from, to);
  if (edits !== undefined) {
    return edits;
  }
  const prefix = commonPrefix(from, to);
  const suffix = commonSuffix(from, to, prefix);
  const lines = to.slice(prefix, to.length - suffix);
  return [{ start: prefix, end: from.length - suffix, lines }];
}

/** The same; `undefined` when there are too many differences for a fine comparison. */
export function findLineEdits(
  from: readonly string[],
  to: readonly string[],
): LineEdit[] | undefined {
  const prefix = commonPrefix(from, to);
  const suffix = commonSuffix(from, to, prefix);
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const old = from.slice(prefix, from.length - suffix).map(numberOf);
  const next = to.slice(prefix, to.length - suffix).map(numberOf);
  // A line that only one side has is an edit in any comparison; without such lines the rest is found fast.
  const inNext = new Set(next);
  const shared = new Set(old.filter((line) => inNext.has(line)));
  const [oldShared, nextShared] = [placesIn(old, shared), placesIn(next, shared)];
  const changes = diffArrays(
    oldShared.map((place) => old[place] ?? -1),
    nextShared.map((place) => next[place] ?? -1),
    { maxEditLength: mostDifferences },
  );
  if (changes === undefined) {
    return undefined;
  }
  const pairs = matchedPairs(changes).map(
    ([a, b]) => [prefix + (oldShared[a] ?? 0), prefix + (nextShared[b] ?? 0)] as const,
  );
  return betweenPairs([...pairs, [from.length - suffix, to.length - suffix]], prefix, to);
}

/** Lines added and removed between two versions of a file; 0 for what is not text. */
export function countLines(
  from: Uint8Array | undefined,
  to: Uint8Array | undefined,
): { readonly added: number; readonly removed: number; readonly isBinary: boolean } {
  const before = toByteText(from ?? new Uint8Array());
  const after = toByteText(to ?? new Uint8Array());
  if (before === undefined || after === undefined) {
    return { added: 0, removed: 0, isBinary: true };
  }
  const edits = diffLineLists(splitLines(before.text), splitLines(after.text));
  return {
    added: edits.reduce((sum, edit) => sum + edit.lines.length, 0),
    removed: edits.reduce((sum, edit) => sum + edit.end - edit.start, 0),
    isBinary: false,
  };
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) {
    n++;
  }
  return n;
}

function commonSuffix(a: readonly string[], b: readonly string[], prefix: number): number {
  const limit = Math.min(a.length, b.length) - prefix;
  let n = 0;
  while (n < limit && a[a.length - 1 - n] === b[b.length - 1 - n]) {
    n++;
  }
  return n;
}

function placesIn(lines: readonly number[], wanted: ReadonlySet<number>): readonly number[] {
  return lines.flatMap((line, place) => (wanted.has(line) ? [place] : []));
}

/** Places of the lines that stay, in both lists. */
function matchedPairs(
  changes: readonly {
    readonly added: boolean;
    readonly removed: boolean;
    readonly count: number;
  }[],
): readonly (readonly [number, number])[] {
  const pairs: [number, number][] = [];
  let [a, b] = [0, 0];
  for (const { added, removed, count } of changes) {
    for (let n = 0; !added && !removed && n < count; n++) {
      pairs.push([a + n, b + n]);
    }
    a += added ? 0 : count;
    b += removed ? 0 : count;
  }
  return pairs;
}

/** The edits between lines that stay; the last pair is the end of both lists. */
function betweenPairs(
  pairs: readonly (readonly [number, number])[],
  start: number,
  to: readonly string[],
): LineEdit[] {
  const edits: LineEdit[] = [];
  let [a, b] = [start, start];
  for (const [nextA, nextB] of pairs) {
    if (nextA > a || nextB > b) {
      edits.push({ start: a, end: nextA, lines: to.slice(b, nextB) });
    }
    [a, b] = [nextA + 1, nextB + 1];
  }
  return edits;
}
