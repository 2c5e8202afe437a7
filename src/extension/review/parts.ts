// The parts of a changed file: where they come from, what was decided about each, and which one a line belongs to.
import type { Label } from '../../base/ids';
import type { FileVersions, ShownHunk } from '../../core/ports/review';
import type { HunkInfo, PickedPart } from '../../run/facts';
import type { ReviewDecision, ReviewFile } from '../../run/state';

/** One part of a file of the review. */
export interface FilePart {
  readonly hunk: HunkInfo;
  readonly from: Label;
  readonly decision: ReviewDecision;
  readonly detail: string;
}

/** In the order of the file; empty when only the whole file can be decided. */
export function partsOf(file: ReviewFile, reviewed: Label): readonly FilePart[] {
  return (file.hunks ?? []).map((hunk) => {
    const decided = file.hunkDecisions?.[hunk.id];
    return {
      hunk,
      from: originOf(file, hunk.id) ?? reviewed,
      decision: decided?.decision ?? 'pending',
      detail: decided?.detail ?? '',
    };
  });
}

/** What is proposed for a file now, in the form in which parts are picked. */
export function pickedParts(file: ReviewFile, reviewed: Label): readonly PickedPart[] {
  const own = file.hunks?.map((hunk) => ({ label: reviewed, hunk })) ?? [{ label: reviewed }];
  return file.parts ?? own;
}

function originOf({ parts }: ReviewFile, hunk: string): Label | undefined {
  return parts?.find((part) => part.hunk?.id === hunk)?.label;
}

/**
 * The parts at the places of the text that a diff shows. While parts conflict, nothing can be merged, and the proposal
 * itself is shown.
 */
export function partsAsShown({ hunks, merged }: FileVersions): readonly ShownHunk[] {
  return merged !== undefined
    ? hunks
    : hunks.map((hunk) => {
        const { newStart, newLines } = hunk.info;
        return { ...hunk, merged: { start: newStart, end: newStart + newLines } };
      });
}

/** Which text of a diff: the user's file, or the proposal for it. */
export type DiffSide = 'live' | 'merged';

/** The part that a line (from 0) lies in; a part without lines is where it would come in or was. */
export function partAtLine(
  hunks: readonly ShownHunk[],
  side: DiffSide,
  line: number,
): ShownHunk | undefined {
  return hunks.find((hunk) => {
    const place = hunk[side];
    return place !== null && line >= place.start && line < Math.max(place.end, place.start + 1);
  });
}

/** The next part below or above a line; goes on at the other end of the file. */
export function partBeside(
  hunks: readonly ShownHunk[],
  side: DiffSide,
  from: { readonly line: number; readonly step: 1 | -1 },
): ShownHunk | undefined {
  const placed = hunks.filter((hunk) => hunk[side] !== null);
  const startOf = (hunk: ShownHunk): number => hunk[side]?.start ?? 0;
  if (from.step === 1) {
    return placed.find((hunk) => startOf(hunk) > from.line) ?? placed[0];
  }
  return placed.findLast((hunk) => startOf(hunk) < from.line) ?? placed.at(-1);
}
