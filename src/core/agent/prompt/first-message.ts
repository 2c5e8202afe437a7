import type { TurnInput } from '../../ports/agent-runtime';
import type { Tool } from '../../ports/tool';
import { answerBlocks, type ShownAnswer } from './answers';
import type { Budgets } from './budget';
import { baselineBlock } from './check-results';
import { block } from './delimiters';
import { historySection, restartSection, steeringSection } from './earlier';
import { evaluationPart } from './evaluation';
import { folderInstructions, type InstructionText } from './instruction-files';
import { memoryNotes, type MemoryNote } from './memory';
import { presentationPart } from './presentation';
import { turnSection } from './turn-section';

/** What a turn begins with, beside the state of the run. */
export interface TurnOpening {
  readonly answers: readonly ShownAnswer[];
  readonly notes: readonly MemoryNote[];
  /** Instructions of folders that the agent worked in before. */
  readonly instructions: readonly InstructionText[];
  /** Ordinary tools of this turn. */
  readonly tools: readonly Tool[];
  readonly budgets: Budgets;
  /** Puts the reader's own places into a text that was kept without any. */
  readonly localize: (text: string) => string;
  /** Folders with what came before, by what is in them; empty without any. */
  readonly earlierFolders: readonly string[];
}

/** First what stays the same from turn to turn, so that services can reuse it; then what this turn is about. */
export function firstMessage(turn: TurnInput, opening: TurnOpening): string {
  const { state, slot } = turn;
  const { budgets, localize } = opening;
  const history = (state.session?.history ?? []).map((earlier) => ({
    ...earlier,
    answer: localize(earlier.answer),
  }));
  return [
    localize(restartSection(state, Math.floor(budgets.answers / 4))),
    historySection(history, budgets.history),
    block('task', state.task),
    steeringSection(state.steering, slot),
    folderInstructions(opening.instructions),
    ...opening.earlierFolders,
    purposePart(turn, opening),
    `Date and time: ${new Date(state.lastEventAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function purposePart(turn: TurnInput, opening: TurnOpening): string {
  const { state, slot, toolset } = turn;
  const { answers, budgets, notes, tools, localize } = opening;
  switch (turn.purpose) {
    case 'present': {
      const { skipCoordination } = state.settings;
      const selected = skipCoordination ? undefined : state.selection?.winner?.label;
      const budget = budgets.answers;
      return presentationPart({ state, selected, answers, budget, tools, localize });
    }
    case 'evaluate':
      return localize(evaluationPart(state, budgets.answers));
    case 'coordinate':
      return [
        currentAnswers(turn, opening),
        memoryNotes(notes, budgets.memory),
        localize(heldDraft(state.agents[slot - 1]?.draft?.text)),
        turnSection(state, slot, toolset),
      ]
        .filter((part) => part !== '')
        .join('\n\n');
  }
}

function currentAnswers({ state }: TurnInput, { answers, budgets }: TurnOpening): string {
  if (answers.length > 0) {
    const baseline = baselineBlock(state);
    return [
      ...(baseline === '' ? [] : [baseline]),
      `Current answers:\n\n${answerBlocks(answers, budgets.answers)}`,
    ].join('\n\n');
  }
  return state.agents.length === 1 ? '' : 'There are no answers to look at yet.';
}

function heldDraft(text: string | undefined): string {
  return text === undefined
    ? ''
    : `This answer of yours was held back, because you were ahead of the others. Your files are as you handed it in. Look at what there is now, then hand it in again, better it, or do what else you are offered.\n${block('your answer that was held back', text)}`;
}
