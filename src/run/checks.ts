// What the results of checks mean. Pure; the engine, the views and the runner of the checks ask here.
import type { Label } from '../base/ids';
import type { CheckReport, CheckResult, CheckSpec } from './check-facts';
import type { Agreement } from './facts';
import type { RunState } from './state';

/** How a candidate's result compares with that of the untouched folders. */
export function compareResults(
  now: Pick<CheckResult, 'status'>,
  baseline: Pick<CheckResult, 'status'> | undefined,
): CheckResult['comparison'] {
  if (!isVerdict(now) || baseline === undefined || !isVerdict(baseline)) {
    return 'unknown';
  }
  const [isGood, wasGood] = [now.status === 'passed', baseline.status === 'passed'];
  if (isGood === wasGood) {
    return 'same';
  }
  return isGood ? 'fixed' : 'regression';
}

/** A check that was not run says nothing. */
function isVerdict({ status }: Pick<CheckResult, 'status'>): boolean {
  return status !== 'not-run';
}

/** Whether the candidates of the run are checked at all. */
export function hasChecks({ settings }: RunState): boolean {
  return (settings.checks ?? []).length > 0;
}

/** Names of the gates that a candidate fails and the untouched folders pass. */
function failedGates(report: CheckReport, specs: readonly CheckSpec[]): readonly CheckResult[] {
  const gates = new Set(specs.filter(({ mode }) => mode === 'gate').map(({ name }) => name));
  return report.results.filter(
    ({ name, comparison }) => comparison === 'regression' && gates.has(name),
  );
}

/** Whether a failed check keeps an answer out. */
export function hasGates({ settings }: RunState): boolean {
  return (settings.checks ?? []).some(({ mode }) => mode === 'gate');
}

/** What the checks of an answer came to; `null` while they have not ended, and in a run without checks. */
export function reportOf({ checks }: RunState, label: Label): CheckReport | null {
  return checks?.answers[label]?.report ?? null;
}

/** Names of the gates that an answer fails anew; none while its checks have not ended. */
export function gatesFailedBy(state: RunState, label: Label): readonly string[] {
  const report = reportOf(state, label);
  return report === null
    ? []
    : failedGates(report, state.settings.checks ?? []).map(({ name }) => name);
}

/** Whether an answer failed a check anew, so that it can neither be voted for nor win. */
export function isExcluded(state: RunState, label: Label): boolean {
  return gatesFailedBy(state, label).length > 0;
}

/** Whether an answer still waits for the end of its checks. Always `false` in a run without checks. */
export function isUnchecked(state: RunState, label: Label): boolean {
  return hasChecks(state) && reportOf(state, label) === null;
}

/** Share of the checks that an answer passed, for breaking ties; `null` when none was run. */
export function evidenceOf(state: RunState, label: Label): number | null {
  const told = (reportOf(state, label)?.results ?? []).filter(isVerdict);
  return told.length === 0
    ? null
    : told.filter(({ status }) => status === 'passed').length / told.length;
}

/**
 * Of answers that nobody voted on, those that were checked, where there are any: what stood the checks goes before what
 * was not tried. Where none was, not to be checked is no fault.
 */
export function checkedFirst<T extends { readonly label: Label }>(
  state: RunState,
  answers: readonly T[],
): readonly T[] {
  const checked = answers.filter(({ label }) => !isUnchecked(state, label));
  return checked.length > 0 ? checked : answers;
}

/** What the checks had to say about the answers that stood when it was decided. */
export function checkFacts(
  state: RunState,
  labels: readonly Label[],
): Pick<Agreement, 'excluded' | 'failedGates' | 'unchecked'> {
  const excluded = labels.filter((label) => isExcluded(state, label));
  const unchecked = labels.filter((label) => isUnchecked(state, label));
  const failed = excluded.map((label) => [label, gatesFailedBy(state, label)] as const);
  return {
    ...(excluded.length === 0 ? {} : { excluded, failedGates: Object.fromEntries(failed) }),
    ...(unchecked.length === 0 ? {} : { unchecked }),
  };
}
