import type { Alternative, ReviewSubject, ReviewTarget } from '../../core/ports/review';
import type { FileChange, HunkInfo } from '../../run/facts';
import { isOverlap } from '../hunks/parts';
import type { SnapshotStore } from '../snapshot-store';
import { isSame } from './plan-change';
import type { Proposal } from './proposal';
import { changeOf, fromAnswer, isSameBase, loadProposal } from './proposal';

/**
 * What the answers have in the place of a file or part. The reviewed answer is among them where the user has taken the
 * file from elsewhere, so that there is a way back.
 */
export function findAlternatives(
  store: SnapshotStore,
  subject: ReviewSubject,
  target: ReviewTarget,
): readonly Alternative[] {
  const file = subject.files.find(({ root, path }) => root === target.root && path === target.path);
  const current = file === undefined ? undefined : loadProposal(store, subject, file);
  const own = file !== undefined && file.parts === undefined ? subject.label : undefined;
  const hunk = current?.parts.find(({ id }) => id === target.hunk)?.info;
  return subject.candidates.flatMap(({ label }): readonly Alternative[] => {
    const change = changeOf(subject, label, file ?? target);
    const theirs =
      label === own || change === undefined
        ? undefined
        : fromAnswer(store, subject, { label, change });
    if (theirs === undefined || change === undefined) {
      return [];
    }
    const found = alternativeTo(current, theirs, { change, hunk });
    return found === undefined || (target.hunk !== undefined && hunk === undefined)
      ? []
      : [{ label, change, ...found }];
  });
}

function alternativeTo(
  current: Proposal | undefined,
  theirs: Proposal,
  { change, hunk }: { readonly change: FileChange; readonly hunk: HunkInfo | undefined },
): Pick<Alternative, 'hunks' | 'isSame'> | undefined {
  const isOnePlace = change.from === current?.file.from;
  const isOneBase = current === undefined || isSameBase(current.base, theirs.base);
  const infos = isOnePlace && isOneBase ? theirs.parts.map(({ info }) => info) : [];
  if (hunk === undefined || infos.length === 0) {
    const isSameText = current !== undefined && isSame(current.proposed, theirs.proposed);
    return { hunks: infos, isSame: isSameText && isOnePlace };
  }
  const touching = infos.filter((info) => info.id === hunk.id || isOverlap(info, hunk));
  return touching.length === 0
    ? undefined
    : { hunks: touching, isSame: touching.length === 1 && touching[0]?.id === hunk.id };
}
