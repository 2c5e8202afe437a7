// What the engine says to a model. Agents are named by slot only.
import type { ProtocolErrorCode } from '../../run/facts';
import type { AnswerRefusal } from './answer-checks';
import type { Toolset } from './inputs';

type Reason = Partial<AnswerRefusal>;

const sayings: Record<ProtocolErrorCode, (toolset: Toolset, reason: Reason) => string> = {
  no_workflow_call: () => 'Your response called no tool that hands in your work.',
  multiple_answers: () => 'You handed in several different answers at once; hand in one.',
  multiple_votes: () => 'You voted for several targets at once; vote for one.',
  vote_and_answer: () => 'You voted and handed in an answer in one response; do one of the two.',
  vote_no_answers: () => 'There is no answer to vote for yet.',
  invalid_target: ({ targets }) =>
    targets.length === 0
      ? 'This is not an answer you can vote for.'
      : `This is not an answer you can vote for. You can vote for ${targets.join(', ')}.`,
  excluded_by_checks: () =>
    'This answer fails a check that passes in the untouched project; it cannot be voted for.',
  self_vote: () => 'You cannot vote for your own answer.',
  voting_not_open: () => 'Voting is not open to you.',
  answer_limit: () => 'No further answers of yours are accepted.',
  answers_closed: () => 'No new answers are accepted any more.',
  answer_duplicate: (_toolset, { like }) =>
    `Your answer equals ${like ?? 'one that exists'}. If you agree with it, vote for it.`,
  answer_novelty: (_toolset, { like, similarity }) =>
    `Your answer shares ${Math.round((similarity ?? 1) * 100)} % of its words with ` +
    `${like ?? 'another'}. Hand in something new, or vote.`,
  answer_too_long: (_toolset, { limit }) =>
    `Your answer is too long: it may have ${limit ?? 'fewer'} characters. Shorten it.`,
  empty_answer: () => 'Your answer is empty.',
  bad_arguments: () => 'The arguments of your tool call could not be read.',
  conflict: () => evaluationMessage('conflict'),
  not_confirmed: () => evaluationMessage('not_confirmed'),
  unknown_tool: () => 'There is no such tool.',
};

export function refusalMessage(code: ProtocolErrorCode, toolset: Toolset, reason: Reason): string {
  return `${sayings[code](toolset, reason)} ${whatNow(toolset)}`;
}

/** What the agent may do, in one sentence. */
function whatNow({ hasNewAnswer, hasVote, hasStop }: Toolset): string {
  if (hasStop === true) {
    return 'Call new_answer to hand in your part, or stop when it is done.';
  }
  if (hasNewAnswer && hasVote) {
    return 'Call new_answer to hand in an answer, or vote for the best one.';
  }
  if (hasVote) {
    return 'Call vote for the best answer.';
  }
  return hasNewAnswer ? 'Call new_answer to hand in your answer.' : 'There is nothing to do now.';
}

export function staleMessage(hasUpdate: boolean): string {
  return hasUpdate
    ? 'Your vote was not counted: there are new answers that you have not seen. Read them and decide again.'
    : 'Your vote was not counted: this answer was replaced by a newer one of the same agent. Decide again.';
}

/** Said once to an agent that has been at work for long, or that the user asks to finish. */
export function wrapUpMessage(toolset: Toolset, graceMs: number): string {
  const seconds = Math.round(graceMs / 1000);
  const isWorking = toolset.hasNewAnswer || toolset.hasVote || toolset.hasStop === true;
  const end = isWorking ? whatNow(toolset) : 'Give your result.';
  return `It is time to finish with what you have. ${end} In ${seconds} seconds all other tools will be refused.`;
}

export function steeringMessage(text: string): string {
  return `A message of the user, who sees your work; it belongs to your task:\n${text}`;
}

/** Said to an evaluator whose response decides nothing. */
export function evaluationMessage(code: 'conflict' | 'not_confirmed' | 'no_workflow_call'): string {
  const problem = {
    conflict: 'You both accepted the work and restarted it.',
    not_confirmed: 'You called submit without confirming.',
    no_workflow_call: 'You have decided nothing.',
  }[code];
  return `${problem} Call submit with confirmed: true when the work does the task, or restart_orchestration with a reason and instructions when it does not; exactly one of them.`;
}
