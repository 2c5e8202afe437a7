import type { LineEdit } from '../text-lines';

/** An edit that is to be carried over, with a name for the answer. */
export interface KeyedEdit extends LineEdit {
  readonly key: string;
}

/** Lines from 0, end exclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface MergedEdits {
  /** The live lines with every edit that could be carried over; the lines of conflicts are left as they are. */
  readonly lines: readonly string[];
  /** The same with both sides of each conflict. */
  readonly regions: readonly MergedRegion[];
  /** Keys of edits that meet the user's, with the lines they meet in the live text. */
  readonly conflicts: ReadonlyMap<string, LineRange>;
  /** Keys of edits that the live text already has. */
  readonly there: ReadonlySet<string>;
  /** The user's edits against the lines with the edits that were carried over. */
  readonly mine: readonly LineEdit[];
}

/** A stretch of the result; `theirs` is only there where it is a conflict. */
export interface MergedRegion {
  readonly lines: readonly string[];
  readonly theirs?: readonly string[];
}

interface Region {
  start: number;
  end: number;
  readonly mine: LineEdit[];
  readonly theirs: KeyedEdit[];
}

/**
 * Carries edits of `lines` over to a text that differs from them by the edits in `mine`. Edits of both sides that overlap
 * or touch are a conflict unless they come to the same. Both lists are in order.
 */
export function mergeEdits(
  lines: readonly string[],
  mine: readonly LineEdit[],
  theirs: readonly KeyedEdit[],
): MergedEdits {
  const regions: MergedRegion[] = [];
  const conflicts = new Map<string, LineRange>();
  const there = new Set<string>();
  const kept: LineEdit[] = [];
  // Places in the old lines, in the live ones, and in the old lines with what was carried over.
  let [position, live, carried] = [0, 0, 0];
  for (const region of toRegions(mine, theirs)) {
    const between = lines.slice(position, region.start);
    const own = applyEdits(lines, region, region.mine);
    const other = applyEdits(lines, region, region.theirs);
    live += between.length;
    carried += between.length;
    regions.push({ lines: between });
    if (region.theirs.length > 0 && (region.mine.length === 0 || isEqual(own, other))) {
      regions.push({ lines: other });
      region.theirs.forEach(({ key }) => region.mine.length > 0 && there.add(key));
      carried += other.length;
    } else {
      const isConflict = region.theirs.length > 0;
      regions.push({ lines: own, ...(isConflict ? { theirs: other } : {}) });
      region.theirs.forEach(({ key }) =>
        conflicts.set(key, { start: live, end: live + own.length }),
      );
      kept.push(...region.mine.map((edit) => shifted(edit, carried - region.start)));
      carried += region.end - region.start;
    }
    live += own.length;
    position = region.end;
  }
  regions.push({ lines: lines.slice(position) });
  return { lines: regions.flatMap((each) => each.lines), regions, conflicts, there, mine: kept };
}

/** Where a range of lines stands once edits were made; an edit at its border counts as inside. */
export function mapRange({ start, end }: LineRange, edits: readonly LineEdit[]): LineRange {
  let [from, to] = [start, end];
  for (const edit of edits) {
    const delta = edit.lines.length - (edit.end - edit.start);
    if (edit.end < start || (edit.end === start && edit.start < start)) {
      from += delta;
      to += delta;
    } else if (edit.start <= end) {
      from -= Math.max(0, start - edit.start);
      to += delta + Math.max(0, edit.end - end);
    }
  }
  return { start: from, end: Math.max(from, to) };
}

function shifted({ start, end, lines }: LineEdit, by: number): LineEdit {
  return { start: start + by, end: end + by, lines };
}

function toRegions(mine: readonly LineEdit[], theirs: readonly KeyedEdit[]): readonly Region[] {
  const regions: Region[] = [];
  const open = (edit: LineEdit): Region => {
    let region = regions.at(-1);
    if (region === undefined || edit.start > region.end) {
      region = { start: edit.start, end: edit.end, mine: [], theirs: [] };
      regions.push(region);
    }
    region.end = Math.max(region.end, edit.end);
    return region;
  };
  let [m, t] = [0, 0];
  for (;;) {
    const [own, other] = [mine[m], theirs[t]];
    if (own !== undefined && (other === undefined || isBefore(own, other))) {
      open(own).mine.push(own);
      m++;
    } else if (other !== undefined) {
      open(other).theirs.push(other);
      t++;
    } else {
      return regions;
    }
  }
}

function isBefore(a: LineEdit, b: LineEdit): boolean {
  return a.start < b.start || (a.start === b.start && a.end <= b.end);
}

function applyEdits(
  lines: readonly string[],
  { start, end }: LineRange,
  edits: readonly LineEdit[],
): readonly string[] {
  let position = start;
  const pieces = edits.map((edit) => {
    const between = lines.slice(position, edit.start);
    position = edit.end;
    return [between, edit.lines];
  });
  return [...pieces.flat(), lines.slice(position, end)].flat();
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
