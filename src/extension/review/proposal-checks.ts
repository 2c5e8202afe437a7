// What the checks say about the proposal as it stands now.
import type { Label } from '../../base/ids';
import type { CheckReport, CheckResult } from '../../run/check-facts';
import { isDeliverable } from '../../run/selectors/deliverables';
import type { ReviewFile, RunState } from '../../run/state';

export type ProposalChecks =
  /** The team had no checks, or the answer was never checked. */
  | { readonly kind: 'none' }
  /** Something was left out or taken from another answer since the checks ran. */
  | { readonly kind: 'not-as-a-whole' }
  | { readonly kind: 'running' }
  | { readonly kind: 'checked'; readonly report: CheckReport };

/** What was checked last counts as long as it is what is proposed now. */
export function proposalChecks(state: RunState): ProposalChecks {
  const { review, checks } = state;
  if (review === null || (state.settings.checks ?? []).length === 0) {
    return { kind: 'none' };
  }
  const { checkedMix } = review;
  const mix = checkedMix === undefined ? undefined : checks?.mixes[checkedMix];
  if (mix !== undefined) {
    return progressOf(mix.report);
  }
  if (isAltered(state)) {
    return { kind: 'not-as-a-whole' };
  }
  const known = checks?.answers[review.label];
  return known === undefined ? { kind: 'none' } : progressOf(known.report);
}

/** Whether what is proposed is not what was voted for any more. */
export function isAltered(state: RunState): boolean {
  const { review } = state;
  const files = review?.files.filter(({ root }) => !isDeliverable(state, root)) ?? [];
  return files.some(
    (file) =>
      hasRejectedPart(file) || (file.parts ?? []).some(({ label }) => label !== review?.label),
  );
}

function hasRejectedPart(file: ReviewFile): boolean {
  const parts = Object.values(file.hunkDecisions ?? {});
  return file.decision === 'rejected' || parts.some(({ decision }) => decision === 'rejected');
}

function progressOf(report: CheckReport | null): ProposalChecks {
  return report === null ? { kind: 'running' } : { kind: 'checked', report };
}

/** The best single answer, and the checks that pass for it and fail for the mix; `undefined` when there are none. */
export function worseThanBest(
  state: RunState,
  mix: CheckReport,
): { readonly label: Label; readonly checks: readonly string[] } | undefined {
  let best: { readonly label: Label; readonly checks: readonly string[] } | undefined;
  let bestCount = -1;
  const labels = state.agents.flatMap(({ revisions }) => revisions.map(({ label }) => label));
  for (const label of labels) {
    const report = state.checks?.answers[label]?.report ?? null;
    const passed = new Set((report?.results ?? []).filter(isPassed).map(({ name }) => name));
    if (passed.size > bestCount) {
      bestCount = passed.size;
      const lost = mix.results.filter((result) => isFailed(result) && passed.has(result.name));
      best = { label, checks: lost.map(({ name }) => name) };
    }
  }
  return best !== undefined && best.checks.length > 0 ? best : undefined;
}

export function isPassed({ status }: CheckResult): boolean {
  return status === 'passed';
}

export function isFailed({ status }: CheckResult): boolean {
  return status === 'failed' || status === 'timed-out';
}
