import { parseLabel } from '../../base/ids';
import type { Label, Slot } from '../../base/ids';
import type { HunkInfo } from '../facts';
import type { ReviewDecision, ReviewFile } from '../state';
import { formatAdded, formatRemoved } from './formats';
import type { Mention } from './mentions';
import { mentionNote } from './mentions';
import { revealOnOneLine } from './visible-text';

/** An answer that something was taken from. */
export interface Origin {
  readonly slot: Slot;
  readonly label: Label;
}

/** A part of a changed file that is decided on its own. */
export interface ChangedPart {
  readonly id: string;
  /** Where it is in the user's file: `Lines 12–20`, `After line 60`. */
  readonly place: string;
  /** Its first changed line; text of a model. */
  readonly summary: string;
  /** Votes that speak of it: `named in 2 votes`, `dissent`. */
  readonly note: string;
  /** Set where the file is mixed from several answers. */
  readonly origin: Origin | null;
  readonly added: string;
  readonly removed: string;
  readonly decision: ReviewDecision;
  readonly decisionText: string;
  readonly detail: string;
  /** For the names of its buttons: `lines 12 to 20 of duration.ts`. */
  readonly spoken: string;
  /** `lines 12 to 20 of duration.ts, 14 added, 5 removed, named in 2 votes, not decided`. */
  readonly accessibleName: string;
}

interface Around {
  readonly name: string;
  readonly mentions: readonly Mention[];
  readonly language: string;
}

/** The parts of a file in its order; empty where it can only be decided as a whole, or has only one part. */
export function changedParts(file: ReviewFile, around: Around): readonly ChangedPart[] {
  const { hunks = [] } = file;
  return hunks.length < 2 && file.parts === undefined
    ? []
    : hunks.map((hunk) => toPart(file, hunk, around));
}

const words: Readonly<Record<ReviewDecision, string>> = {
  pending: '',
  accepted: 'Accepted',
  rejected: 'Rejected',
  conflict: 'Conflict',
};

function toPart(file: ReviewFile, hunk: HunkInfo, around: Around): ChangedPart {
  const { name, mentions, language } = around;
  const decided = file.hunkDecisions?.[hunk.id];
  const decision = decided?.decision ?? 'pending';
  const decisionText = words[decision];
  const note = mentionNote(mentions, hunk);
  const origin = originOf(file, hunk.id);
  const spoken = `${placeOf(hunk, ' to ').toLowerCase()} of ${name}`;
  const detail = decided?.detail ?? '';
  return {
    id: hunk.id,
    place: placeOf(hunk, '\u2013'),
    summary: revealOnOneLine(hunk.title),
    note,
    origin,
    added: formatAdded(hunk.added, language),
    removed: formatRemoved(hunk.removed, language),
    decision,
    decisionText,
    detail,
    spoken,
    accessibleName: [
      spoken,
      `${hunk.added} added`,
      `${hunk.removed} removed`,
      ...(note === '' ? [] : [note]),
      ...(origin === null ? [] : [`from ${origin.label}`]),
      decisionText === '' ? 'not decided' : decisionText.toLowerCase(),
      ...(detail === '' ? [] : [detail]),
    ].join(', '),
  };
}

/** In the lines of the base, as the user's file has them unless he changed it meanwhile. */
function placeOf({ baseStart, baseLines }: HunkInfo, dash: string): string {
  if (baseLines === 0) {
    return baseStart === 0 ? 'At the beginning' : `After line ${baseStart}`;
  }
  return baseLines === 1
    ? `Line ${baseStart + 1}`
    : `Lines ${baseStart + 1}${dash}${baseStart + baseLines}`;
}

/** Of one part, or of the whole file where it was taken as a whole. */
export function originOf({ parts }: ReviewFile, hunk?: string): Origin | null {
  const label = parts?.find((part) => part.hunk?.id === hunk)?.label;
  const slot = label === undefined ? undefined : parseLabel(label)?.slot;
  return label === undefined || slot === undefined ? null : { label, slot };
}

/** How the parts of a file, or the file that has none, were decided. */
export function decisionsOf({
  hunks = [],
  hunkDecisions,
  decision,
}: ReviewFile): readonly ReviewDecision[] {
  return hunks.length === 0
    ? [decision]
    : hunks.map(({ id }) => hunkDecisions?.[id]?.decision ?? 'pending');
}

/** Something of it is in the user's file. */
export function isPartlyAccepted(file: ReviewFile): boolean {
  return decisionsOf(file).includes('accepted');
}
