// What the results of checks mean. Pure; the engine, the views and the runner of the checks ask here.
import type { Label } from '../base/ids';
import type { CheckReport, CheckResult, CheckSpec } from './check-facts';
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

/** Names of the gates that a candidate fails and the untouched folders pass. */
export function failedGates(
  report: CheckReport,
  specs: readonly CheckSpec[],
): readonly CheckResult[] {
  const gates = new Set(specs.filter(({ mode }) => mode === 'gate').map(({ name }) => name));
  return report.results.filter(
    ({ name, comparison }) => comparison === 'regression' && gates.has(name),
  );
}

/** Whether an answer failed a check anew, so that it can neither be voted for nor win. */
export function isExcluded(state: RunState, label: Label): boolean {
  const report = state.checks?.answers[label]?.report ?? null;
  return report !== null && failedGates(report, state.settings.checks ?? []).length > 0;
}

/** Whether an answer still waits for the end of its checks. Always `false` in a run without checks. */
export function isUnchecked(state: RunState, label: Label): boolean {
  const hasChecks = (state.settings.checks ?? []).length > 0;
  return hasChecks && (state.checks?.answers[label]?.report ?? null) === null;
}

/** Share of the checks that an answer passed, for breaking ties; `null` when none was run. */
export function evidenceOf(state: RunState, label: Label): number | null {
  const results = state.checks?.answers[label]?.report?.results ?? [];
  const told = results.filter(isVerdict);
  return told.length === 0
    ? null
    : told.filter(({ status }) => status === 'passed').length / told.length;
}
