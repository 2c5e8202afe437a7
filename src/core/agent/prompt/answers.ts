import type { Label } from '../../../base/ids';
import type { Revision } from '../../../run/facts';
import type { RunState } from '../../../run/state';
import { cutMiddle, lengthLimit } from './budget';
import { checksBlock, type ShownChecks, tailsOf } from './check-results';
import { block } from './delimiters';

export interface ShownAnswer {
  readonly revision: Revision;
  /** The answer with the reader's own paths in it. */
  readonly text: string;
  /** Folder with the text as `ANSWER.md` and the files of the answer, if it has any. */
  readonly folder: string;
  /** The revision of the same agent that this one takes the place of, when the reader has seen it. */
  readonly replaces?: Label;
  /** Absent where nothing was checked. */
  readonly checks?: ShownChecks;
}

export function findRevision(state: RunState, label: Label): Revision | undefined {
  for (const agent of state.agents) {
    const found = agent.revisions.find((revision) => revision.label === label);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/**
 * One delimited block per answer, and one with the results of its checks. Over the budget (in characters) outputs of
 * checks are cut first; then the longest texts lose their middle, never a whole answer; the whole text then stands in
 * the file that is named.
 */
export function answerBlocks(answers: readonly ShownAnswer[], budget: number): string {
  const texts = answers.map(({ text }) => text.length);
  const tails = answers.flatMap(({ checks }) => (checks === undefined ? [] : tailsOf(checks)));
  const resultsWith = (tailLimit: number): readonly string[] =>
    answers.map(({ revision, checks }) =>
      checks === undefined ? '' : `\n${checksBlock(revision.label, checks, tailLimit)}`,
    );
  const withoutTails = sum(resultsWith(0).map(({ length }) => length));
  const tailLimit = lengthLimit(
    tails.map(({ length }) => length),
    Math.max(0, budget - sum(texts) - withoutTails),
  );
  const results = resultsWith(tailLimit);
  const limit = lengthLimit(texts, budget - sum(results.map(({ length }) => length)));
  return answers
    .map((answer, i) => `${answerBlock(answer, limit)}${results[i] ?? ''}`)
    .join('\n\n');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

const unsettled = ' (taken while a command of its author still ran, so some may be half written)';

function answerBlock({ revision, text, folder, replaces }: ShownAnswer, limit: number): string {
  const about = replaces === undefined ? '' : ` It replaces ${replaces}, which you saw before.`;
  const files =
    revision.snapshotId === null
      ? 'It comes without files.'
      : `Its files: ${folder}${revision.isUnsettled === true ? unsettled : ''}`;
  const shown = cutMiddle(text, limit, `The whole text is in ${folder}/ANSWER.md`);
  return `Answer ${revision.label}.${about} ${files}\n${block(`answer ${revision.label}`, shown)}`;
}
