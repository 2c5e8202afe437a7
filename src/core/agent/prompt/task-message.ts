import type { RunState } from '../../../run/state';
import { answerBlocks, type ShownAnswer } from './answers';
import { block } from './delimiters';

/** The first message of a coordination turn: the task as the user wrote it and the answers there are. */
export function taskMessage(
  state: RunState,
  answers: readonly ShownAnswer[],
  contextWindowTokens: number | undefined,
): string {
  const isAlone = state.agents.length === 1;
  return [
    block('task', state.task),
    ...(answers.length > 0
      ? [`Current answers:\n\n${answerBlocks(answers, contextWindowTokens)}`]
      : isAlone
        ? []
        : ['There are no answers to look at yet.']),
  ].join('\n\n');
}
