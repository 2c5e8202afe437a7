import type { RunHandle } from '../app/app-contract';
import { isDeliverable } from '../run/selectors/deliverables';
import { type DiffLine, diffLines } from './diff-lines';

type Review = NonNullable<ReturnType<RunHandle['review']>>;
export type ReviewResult = Awaited<ReturnType<Review['accept']>>[number];

/** The proposed change of each file, as lines. */
export async function readDiff(
  handle: RunHandle,
  signal: AbortSignal,
): Promise<readonly (readonly DiffLine[])[]> {
  const review = handle.review();
  const files = handle.state().review?.files ?? [];
  if (review === undefined) {
    return [];
  }
  const roots = new Set(files.map(({ root }) => root));
  const diffs: (readonly DiffLine[])[] = [];
  for (const file of files) {
    const { root, path } = file;
    const { base, proposed } = await review.versions({ root, path }, signal);
    const isPlain = roots.size === 1 && !isDeliverable(handle.state(), root);
    const shownPath = isPlain ? path : `${root}/${path}`;
    diffs.push(diffLines(file, { before: base, after: proposed, path: shownPath }));
  }
  return diffs;
}

/** Accepts what needs no decision of its own. */
export async function applyProposal(
  handle: RunHandle,
  signal: AbortSignal,
): Promise<readonly ReviewResult[]> {
  const targets = (handle.state().review?.files ?? [])
    .filter(({ decision, caution }) => decision === 'pending' && caution === undefined)
    .map(({ root, path }) => ({ root, path }));
  const review = handle.review();
  return targets.length === 0 || review === undefined ? [] : review.accept(targets, signal);
}
