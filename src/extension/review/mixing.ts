// Puts together which parts of which answers shall be proposed for a file. Pure.
import type { Label } from '../../base/ids';
import type { Alternative } from '../../core/ports/review';
import type { HunkInfo, PickedPart } from '../../run/facts';

/** A part that can be chosen, with all answers that have exactly it. */
export interface OfferedPart {
  readonly hunk: HunkInfo;
  /** What is picked when it is chosen. */
  readonly part: PickedPart;
  /** The one it is taken from comes first. */
  readonly labels: readonly Label[];
  readonly isProposed: boolean;
}

/** All different parts that any answer has for a file, in the order of their lines. */
export function offeredParts(
  now: readonly PickedPart[],
  alternatives: readonly Alternative[],
): readonly OfferedPart[] {
  const offered = new Map<string, OfferedPart & { readonly labels: Label[] }>();
  const add = (hunk: HunkInfo, label: Label, isProposed: boolean): void => {
    const known = offered.get(hunk.id);
    if (known === undefined) {
      offered.set(hunk.id, { hunk, part: { label, hunk }, labels: [label], isProposed });
    } else if (!known.labels.includes(label)) {
      known.labels.push(label);
    }
  };
  for (const { label, hunk } of now) {
    if (hunk !== undefined) add(hunk, label, true);
  }
  for (const { label, change } of alternatives) {
    for (const hunk of change.hunks ?? []) add(hunk, label, false);
  }
  return [...offered.values()].toSorted((a, b) => compareParts(a.hunk, b.hunk));
}

/** What would be proposed with another answer in the place of `replaced`: of a part, or of the whole file. */
export function withAlternative(
  now: readonly PickedPart[],
  { label, change, hunks }: Alternative,
  replaced: string | undefined,
): readonly PickedPart[] {
  if (replaced === undefined || change.hunks === undefined) {
    return change.hunks === undefined ? [{ label }] : change.hunks.map((hunk) => ({ label, hunk }));
  }
  const kept = now.filter(({ hunk }) => hunk?.id !== replaced);
  const isKept = (id: string): boolean => kept.some(({ hunk }) => hunk?.id === id);
  const added = hunks.filter(({ id }) => !isKept(id)).map((hunk) => ({ label, hunk }));
  return inOrder([...kept, ...added]);
}

/** `wanted` without the parts that stand in the way of those that `isNew` names. */
export function withoutOverlapped(
  wanted: readonly PickedPart[],
  pairs: readonly (readonly [PickedPart, PickedPart])[],
  isNew: (part: PickedPart) => boolean,
): readonly PickedPart[] {
  const out = new Set(
    pairs.flatMap((pair) => pair.filter((part) => !isNew(part)).map(({ hunk }) => hunk?.id)),
  );
  return wanted.filter((part) => isNew(part) || !out.has(part.hunk?.id));
}

export function inOrder(parts: readonly PickedPart[]): readonly PickedPart[] {
  return parts.toSorted((a, b) =>
    a.hunk === undefined || b.hunk === undefined ? 0 : compareParts(a.hunk, b.hunk),
  );
}

function compareParts(a: HunkInfo, b: HunkInfo): number {
  return a.baseStart - b.baseStart || a.baseLines - b.baseLines;
}
