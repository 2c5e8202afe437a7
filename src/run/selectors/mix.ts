// The proposal once it is not what was voted for any more: mixed from several answers, or with parts left out.
import type { Label } from '../../base/ids';
import type { CheckResult } from '../check-facts';
import type { ReviewFile, RunState } from '../state';
import { hasChecks } from '../checks';
import { type CheckMark, selectCheckMarks } from './check-marks';
import { mixTestsSentence } from './check-words';
import { isDeliverable } from './deliverables';
import { counted, joinNames } from './formats';

export interface Mix {
  /** Answers that it takes something from, the reviewed one first. */
  readonly origins: readonly Label[];
  /** `Mixed from agent2.1 and agent1.1.`, `2 parts are left out.` */
  readonly text: string;
  readonly status: 'no-checks' | 'unchecked' | 'running' | 'passes' | 'fails' | 'worse';
  /** What the checks say of it as a whole; empty in a run without checks. */
  readonly sentence: string;
  readonly marks: readonly CheckMark[];
  /** Tests that it changes, in a sentence; may be empty. */
  readonly tests: string;
}

/** `undefined` while what is proposed is the answer that was voted for, as a whole. */
export function selectMix(state: RunState, language: string): Mix | undefined {
  const { review } = state;
  if (review === null) {
    return undefined;
  }
  const files = review.files.filter((file) => !isDeliverable(state, file.root));
  const foreign = [...new Set(files.flatMap((file) => foreignLabels(file, review.label)))];
  const leftOut = files.reduce((sum, file) => sum + rejectedParts(file), 0);
  if (foreign.length === 0 && leftOut === 0) {
    return undefined;
  }
  const origins = [review.label, ...foreign];
  const noun = foreign.length > 0 ? 'The mix' : 'What is left';
  const out = leftOut === 0 ? '' : `${counted(leftOut, 'part is', 'parts are')} left out.`;
  const from = foreign.length === 0 ? '' : `Mixed from ${joinNames(origins, language)}.`;
  return {
    origins,
    text: [from, out].filter((sentence) => sentence !== '').join(' '),
    ...checksOf(state, noun, language),
  };
}

type Checks = Pick<Mix, 'status' | 'sentence' | 'marks' | 'tests'>;

function checksOf(state: RunState, noun: string, language: string): Checks {
  const snapshotId = state.review?.checkedMix;
  if (!hasChecks(state)) {
    return { status: 'no-checks', sentence: '', marks: [], tests: '' };
  }
  if (snapshotId === undefined) {
    return { status: 'unchecked', sentence: 'Not checked as a whole.', marks: [], tests: '' };
  }
  const marks = selectCheckMarks(state, { kind: 'mix', snapshotId }, language);
  const report = state.checks?.mixes[snapshotId]?.report ?? null;
  if (report === null) {
    return { status: 'running', sentence: `${noun} is being checked.`, marks, tests: '' };
  }
  const tests = mixTestsSentence(state, snapshotId);
  const best = bestAnswer(state);
  const lost = report.results.filter((one) => isFailed(one) && best?.passed.has(one.name) === true);
  if (best !== undefined && lost.length > 0) {
    const names = lost.map(({ name }) => name);
    const sentence = `${noun} fails ${joinNames(names, language)}, which ${best.label} passes.`;
    return { status: 'worse', sentence, marks, tests };
  }
  const passed = marks.filter(({ tone }) => tone === 'passed').length;
  const all = counted(marks.length, 'check', 'checks');
  const isWhole = passed === marks.length;
  return {
    status: report.results.some(isFailed) ? 'fails' : 'passes',
    sentence: isWhole ? `${noun} passes every check.` : `${noun} passes ${passed} of ${all}.`,
    marks,
    tests,
  };
}

/** The answer that passes the most checks; of several the reviewed one, else the first of the team. */
function bestAnswer(
  state: RunState,
): { readonly label: string; readonly passed: ReadonlySet<string> } | undefined {
  // Not by who was checked first: the name would change from run to run.
  return state.agents
    .flatMap(({ revisions }) => revisions.map(({ label }) => label))
    .toSorted((a, b) => Number(b === state.review?.label) - Number(a === state.review?.label))
    .map((label) => {
      const passed = (state.checks?.answers[label]?.report?.results ?? []).filter(
        ({ status }) => status === 'passed',
      );
      return { label, passed: new Set(passed.map(({ name }) => name)) };
    })
    .toSorted((a, b) => b.passed.size - a.passed.size)
    .at(0);
}

function isFailed({ status }: CheckResult): boolean {
  return status === 'failed' || status === 'timed-out';
}

/** Other answers that the proposal for a file takes something from. */
export function foreignLabels({ parts = [] }: ReviewFile, reviewed: Label): readonly Label[] {
  return [...new Set(parts.map(({ label }) => label))].filter((label) => label !== reviewed);
}

/** A rejected file without parts counts as one. */
function rejectedParts({ hunks = [], hunkDecisions = {}, decision }: ReviewFile): number {
  return hunks.length > 0
    ? hunks.filter(({ id }) => hunkDecisions[id]?.decision === 'rejected').length
    : Number(decision === 'rejected');
}
