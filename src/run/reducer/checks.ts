import type { CheckEnded, ChecksEnded, ChecksStarted } from '../events';
import type { CheckSubject } from '../check-facts';
import type { CheckState, RunChecks, RunState } from '../state';

const none: RunChecks = { baseline: null, answers: {}, mixes: {} };

export function checksStarted(state: RunState, { subject, names }: ChecksStarted): RunState {
  const begun = withChecks(state, subject, () => ({ names, results: [], report: null }));
  return subject.kind === 'mix' && begun.review !== null
    ? { ...begun, review: { ...begun.review, checkedMix: subject.snapshotId } }
    : begun;
}

export function checkEnded(state: RunState, { subject, result }: CheckEnded): RunState {
  return withChecks(state, subject, (before) => ({
    names: before?.names ?? [result.name],
    // A run that goes on after it was cut off checks again what was not finished.
    results: [...(before?.results ?? []).filter(({ name }) => name !== result.name), result],
    report: before?.report ?? null,
  }));
}

export function checksEnded(state: RunState, { subject, report }: ChecksEnded): RunState {
  const names = report.results.map(({ name }) => name);
  return withChecks(state, subject, () => ({ names, results: report.results, report }));
}

function withChecks(
  state: RunState,
  subject: CheckSubject,
  change: (before: CheckState | undefined) => CheckState,
): RunState {
  const checks = state.checks ?? none;
  switch (subject.kind) {
    case 'baseline':
      return { ...state, checks: { ...checks, baseline: change(checks.baseline ?? undefined) } };
    case 'answer': {
      const { label } = subject;
      const answers = { ...checks.answers, [label]: change(checks.answers[label]) };
      return { ...state, checks: { ...checks, answers } };
    }
    case 'mix': {
      const { snapshotId } = subject;
      const mixes = { ...checks.mixes, [snapshotId]: change(checks.mixes[snapshotId]) };
      return { ...state, checks: { ...checks, mixes } };
    }
  }
}
