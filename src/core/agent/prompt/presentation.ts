import type { Label } from '../../../base/ids';
import type { Ballot } from '../../../run/facts';
import type { RunState } from '../../../run/state';
import { answerBlocks, type ShownAnswer } from './answers';
import { block } from './delimiters';

export function presentationSection(): string {
  return [
    '# How you work',
    'A team of agents has done the task and has chosen one answer by vote. You write the final text for the user.',
    'The files of the selected answer are fixed: you can read them, but not change them. Report what they do; do not promise other changes.',
    'Write for a reader who has seen nothing of the work: complete, in Markdown, without mention of agents, numbers of agents or votes. Reply with the final text alone.',
  ].join('\n');
}

/** Task, vote and answers for the one who presents `selected`. */
export function presentationMessage(
  state: RunState,
  selected: Label,
  answers: readonly ShownAnswer[],
  contextWindowTokens: number | undefined,
): string {
  const chosen = answers.filter((answer) => answer.revision.label === selected);
  const others = answers.filter((answer) => answer.revision.label !== selected);
  return [
    block('task', state.task),
    voteSummary(state, selected),
    `The selected answer:\n\n${answerBlocks(chosen, contextWindowTokens)}`,
    ...(others.length === 0
      ? []
      : [
          `The other answers, for comparison; take over from them only what is true of the selected one:\n\n${answerBlocks(others, contextWindowTokens)}`,
        ]),
    'Now write the final text.',
  ].join('\n\n');
}

function voteSummary(state: RunState, selected: Label): string {
  const valid = state.agents
    .map((agent) => agent.ballot)
    .filter((ballot): ballot is Ballot => ballot !== null && ballot.void === undefined);
  if (valid.length === 0) {
    return 'No votes were cast.';
  }
  const forIt = valid.filter((ballot) => ballot.target === selected);
  const reasons = forIt.map((ballot) => ballot.reason).filter((reason) => reason !== '');
  return [
    `${forIt.length} of ${valid.length} votes are for ${selected}.`,
    ...(reasons.length === 0
      ? []
      : [`The reasons given:\n${block('reasons', reasons.map((r) => `- ${r}`).join('\n'))}`]),
  ].join(' ');
}
