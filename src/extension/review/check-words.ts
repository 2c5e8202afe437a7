// The results of checks in one line.
import * as vscode from 'vscode';
import type { CheckReport, CheckResult } from '../../run/check-facts';
import type { Label } from '../../base/ids';
import { selectMix } from '../../run/selectors/mix';
import type { RunState } from '../../run/state';

/** Whose proposal it is, and what the checks say about it: `agent2.1 · 3 checks passed`. */
export function proposalInWords(state: RunState): string {
  const { review } = state;
  if (review === null) {
    return '';
  }
  const mix = selectMix(state, vscode.env.language);
  const none = vscode.l10n.t('No checks were run.');
  return mix === undefined
    ? `${review.label} · ${checksOf(state, review.label) ?? none}`
    : `${mix.origins.join(' + ')} · ${mix.sentence === '' ? none : mix.sentence}`;
}

/** What the checks say of an answer; `undefined` when none was run on it. */
export function checksOf({ checks }: RunState, label: Label): string | undefined {
  const known = checks?.answers[label];
  if (known === undefined) {
    return undefined;
  }
  return known.report === null ? vscode.l10n.t('Checks run.') : reportInWords(known.report);
}

/** `3 checks passed`, or what failed by name; what could not be run is never counted as passed. */
function reportInWords({ results }: CheckReport): string {
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

function isPassed({ status }: CheckResult): boolean {
  return status === 'passed';
}

function isFailed({ status }: CheckResult): boolean {
  return status === 'failed' || status === 'timed-out';
}
