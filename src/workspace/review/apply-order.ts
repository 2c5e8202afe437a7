import type { ReviewTarget } from '../../core/ports/review';
import type { ManifestEntry } from '../manifest';

/**
 * Files first, then modes, links and deletions, so that a stop half way has lost nothing. A deletion that makes room
 * for a folder comes before what goes into the folder.
 */
export function inWriteOrder(
  targets: readonly ReviewTarget[],
  entryOf: (target: ReviewTarget) => ManifestEntry | undefined,
): readonly ReviewTarget[] {
  const rank = (target: ReviewTarget): number => {
    const now = entryOf(target)?.now;
    if (now?.kind === 'deleted') {
      const makesRoom = targets.some(
        (other) => other.root === target.root && other.path.startsWith(`${target.path}/`),
      );
      return makesRoom ? 0 : 3;
    }
    return now?.kind === 'link' ? 2 : 1;
  };
  return targets
    .map((target, index) => ({ target, index, rank: rank(target) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ target }) => target);
}
