import type { Toolset } from '../../coordination/inputs';
import { targetNames } from '../workflow-specs';
import { answerBlocks, type ShownAnswer } from './answers';

/** News for a running turn: peers' answers that appeared or changed since the agent looked last. `budget` in characters. */
export function updateBlock(
  answers: readonly ShownAnswer[],
  toolset: Toolset,
  budget: number,
): string {
  const one = answers.length === 1;
  return [
    `While you were working, ${one ? 'an answer' : `${answers.length} answers`} of other agents came in. Your own files are as you left them.`,
    answerBlocks(answers, budget),
    whatNow(toolset),
  ].join('\n\n');
}

function whatNow(toolset: Toolset): string {
  const ways = [
    ...(toolset.hasOrdinaryTools ? ['go on with your work'] : []),
    ...(toolset.hasNewAnswer ? ['submit your own answer with `new_answer`'] : []),
    ...(toolset.hasVote
      ? [`vote for the best answer with \`vote\` (${targetNames(toolset).join(', ')})`]
      : []),
    ...(toolset.hasStop === true ? ['call `stop` when your part is done'] : []),
  ];
  return `Take this into account. You may now ${ways.join(', or ')}.`;
}
