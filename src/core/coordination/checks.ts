// Checks before the ballot: when they are asked for, and what nobody may do before they have ended.
import type { Label } from '../../base/ids';
import type { CheckReport, CheckSubject } from '../../run/check-facts';
import { hasChecks, isExcluded, isUnchecked, reportOf } from '../../run/checks';
import type { Revision } from '../../run/facts';
import type { AgentState, RunState } from '../../run/state';
import { currentRevision, currentRevisions } from './ledger';
import type { Step } from './step';

/** Whether the newest answer of anybody still waits for the end of its checks; then nobody votes. */
export function awaitsChecks(state: RunState): boolean {
  return currentRevisions(state).some(({ label }) => isUnchecked(state, label));
}

/** Whether the answer that stands for the agent cannot win. */
export function hasFailed(state: RunState, agent: AgentState): boolean {
  const current = currentRevision(agent);
  return current !== undefined && isExcluded(state, current.label);
}

/** Asks for the checks of an answer that has just been accepted. Those of the one that it replaces are ended. */
export function beginChecks(step: Step, { slot, label, snapshotId }: Revision): void {
  if (!hasChecks(step.state)) {
    return;
  }
  const before = step.state.agents[slot - 1]?.revisions.at(-2)?.label;
  if (before !== undefined && isUnchecked(step.state, before)) {
    step.request({ kind: 'abort-checks', label: before });
    endUnchecked(step, before, 'A newer answer of the same agent came before.');
  }
  if (snapshotId === null) {
    endUnchecked(step, label, 'The files of this answer were not kept.');
  } else {
    step.request({ kind: 'run-checks', subject: { kind: 'answer', label }, snapshotId });
  }
}

function endUnchecked(step: Step, label: Label, why: string): void {
  const report = reportNotRun(step.state, why);
  step.emit({ type: 'checks-ended', subject: { kind: 'answer', label }, report });
}

/** A report without any result; `why` is one sentence for people. */
export function reportNotRun({ settings }: RunState, why: string): CheckReport {
  return {
    results: (settings.checks ?? []).map(({ name }) => ({
      ...{ name, status: 'not-run', exitCode: null, durationMs: 0, tail: why },
      ...{ isCached: false, isFlaky: false, comparison: 'unknown' },
    })),
    tests: { edited: [], deleted: [], skipped: [], isRestored: false },
  };
}

/** Whether the end of these checks is still to come. What the user has put together may be checked again and again. */
export function isAwaited(state: RunState, subject: CheckSubject): boolean {
  switch (subject.kind) {
    case 'baseline':
      return (state.checks?.baseline?.report ?? null) === null;
    case 'answer':
      return (
        state.agents.some(({ revisions }) =>
          revisions.some(({ label }) => label === subject.label),
        ) && reportOf(state, subject.label) === null
      );
    case 'mix':
      return true;
  }
}
