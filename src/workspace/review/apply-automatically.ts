import type { AutoApply, ReviewResult, ReviewSession, ReviewTarget } from '../../core/ports/review';

/**
 * Accepts what is undecided and needs no confirmation of its own, as the settings allow for files that changed since the
 * run began. Answers for each such file.
 */
export async function applyAutomatically(
  session: ReviewSession,
  { onDrift }: AutoApply,
  signal: AbortSignal,
): Promise<readonly ReviewResult[]> {
  const targets = session.subject.files
    .filter(({ decision, caution }) => decision === 'pending' && caution === undefined)
    .map(({ root, path }): ReviewTarget => ({ root, path }));
  if (onDrift === 'merge' || targets.length === 0) {
    return targets.length === 0 ? [] : session.accept(targets, signal);
  }
  const drifted = new Set<ReviewTarget>();
  for (const target of targets) {
    const { base, live } = await session.versions(target, signal);
    if (!isSame(base, live)) {
      drifted.add(target);
    }
  }
  const isRefused = onDrift === 'fail' && drifted.size > 0;
  const still = isRefused ? [] : targets.filter((target) => !drifted.has(target));
  const results = still.length === 0 ? [] : await session.accept(still, signal);
  const left = targets.filter((target) => isRefused || drifted.has(target));
  return [
    ...results,
    ...left.map((target): ReviewResult => {
      const detail = drifted.has(target)
        ? 'It changed since the run began.'
        : 'Another file changed since the run began.';
      return { ...target, outcome: 'skipped', detail };
    }),
  ];
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined
    ? one === other
    : Buffer.from(one).equals(Buffer.from(other));
}
