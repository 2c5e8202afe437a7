// The results of checks in words, for every view.
import type { CheckResult, CheckSubject } from '../check-facts';
import { gatesFailedBy } from '../checks';
import type { Label } from '../../base/ids';
import type { CheckState, RunState } from '../state';
import { formatTook, joinNames } from './formats';
import { revealOnOneLine } from './visible-text';

/** `known`: it fails, and did so before the candidate changed anything. `none`: it says nothing. */
export type CheckTone = 'passed' | 'failed' | 'known' | 'none' | 'running' | 'waiting';

/** One check of one tree. */
export interface CheckMark {
  readonly name: string;
  readonly tone: CheckTone;
  /** What came of it: `passed`, `now fails`, `already failing` … */
  readonly word: string;
  /** The shortest that tells it apart from the other results of its kind: how long it took, or the word. */
  readonly figure: string;
  /** Everything about it: `types now fails, exit code 2, 0.9 s`. */
  readonly sentence: string;
  /** There is something to read: it has ended. */
  readonly hasOutput: boolean;
}

function checkStateOf(state: RunState, subject: CheckSubject): CheckState | null {
  switch (subject.kind) {
    case 'baseline':
      return state.checks?.baseline ?? null;
    case 'answer':
      return state.checks?.answers[subject.label] ?? null;
    case 'mix':
      return state.checks?.mixes[subject.snapshotId] ?? null;
  }
}

/** The checks of a tree in the order of the settings, those that have not begun included; empty in a run without checks. */
export function selectCheckMarks(
  state: RunState,
  subject: CheckSubject,
  language: string,
): readonly CheckMark[] {
  const found = checkStateOf(state, subject);
  const names = (state.settings.checks ?? []).map(({ name }) => name);
  const others = (found?.names ?? []).filter((name) => !names.includes(name));
  return [...names, ...others].map((name) => {
    const result = found?.results.find((one) => one.name === name);
    return result === undefined
      ? unendedMark(name, unendedWord(found, subject.kind === 'mix' || state.outcome === null))
      : endedMark(result, language);
  });
}

/** Those of a mix may go on when the run is over, all others end with it. */
function unendedWord(found: CheckState | null, isLive: boolean): readonly [CheckTone, string] {
  const hasBegun = found?.report === null;
  if (!isLive) {
    return ['none', hasBegun ? 'not finished' : 'not run'];
  }
  return hasBegun ? ['running', 'running'] : ['waiting', 'waits'];
}

function unendedMark(name: string, [tone, word]: readonly [CheckTone, string]): CheckMark {
  const shown = revealOnOneLine(name);
  return { name: shown, tone, word, figure: word, sentence: `${shown} ${word}`, hasOutput: false };
}

function endedMark(result: CheckResult, language: string): CheckMark {
  const name = revealOnOneLine(result.name);
  const [tone, word] = wordOf(result);
  const time = formatTook(result.durationMs, language);
  const isRun = result.status !== 'not-run';
  const isPlain = word === 'passed';
  return {
    name,
    tone,
    word,
    figure: isPlain ? time : word,
    sentence: [
      `${name} ${word}`,
      ...(result.exitCode === null || result.exitCode === 0
        ? []
        : [`exit code ${result.exitCode}`]),
      ...(isRun ? [time] : []),
      ...(result.isFlaky && !word.includes('retry') ? ['not steady: it failed once'] : []),
      ...(result.isCached ? ['result kept from the same files'] : []),
    ].join(', '),
    hasOutput: true,
  };
}

function wordOf(result: CheckResult): readonly [CheckTone, string] {
  const { status, comparison, isFlaky } = result;
  switch (status) {
    case 'passed':
      return [
        'passed',
        comparison === 'fixed' ? 'now passes' : isFlaky ? 'passed on retry' : 'passed',
      ];
    case 'failed':
      return failed(comparison, { plain: 'failed', same: 'already failing', anew: 'now fails' });
    case 'timed-out':
      return failed(comparison, {
        plain: 'timed out',
        same: 'already timing out',
        anew: 'now times out',
      });
    case 'not-run':
      return ['none', 'not run'];
  }
}

function failed(
  comparison: CheckResult['comparison'],
  words: Readonly<Record<'plain' | 'same' | 'anew', string>>,
): readonly [CheckTone, string] {
  switch (comparison) {
    case 'same':
      return ['known', words.same];
    case 'regression':
      return ['failed', words.anew];
    case 'fixed':
    case 'unknown':
      return ['failed', words.plain];
  }
}

/** Names of the gates that an answer fails anew, fit to be shown; empty for one that may be voted for. */
export function failedGateNames(state: RunState, label: Label): readonly string[] {
  return gatesFailedBy(state, label).map((name) => revealOnOneLine(name));
}

/** `Fails types`, for an answer that cannot be voted for; empty for others. */
export function exclusionWord(state: RunState, label: Label, language: string): string {
  const gates = failedGateNames(state, label);
  return gates.length === 0 ? '' : `Fails ${joinNames(gates, language)}`;
}

/** `Fails types, out of the vote`; empty for an answer that may be voted for. */
export function exclusionNote(state: RunState, label: Label, language: string): string {
  const word = exclusionWord(state, label, language);
  return word === '' ? '' : `${word}, out of the vote`;
}

/** How many of its checks a tree passes, for a column of a table. */
export interface CheckCount {
  readonly tone: CheckTone;
  /** `1/2`, `not run`, `running`. */
  readonly text: string;
  /** `passes 1 of 2 checks; types now fails`. */
  readonly sentence: string;
}

export function selectCheckCount(
  state: RunState,
  subject: CheckSubject,
  language: string,
): CheckCount {
  const marks = selectCheckMarks(state, subject, language);
  const told = marks.filter(
    ({ tone }) => tone === 'passed' || tone === 'failed' || tone === 'known',
  );
  const isRunning = marks.some(({ tone }) => tone === 'running');
  if (isRunning || told.length === 0) {
    const text = isRunning ? 'running' : 'not run';
    return { tone: isRunning ? 'running' : 'none', text, sentence: `checks ${text}` };
  }
  const passed = told.filter(({ tone }) => tone === 'passed').length;
  const rest = marks.filter(({ tone }) => tone !== 'passed');
  const isFailed = told.some(({ tone }) => tone === 'failed');
  return {
    tone: isFailed ? 'failed' : passed === told.length ? 'passed' : 'known',
    text: `${passed}/${marks.length}`,
    sentence: [
      `passes ${passed} of ${marks.length} ${marks.length === 1 ? 'check' : 'checks'}`,
      ...rest.map(({ name, word }) => `${name} ${word}`),
    ].join('; '),
  };
}

/** How many results there are of those that the ballot waits for. */
export function selectCheckProgress(state: RunState): {
  readonly ended: number;
  readonly all: number;
} {
  const names = (state.settings.checks ?? []).length;
  const labels = state.agents.flatMap(({ revisions }) => revisions.at(-1)?.label ?? []);
  const results = labels.map((label) => state.checks?.answers[label]?.results.length ?? 0);
  return { ended: results.reduce((sum, count) => sum + count, 0), all: names * labels.length };
}
