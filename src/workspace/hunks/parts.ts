import type { Label } from '../../base/ids';
import type { HunkInfo } from '../../run/facts';
import { hunkId } from './hunks-of';

/** A part with the lines it brings. */
export interface Part {
  readonly id: string;
  readonly label: Label;
  readonly info: HunkInfo;
  readonly lines: readonly string[];
}

/** Reads a part's lines out of the answer it is from; `undefined` when these are not the bytes it was made of. */
export function toPart(
  info: HunkInfo,
  label: Label,
  base: readonly string[],
  now: readonly string[],
): Part | undefined {
  const old = base.slice(info.baseStart, info.baseStart + info.baseLines);
  const lines = now.slice(info.newStart, info.newStart + info.newLines);
  return hunkId(info.baseStart, old, lines) === info.id
    ? { id: info.id, label, info, lines }
    : undefined;
}

/** By their lines in the base; an insertion comes before what replaces the line it stands before. */
export function byPlace(a: HunkInfo, b: HunkInfo): number {
  return a.baseStart - b.baseStart || a.baseLines - b.baseLines;
}

/** The base with some parts in it. The order in which they came does not matter. Parts are sorted and do not overlap. */
export function composeLines(base: readonly string[], parts: readonly Part[]): readonly string[] {
  let position = 0;
  const pieces = parts.map(({ info, lines }) => {
    const between = base.slice(position, info.baseStart);
    position = info.baseStart + info.baseLines;
    return [between, lines];
  });
  return [...pieces.flat(), base.slice(position)].flat();
}

/**
 * Whether two parts cannot both be taken: they replace a common line, one inserts between lines that the other replaces,
 * or both insert in one place, so that nobody knows what comes first.
 */
export function isOverlap(a: HunkInfo, b: HunkInfo): boolean {
  const [first, second] = byPlace(a, b) <= 0 ? [a, b] : [b, a];
  const end = first.baseStart + first.baseLines;
  if (first.baseLines === 0 && second.baseLines === 0) {
    return first.baseStart === second.baseStart;
  }
  return second.baseStart < end;
}
