import { selectCheckMarks } from '../run/selectors/check-marks';
import { agentName } from '../run/selectors/names';
import { revealOnOneLine } from '../run/selectors/visible-text';
import type { CheckSubject } from '../run/check-facts';
import { gatesFailedBy, reportOf } from '../run/checks';
import type { RunState } from '../run/state';
import { language } from './language';
import { printSection } from './print-section';
import { tableLines } from './table';
import type { Terminal } from './terminal';

/** What the checks came to: a row for the untouched project and one for each answer, then what they say where they fail. */
export function printChecks(state: RunState, terminal: Terminal): void {
  const specs = state.settings.checks ?? [];
  if (specs.length === 0) {
    return;
  }
  const subjects: readonly (readonly [string, CheckSubject])[] = [
    ['untouched', { kind: 'baseline' }],
    ...state.agents.flatMap(({ revisions }) =>
      revisions.map(({ label }) => [label, { kind: 'answer', label }] as const),
    ),
  ];
  const rows = subjects.map(([name, subject]) => [
    name,
    ...selectCheckMarks(state, subject, language).map(({ word }) => word),
    subject.kind === 'answer' ? noteOf(state, subject) : '',
  ]);
  const names = specs.map(({ name }) => revealOnOneLine(name));
  const table = tableLines(['Candidate', ...names, ''], rows, terminal.width - 2);
  printSection('Checks', [...table, ...failures(state)], terminal);
}

type AnswerSubject = Extract<CheckSubject, { readonly kind: 'answer' }>;

function noteOf(state: RunState, { label }: AnswerSubject): string {
  const tests = reportOf(state, label)?.tests;
  const changed = (tests?.edited.length ?? 0) + (tests?.deleted.length ?? 0);
  const isOut = gatesFailedBy(state, label).length > 0;
  return [
    ...(isOut ? ['out of the vote'] : []),
    ...(changed > 0 ? [`changed ${changed} of the tests`] : []),
    ...(tests?.isRestored === true ? ['gates ran with those of the project'] : []),
  ].join(', ');
}

/** Of the output of a check that fails anew, this many lines are shown. */
const shownLines = 6;

/** Without empty ones, which test runners print between the others. */
function lastLines(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-shownLines);
}

function failures(state: RunState): readonly string[] {
  return state.agents.flatMap(({ revisions, info }) =>
    revisions.flatMap(({ label }) =>
      (reportOf(state, label)?.results ?? [])
        .filter(({ comparison }) => comparison === 'regression')
        .flatMap(({ name, tail }) => [
          '',
          `${agentName(info.slot)}, ${label}: ${revealOnOneLine(name)} fails, and passes in the untouched project:`,
          ...lastLines(tail).map((line) => `  ${revealOnOneLine(line)}`),
        ]),
    ),
  );
}
