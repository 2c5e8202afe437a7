import type { Label, Slot } from '../../../base/ids';
import type { Revision } from '../../../run/facts';
import type { RunState } from '../../../run/state';
import { answersBudget, cutMiddle, lengthLimit } from './budget';
import { block } from './delimiters';

export interface ShownAnswer {
  readonly revision: Revision;
  /** Folder with the files of the answer, `undefined` when it has none. */
  readonly folder: string | undefined;
  /** The revision of the same agent that this one takes the place of, when the reader has seen it. */
  readonly replaces?: Label;
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

/** The revisions with these labels in the order given, each with its folder. Unknown labels are left out. */
export function shownAnswers(
  state: RunState,
  labels: readonly Label[],
  folders: ReadonlyMap<Slot, string>,
): readonly ShownAnswer[] {
  return labels.flatMap((label) => {
    const revision = findRevision(state, label);
    return revision === undefined ? [] : [{ revision, folder: folders.get(revision.slot) }];
  });
}

/** One delimited block per answer. Over the budget the longest texts lose their middle, never a whole answer. */
export function answerBlocks(
  answers: readonly ShownAnswer[],
  contextWindowTokens: number | undefined,
): string {
  const lengths = answers.map((answer) => answer.revision.text.length);
  const limit = lengthLimit(lengths, answersBudget(contextWindowTokens));
  return answers.map((answer) => answerBlock(answer, limit)).join('\n\n');
}

function answerBlock({ revision, folder, replaces }: ShownAnswer, limit: number): string {
  const about = replaces === undefined ? '' : ` It replaces ${replaces}, which you saw before.`;
  const files = folder === undefined ? 'It comes without files.' : `Its files: ${folder}`;
  const pointer = folder === undefined ? 'The text is too long to show.' : `Look at ${folder}.`;
  const text = cutMiddle(revision.text, limit, pointer);
  return `Answer ${revision.label}.${about} ${files}\n${block(`answer ${revision.label}`, text)}`;
}
