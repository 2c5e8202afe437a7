// What the checks of an answer came to, for those who judge it. Output and paths come from candidates: untrusted text.
import type { Label } from '../../../base/ids';
import type { ChangedTests, CheckReport, CheckResult } from '../../../run/check-facts';
import { gatesFailedBy, hasChecks, reportOf } from '../../../run/checks';
import type { RunState } from '../../../run/state';
import { block } from './delimiters';

/** The results of one answer, with the reader's own paths in them. */
export interface ShownChecks {
  readonly report: CheckReport;
  /** Names of the gates that the answer fails anew. */
  readonly failed: readonly string[];
}

/** `undefined` when there is nothing to tell; `localize` puts the reader's own paths into an output. */
export function shownChecks(
  state: RunState,
  label: Label,
  localize: (text: string) => string,
): ShownChecks | undefined {
  const report = reportOf(state, label);
  if (report === null) {
    return undefined;
  }
  const results = report.results.map((result) => ({ ...result, tail: localize(result.tail) }));
  return { report: { ...report, results }, failed: gatesFailedBy(state, label) };
}

/** Outputs as they are told: those of checks that came out badly. */
export function tailsOf({ report }: ShownChecks): readonly string[] {
  return report.results.filter(hasTail).map(toldTail);
}

function toldTail({ tail }: CheckResult): string {
  return tail.trimEnd().replace(/^/gm, '    ');
}

function hasTail({ status, tail }: CheckResult): boolean {
  return (status === 'failed' || status === 'timed-out') && tail.trim() !== '';
}

/** One delimited block. Of each output the last `tailLimit` characters are told: how it ended says most. */
export function checksBlock(
  label: Label,
  { report, failed }: ShownChecks,
  tailLimit: number,
): string {
  const lines = report.results.flatMap((result) => [
    `- ${oneLine(result.name)}: ${resultWords(result)}`,
    ...(hasTail(result) ? [ending(toldTail(result), tailLimit)] : []),
  ]);
  const verdict =
    failed.length === 0
      ? []
      : [
          `It fails what the untouched project passes (${failed.map(oneLine).join(', ')}), so it cannot be voted for.`,
        ];
  return block(`checks of ${label}`, [...lines, ...testLines(report.tests), ...verdict].join('\n'));
}

/** The results in one line, e.g. for somebody who is shown no labels. */
export function checksLine({ results, tests }: CheckReport): string {
  const all = results.map((result) => `${oneLine(result.name)}: ${resultWords(result)}`);
  return [...all, ...testLines(tests)].join('; ');
}

/** How the untouched folders do, to compare with; empty where nothing was checked. */
export function baselineBlock(state: RunState): string {
  const report = state.checks?.baseline?.report ?? null;
  if (!hasChecks(state) || report === null) {
    return '';
  }
  const lines = report.results.map(
    (result) => `- ${oneLine(result.name)}: ${baselineWords(result)}`,
  );
  return `The same commands are run in the files of every answer and, to compare, in the untouched project:\n${block('checks of the untouched project', lines.join('\n'))}`;
}

function baselineWords({ status, tail }: CheckResult): string {
  return status === 'not-run' ? `not run: ${oneLine(tail)}` : plain[status];
}

const plain = { passed: 'passed', failed: 'failed', 'timed-out': 'took too long' } as const;

function resultWords(result: CheckResult): string {
  const { status, comparison, tail, isFlaky } = result;
  if (status === 'not-run') {
    return `not run: ${oneLine(tail)}`;
  }
  const flaky = isFlaky ? ' (at the second try)' : '';
  if (status === 'passed') {
    return `passed${flaky}${comparison === 'fixed' ? '; it fails in the untouched project' : ''}`;
  }
  const how = status === 'failed' ? 'FAILED' : 'TOOK TOO LONG';
  switch (comparison) {
    case 'regression':
      return `${how} anew; it passes in the untouched project`;
    case 'same':
      return `${plain[status]}, as in the untouched project`;
    default:
      return `${how}; there is no result of the untouched project to compare with`;
  }
}

function testLines({
  edited,
  deleted,
  skipped,
  isRestored,
  rules = [],
}: ChangedTests): readonly string[] {
  const told = paths(
    'Files that it changes and that say what a check does, used as it has them',
    rules,
  );
  const lines = [
    ...paths('Tests that it edits', edited),
    ...paths('Tests that it deletes', deleted),
    ...paths('Tests that it skips', skipped),
  ];
  return lines.length > 0 && isRestored
    ? [...lines, 'The checks were run with the original tests in their place.', ...told]
    : [...lines, ...told];
}

const mostPaths = 10;

function paths(what: string, all: readonly string[]): readonly string[] {
  const named = all.slice(0, mostPaths).map(oneLine).join(', ');
  const more = all.length > mostPaths ? ` and ${all.length - mostPaths} more` : '';
  return all.length === 0 ? [] : [`${what}: ${named}${more}`];
}

function ending(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  // A character of two halves is not cut between them.
  return `    […] ${text.slice(text.length - limit).replace(/^[\udc00-\udfff]/, '')}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
