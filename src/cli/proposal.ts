import type { RunHandle } from '../app/app-contract';
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
    const isPlain = roots.size === 1 && root !== privateRoot;
    const shownPath = isPlain ? path : `${root}/${path}`;
    diffs.push(diffLines(file, { before: base, after: proposed, path: shownPath }));
  }
  return diffs;
}

/** The agent's own folder, which is no folder of the user. */
const privateRoot = 'workspace';

/** Accepts what needs no decision of its own and lies below no protected path. */
export async function applyProposal(
  handle: RunHandle,
  protectedPaths: ReadonlyMap<string, readonly string[]>,
  signal: AbortSignal,
): Promise<readonly ReviewResult[]> {
  const files = handle.state().review?.files ?? [];
  const targets = files
    .filter(({ decision, caution }) => decision === 'pending' && caution === undefined)
    .map(({ root, path }) => ({ root, path }));
  const isProtected = ({ root, path }: { readonly root: string; readonly path: string }): boolean =>
    (protectedPaths.get(root) ?? []).some((each) => `${path}/`.startsWith(`${each}/`));
  const free = targets.filter((target) => !isProtected(target));
  const results = free.length === 0 ? [] : await handle.review()?.accept(free, signal);
  const skipped = targets
    .filter(isProtected)
    .map((target) => ({ ...target, outcome: 'skipped' as const, detail: 'the path is protected' }));
  return [...(results ?? []), ...skipped];
}
