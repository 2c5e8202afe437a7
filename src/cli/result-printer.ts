import { formatCount } from '../run/selectors/formats';
import { agentName } from '../run/selectors/names';
import { selectChangedFiles } from '../run/selectors/changed-files';
import { selectCosts } from '../run/selectors/costs';
import { selectProblems } from '../run/selectors/problems';
import { answerNotes } from '../run/selectors/sources';
import { selectTally } from '../run/selectors/tally';
import { selectVerdict } from '../run/selectors/verdict';
import { revealHidden, revealOnOneLine } from '../run/selectors/visible-text';
import type { RunState } from '../run/state';
import type { DiffLine } from './diff-lines';
import { printChecks } from './check-printer';
import { language } from './language';
import { printSection } from './print-section';
import { tableLines, wrap } from './table';
import { styled, type Style, type Terminal } from './terminal';

/** Prints what a run came to: verdict, votes with reasons, answer, proposed changes, and what it took. */
export function printResult(
  state: RunState,
  diff: readonly (readonly DiffLine[])[],
  terminal: Terminal,
): void {
  printDecision(state, terminal);
  printChanges(state, diff, terminal);
  printUsage(state, terminal);
}

/** What was decided, why, and the answer. */
export function printDecision(state: RunState, terminal: Terminal): void {
  printProblems(state, terminal);
  printVerdict(state, terminal);
  printChecks(state, terminal);
  printVotes(state, terminal);
  if (state.finalAnswer !== null) {
    const lines = revealHidden(state.finalAnswer.text).split('\n');
    printSection('Final answer', [...lines, ...answerNotes(state.finalAnswer)], terminal);
  }
}

function printProblems(state: RunState, terminal: Terminal): void {
  for (const { heading, text, detail } of selectProblems(state, language)) {
    const lines = [...paragraph(text, terminal), ...detail.map(revealOnOneLine)];
    printSection(heading, lines, terminal);
  }
}

function printVerdict(state: RunState, terminal: Terminal): void {
  const verdict = selectVerdict(state, language);
  if (verdict !== undefined) {
    const { headline, paragraph: text, familyWarning } = verdict;
    const lines = [headline, text, familyWarning ?? ''].filter((line) => line !== '');
    printSection(
      'Result',
      lines.flatMap((line) => paragraph(line, terminal)),
      terminal,
    );
  }
}

/** Who voted for what and why, then the count with and without votes for oneself. */
function printVotes(state: RunState, terminal: Terminal): void {
  const { rows } = selectTally(state);
  const votes = rows
    .flatMap(({ label, voters }) => voters.map((voter) => ({ ...voter, label })))
    .toSorted((a, b) => a.slot - b.slot);
  if (votes.length === 0) {
    return;
  }
  const lines = tableLines(
    ['Voter', 'Vote', 'Reason'],
    votes.map(({ slot, isSelf, label, reason }) => [
      agentName(slot),
      isSelf ? `${label} (its own)` : label,
      revealOnOneLine(reason),
    ]),
    terminal.width - 2,
  );
  const counts = tableLines(
    ['Candidate', 'Votes', 'Without self-votes'],
    rows.map(({ label, votes: all, votesFromOthers, isWinner }) => [
      `${label}${isWinner ? ' (chosen)' : ''}`,
      formatCount(all, language),
      formatCount(votesFromOthers, language),
    ]),
    terminal.width - 2,
  );
  printSection('Votes', [...lines, '', ...counts], terminal);
}

const diffStyles: Readonly<Partial<Record<DiffLine['kind'], Style>>> = {
  head: 'bold',
  hunk: 'cyan',
  added: 'green',
  removed: 'red',
  note: 'dim',
};

function printChanges(
  state: RunState,
  diff: readonly (readonly DiffLine[])[],
  terminal: Terminal,
): void {
  if (state.review === null) {
    return;
  }
  const { files, count, added, removed } = selectChangedFiles(state, language);
  if (files.length === 0) {
    printSection('Proposed changes', ['No file was changed.'], terminal);
    return;
  }
  printSection(`Proposed changes: ${count} ${added} ${removed}`, [], terminal);
  for (const lines of diff) {
    for (const { kind, text } of lines) {
      const style = diffStyles[kind];
      terminal.write(`${style === undefined ? text : styled(text, style, terminal)}\n`);
    }
  }
}

function printUsage(state: RunState, terminal: Terminal): void {
  const { rows, team, note } = selectCosts(state, language);
  const lines = tableLines(
    ['Agent', 'Calls', 'Input', 'Cached', 'Output', 'Cost'],
    [...rows, team].map(({ name, calls, fresh, cached, output, cost }) => [
      ...[name, calls, fresh, cached, output, cost],
    ]),
    terminal.width - 2,
  );
  printSection('Calls, tokens and cost', [...lines, ...paragraph(note, terminal)], terminal);
}

function paragraph(text: string, terminal: Terminal): readonly string[] {
  return text === '' ? [] : wrap(revealOnOneLine(text), terminal.width - 2);
}
