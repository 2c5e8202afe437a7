// The results of checks in one line.
import * as vscode from 'vscode';
import type { CheckReport, CheckResult } from '../../run/check-facts';
import type { RunState } from '../../run/state';
import { type ProposalChecks, isFailed, isPassed } from './proposal-checks';

export function checksInWords(state: RunState, checks: ProposalChecks): string {
  switch (checks.kind) {
    case 'none':
      return (state.settings.checks ?? []).length === 0
        ? vscode.l10n.t('No checks were run.')
        : vscode.l10n.t('Not checked.');
    case 'not-as-a-whole':
      return vscode.l10n.t('Not checked as a whole.');
    case 'running':
      return vscode.l10n.t('Checks run.');
    case 'checked':
      return reportInWords(checks.report);
  }
}

/** `3 checks passed`, or what failed by name; what could not be run is never counted as passed. */
export function reportInWords({ results }: CheckReport): string {
  const failed = results.filter(isFailed);
  const notRun = results.filter(({ status }) => status === 'not-run');
  const anew = failed.filter(({ comparison }) => comparison === 'regression');
  const words = [
    ...(anew.length === 0 ? [] : [vscode.l10n.t('fails {0}', namesOf(anew))]),
    ...(failed.length === anew.length
      ? []
      : [vscode.l10n.t('still fails {0}', namesOf(failed.filter((one) => !anew.includes(one))))]),
    ...(notRun.length === 0 ? [] : [vscode.l10n.t('{0} not run', namesOf(notRun))]),
  ];
  const passed = results.filter(isPassed).length;
  const good =
    passed === 1 ? vscode.l10n.t('1 check passed') : vscode.l10n.t('{0} checks passed', passed);
  return [...words, ...(passed === 0 && words.length > 0 ? [] : [good])].join(' · ');
}

function namesOf(results: readonly CheckResult[]): string {
  return results.map(({ name }) => name).join(', ');
}
