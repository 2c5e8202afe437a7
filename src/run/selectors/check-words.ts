// Sentences about checks: for the verdict, below a candidate, under a mix.
import { parseLabel } from '../../base/ids';
import type { Label, SnapshotId } from '../../base/ids';
import type { CheckReport, ChangedTests } from '../check-facts';
import type { RunState } from '../state';
import { hasChecks } from '../checks';
import { exclusionWord, failedGateNames, selectCheckMarks } from './check-marks';
import { counted, joinNames, plural } from './formats';
import { agentName } from './names';
import { revealOnOneLine } from './visible-text';

/** What the checks have to do with the choice of an answer; a run without checks says so. */
export function checksSentence(state: RunState, winner: Label, language: string): string {
  if (!hasChecks(state)) {
    return 'No checks were run.';
  }
  return [
    isTold(state, winner) ? '' : ownSentence(state, winner, language),
    excludedSentence(state, winner, language),
    changedTestsSentence(state, winner),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** The reason of the decision ends with it already. */
function isTold({ selection }: RunState, winner: Label): boolean {
  const { failedGates = {}, unchecked = [] } = selection?.agreement ?? {};
  return (failedGates[winner] ?? []).length > 0 || unchecked.includes(winner);
}

function ownSentence(state: RunState, winner: Label, language: string): string {
  const report = state.checks?.answers[winner]?.report ?? null;
  if (report === null) {
    return state.checks?.answers[winner] === undefined
      ? 'Its checks were not run.'
      : 'Its checks were not finished.';
  }
  const gates = failedGateNames(state, winner);
  if (gates.length > 0) {
    return `It fails ${joinNames(gates, language)}, which ${plural(gates.length, 'passes', 'pass')} in your folder.`;
  }
  const marks = selectCheckMarks(state, { kind: 'answer', label: winner }, language);
  const passed = marks.filter(({ tone }) => tone === 'passed').length;
  const rest = marks
    .filter(({ tone }) => tone !== 'passed')
    .map(
      ({ name, tone, word }) => `${name} ${tone === 'known' ? 'fails as in your folder' : word}`,
    );
  const all = counted(marks.length, 'check', 'checks');
  return rest.length === 0
    ? `It passes ${marks.length === 1 ? 'the check' : marks.length === 2 ? 'both checks' : `all ${all}`}.`
    : `It passes ${passed === 0 ? 'no check' : `${passed} of ${all}`}: ${joinNames(rest, language)}.`;
}

function excludedSentence(state: RunState, winner: Label, language: string): string {
  const excluded = state.agents
    .flatMap(({ revisions }) => revisions.at(-1)?.label ?? [])
    .filter((label) => label !== winner && failedGateNames(state, label).length > 0);
  return excluded
    .map(
      (label) =>
        `${label} ${lowerFirst(exclusionWord(state, label, language))} and is out of the vote.`,
    )
    .join(' ');
}

/** `Agent 3 edited 2 tests and skipped 1; the checks ran with yours.`; empty when no test was changed. */
export function changedTestsSentence(state: RunState, label: Label): string {
  const tests = state.checks?.answers[label]?.report?.tests;
  const slot = parseLabel(label)?.slot;
  return tests === undefined || slot === undefined ? '' : testsSentence(tests, agentName(slot));
}

/** The same of what was put together of several answers. */
export function mixTestsSentence(state: RunState, snapshotId: SnapshotId): string {
  const tests = state.checks?.mixes[snapshotId]?.report?.tests;
  return tests === undefined ? '' : testsSentence(tests, 'The mix');
}

function testsSentence(
  { edited, deleted, skipped, isRestored, rules = [] }: ChangedTests,
  who: string,
): string {
  const deeds: readonly (readonly [verb: string, count: number])[] = [
    ['edited', edited.length],
    ['deleted', deleted.length],
    ['skipped', skipped.length],
  ];
  const told = deeds.filter(([, count]) => count > 0);
  const words = told.map(([verb, count], i) =>
    i === 0 ? `${verb} ${counted(count, 'test file', 'test files')}` : `${verb} ${count}`,
  );
  const tests =
    words.length === 0
      ? ''
      : `${who} ${listed(words)}; the checks ran with ${isRestored ? 'yours' : 'the changed ones'}.`;
  return [tests, rulesSentence(rules, who)].filter((sentence) => sentence !== '').join(' ');
}

/** What is not put back, because a change of it can be meant. */
function rulesSentence([first, ...others]: readonly string[], who: string): string {
  if (first === undefined) {
    return '';
  }
  const what =
    others.length === 0
      ? `${revealOnOneLine(first)}, which says`
      : `${others.length + 1} files that say`;
  return `${who} changed ${what} what a check does; the checks ran with the change.`;
}

function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)]
    .filter((part) => part !== '')
    .join(' and ');
}

/** The changed test files by what was done to them, one line each; for a tooltip and the text view. */
export function changedTestLines(report: CheckReport | null | undefined): readonly string[] {
  const { edited = [], deleted = [], skipped = [], rules = [] } = report?.tests ?? {};
  return [
    ...edited.map((path) => `edited ${path}`),
    ...deleted.map((path) => `deleted ${path}`),
    ...skipped.map((path) => `tests skipped in ${path}`),
    ...rules.map((path) => `changed ${path}, which says what a check does`),
  ];
}

/** Why nobody could be chosen: which checks fail anew in which answers. */
export function gateSentence(state: RunState, language: string): string {
  const failing = state.agents.flatMap(({ revisions }) => {
    const label = revisions.at(-1)?.label;
    const gates = label === undefined ? [] : failedGateNames(state, label);
    return label === undefined || gates.length === 0
      ? []
      : [{ label, gates: joinNames(gates, language), count: gates.length }];
  });
  const [first] = failing;
  if (first === undefined) {
    return '';
  }
  const isSame = failing.every(({ gates }) => gates === first.gates);
  if (isSame) {
    const who =
      failing.length === 1
        ? `${first.label} fails`
        : failing.length === 2
          ? 'Both fail'
          : `All ${failing.length} fail`;
    return `${who} ${first.gates}, which ${plural(first.count, 'passes', 'pass')} in your folder.`;
  }
  const each = failing.map(({ label, gates }) => `${label} fails ${gates}`);
  return `${each.join('; ')}. All of it passes in your folder.`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
