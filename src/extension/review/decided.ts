// What of a review can be taken back.
import type { ReviewTarget } from '../../core/ports/review';
import type { HunkInfo } from '../../run/facts';
import type { ReviewDecision, ReviewFile, RunState } from '../../run/state';
import { partsOf } from './parts';

export interface DecidedItem {
  readonly target: ReviewTarget;
  readonly file: ReviewFile;
  readonly decision: Extract<ReviewDecision, 'accepted' | 'rejected'>;
  /** Absent: the file as a whole. */
  readonly hunk?: HunkInfo;
}

/** Each decided file, and its parts where they were not all decided alike, in the order of the review. */
export function decidedItems(state: RunState): readonly DecidedItem[] {
  const { review } = state;
  if (review === null) {
    return [];
  }
  return review.files.flatMap((file): readonly DecidedItem[] => {
    const { root, path } = file;
    const parts = partsOf(file, review.label);
    const kinds = new Set(parts.map(({ decision }) => decision));
    if (parts.length === 0 || kinds.size === 1) {
      return isDecided(file.decision)
        ? [{ target: { root, path }, file, decision: file.decision }]
        : [];
    }
    return parts.flatMap(({ hunk, decision }) =>
      isDecided(decision) ? [{ target: { root, path, hunk: hunk.id }, file, decision, hunk }] : [],
    );
  });
}

function isDecided(decision: ReviewDecision): decision is DecidedItem['decision'] {
  return decision === 'accepted' || decision === 'rejected';
}
