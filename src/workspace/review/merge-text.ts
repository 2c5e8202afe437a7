import { commonLineEnd, withLineEnd } from '../hunks/line-ends';
import type { LineRange, MergedRegion } from '../hunks/merge-edits';
import { mergeEdits } from '../hunks/merge-edits';
import { diffLineLists, splitLines } from '../text-lines';

/** What the two sides of a conflict are called in its markers. */
export interface SideNames {
  readonly live: string;
  readonly proposed: string;
}

export interface MergeResult {
  /** `undefined` on conflict. */
  readonly text: string | undefined;
  /** The whole text with both sides of each conflict between markers; equal to `text` when there is none. */
  readonly withMarkers: string;
  /** Lines of the live text that are in conflict. */
  readonly conflicts: readonly LineRange[];
}

/**
 * Carries the difference from `base` to `proposed` over to `live`. Changes of both sides that overlap or touch are a
 * conflict unless they are the same. Every line keeps its own end; when the live text has other line ends as a whole,
 * the proposal takes them.
 */
export function mergeText(
  base: string,
  proposed: string,
  live: string,
  names: SideNames,
): MergeResult {
  const [from, to, now] = [splitLines(base), splitLines(proposed), splitLines(live)];
  const ends = commonLineEnd(from) === commonLineEnd(to) ? commonLineEnd(now) : undefined;
  const fit = (lines: readonly string[]): readonly string[] =>
    ends === undefined || commonLineEnd(lines) === undefined ? lines : withLineEnd(lines, ends);
  const lines = fit(from);
  const theirs = diffLineLists(lines, fit(to)).map((edit, index) => ({ ...edit, key: `${index}` }));
  const merged = mergeEdits(lines, diffLineLists(lines, now), theirs);
  return {
    text: merged.conflicts.size > 0 ? undefined : merged.lines.join(''),
    withMarkers: markConflicts(merged.regions, names),
    conflicts: [...merged.conflicts.values()],
  };
}

/** The whole text with both sides of each conflict between markers. */
export function markConflicts(regions: readonly MergedRegion[], names: SideNames): string {
  const whole = (lines: readonly string[]): string => {
    const text = lines.join('');
    return text === '' || /[\r\n]$/.test(text) ? text : `${text}\n`;
  };
  return regions
    .map(({ lines, theirs }) =>
      theirs === undefined
        ? lines.join('')
        : `<<<<<<< ${names.live}\n${whole(lines)}=======\n${whole(theirs)}>>>>>>> ${names.proposed}\n`,
    )
    .join('');
}

/** E.g. `12 to 24`; counted from 1, as editors do. */
export function toLineWords(ranges: readonly LineRange[]): string {
  const words = ranges.map(({ start, end }) =>
    end - start > 1 ? `${start + 1} to ${end}` : `${start + 1}`,
  );
  return [...new Set(words)].join(', ');
}
