import { commonLineEnd, hasOnlyEnd, withLineEnd } from '../hunks/line-ends';
import type { KeyedEdit, LineRange, MergedEdits } from '../hunks/merge-edits';
import { mapRange, mergeEdits } from '../hunks/merge-edits';
import type { Part } from '../hunks/parts';
import { composeLines } from '../hunks/parts';
import type { LineEdit } from '../text-lines';
import { diffLineLists } from '../text-lines';

/** Start and end in the composed lines, and how many live lines stand there instead: an edit of the user. */
export type DriftMark = readonly [start: number, end: number, lines: number];

export interface CarryRequest {
  readonly base: readonly string[];
  /** All parts of the proposal, sorted. */
  readonly parts: readonly Part[];
  /** Ids of the parts that the live text has, and of those that it should have. */
  readonly from: ReadonlySet<string>;
  readonly to: ReadonlySet<string>;
  readonly live: readonly string[];
  /** The user's edits, where they are known for exactly these live lines; else they are found by comparison. */
  readonly drift: readonly DriftMark[] | undefined;
}

export interface CarriedParts extends MergedEdits {
  /** Marks of `mine`: they hold for the lines that came out. */
  readonly drift: readonly DriftMark[];
  /** Where each part stands, in the live lines and in those that came out; `null` when it cannot be placed. */
  readonly places: ReadonlyMap<
    string,
    { readonly live: LineRange | null; readonly merged: LineRange | null }
  >;
}

/**
 * Brings the live text from one set of parts to another and keeps the user's edits. Base plus a set of parts is the same
 * text whatever the order in which they came, so nothing here depends on it.
 */
export function carryParts(request: CarryRequest): CarriedParts {
  const { base, parts } = withEndsOf(request);
  const { from, to, live } = request;
  const composed = composeLines(base, chosen(parts, from));
  const mine = knownEdits(request.drift, composed, live) ?? diffLineLists(composed, live);
  const placesFrom = rangesOf(parts, from);
  const theirs = parts.flatMap((part): readonly KeyedEdit[] => {
    const place = placesFrom.get(part.id);
    if (place === undefined || from.has(part.id) === to.has(part.id)) {
      return [];
    }
    const { baseStart, baseLines } = part.info;
    const lines = to.has(part.id) ? part.lines : base.slice(baseStart, baseStart + baseLines);
    return [{ key: part.id, ...place, lines }];
  });
  const merged = mergeEdits(composed, mine, theirs);
  const reached = new Set(
    parts.flatMap(({ id }) => ((merged.conflicts.has(id) ? from : to).has(id) ? [id] : [])),
  );
  const placesTo = rangesOf(parts, reached);
  const places = parts.map(({ id }) => {
    const isPlaced = !merged.conflicts.has(id);
    const at = (place: LineRange | undefined, edits: readonly LineEdit[]): LineRange | null =>
      place === undefined || !isPlaced ? null : mapRange(place, edits);
    const place = { live: at(placesFrom.get(id), mine), merged: at(placesTo.get(id), merged.mine) };
    return [id, place] as const;
  });
  return { ...merged, drift: merged.mine.map(toMark), places: new Map(places) };
}

/** Where the live text has other line ends as a whole than base and proposal, these take its ends. */
function withEndsOf({ base, parts, live }: CarryRequest): Pick<CarryRequest, 'base' | 'parts'> {
  const old = commonLineEnd(base);
  const ends = commonLineEnd(live);
  const isPlain =
    old !== undefined && ends !== undefined && parts.every(({ lines }) => hasOnlyEnd(lines, old));
  if (!isPlain || old === ends) {
    return { base, parts };
  }
  return {
    base: withLineEnd(base, ends),
    parts: parts.map((part) => ({ ...part, lines: withLineEnd(part.lines, ends) })),
  };
}

function chosen(parts: readonly Part[], ids: ReadonlySet<string>): readonly Part[] {
  return parts.filter(({ id }) => ids.has(id));
}

/** Where each part stands in the base with some of the parts in it. */
function rangesOf(
  parts: readonly Part[],
  ids: ReadonlySet<string>,
): ReadonlyMap<string, LineRange> {
  const ranges = new Map<string, LineRange>();
  let shift = 0;
  for (const { id, info, lines } of parts) {
    const start = info.baseStart + shift;
    const length = ids.has(id) ? lines.length : info.baseLines;
    ranges.set(id, { start, end: start + length });
    shift += length - info.baseLines;
  }
  return ranges;
}

/** Marks come from a file on the disk and may be those of another set of parts: then they do not lead to the live lines. */
function knownEdits(
  marks: readonly DriftMark[] | undefined,
  composed: readonly string[],
  live: readonly string[],
): readonly LineEdit[] | undefined {
  let shift = 0;
  let position = 0;
  const edits: LineEdit[] = [];
  for (const [start, end, count] of marks ?? []) {
    if (start < position || end < start || !isSameRun(composed, live, { position, start, shift })) {
      return undefined;
    }
    edits.push({ start, end, lines: live.slice(start + shift, start + shift + count) });
    shift += count - (end - start);
    position = end;
  }
  const rest = { position, start: composed.length, shift };
  const isWhole = live.length === composed.length + shift && isSameRun(composed, live, rest);
  return marks !== undefined && isWhole ? edits : undefined;
}

/** Whether both have the same lines between two edits. */
function isSameRun(
  composed: readonly string[],
  live: readonly string[],
  {
    position,
    start,
    shift,
  }: { readonly position: number; readonly start: number; readonly shift: number },
): boolean {
  for (let at = position; at < start; at++) {
    if (composed[at] !== live[at + shift]) {
      return false;
    }
  }
  return true;
}

function toMark({ start, end, lines }: LineEdit): DriftMark {
  return [start, end, lines.length];
}
