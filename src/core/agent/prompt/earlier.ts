// What came before: earlier tasks of the session, an attempt that was found wanting, messages of the user.
import type { EarlierTurn } from '../../../run/facts';
import type { SteeringMessage, RunState } from '../../../run/state';
import type { Slot } from '../../../base/ids';
import { cutMiddle } from './budget';
import { block } from './delimiters';

const shortestTurn = 400;
const shortened = 'This earlier turn is shortened.';

/**
 * Earlier tasks with their answers, oldest first. Over the budget (in characters) the older ones are shortened first,
 * and the oldest are left out when even that is not enough.
 */
export function historySection(history: readonly EarlierTurn[], budget: number): string {
  if (history.length === 0) {
    return '';
  }
  let left = budget;
  const shown: string[] = [];
  for (const { turn, task, answer } of history.toReversed()) {
    const size = task.length + answer.length;
    const limit = Math.min(size, left);
    if (limit < Math.min(size, shortestTurn)) {
      break;
    }
    const forTask = Math.max(limit - answer.length, Math.floor(limit / 3));
    const forAnswer = limit - Math.min(task.length, forTask);
    shown.unshift(
      [
        block(`task ${turn}`, cutMiddle(task, forTask, shortened)),
        block(`final answer ${turn}`, cutMiddle(answer, forAnswer, shortened)),
      ].join('\n'),
    );
    left -= limit;
  }
  const missing = history.length - shown.length;
  const note = missing === 0 ? '' : ` The oldest ${missing} are left out.`;
  return [
    `Earlier in this conversation the user gave the following tasks and got these answers.${note}`,
    ...shown,
  ].join('\n\n');
}

/** Why the team begins again. Effects are named so that nobody repeats them. */
export function restartSection(state: RunState, budget: number): string {
  const past = state.pastAttempts.at(-1);
  if (past === undefined) {
    return '';
  }
  const { reason, instructions } = past.evaluation;
  const total = state.settings.maxRestarts + 1;
  const finalText = cutMiddle(past.finalText, budget, 'The text is too long to show.');
  const done = state.effects.filter(({ isError }) => !isError);
  return [
    `This is attempt ${state.attempt} of ${total}. The attempt before was found wanting and the team begins again.`,
    block('why it was found wanting', reason),
    ...(instructions === '' ? [] : [block('what to do differently', instructions)]),
    `What was presented in the attempt before:\n${block('presented before', finalText)}`,
    ...(done.length === 0
      ? []
      : [
          `These actions were already performed and must not be repeated:\n${block(
            'performed',
            done.map(({ tool, argumentsJson }) => `- ${tool} ${argumentsJson}`).join('\n'),
          )}`,
        ]),
  ].join('\n\n');
}

/** Messages that the user sent to this agent before its turn began; they count like the task. */
export function steeringSection(messages: readonly SteeringMessage[], slot: Slot): string {
  const own = messages.filter(({ targets }) => targets === null || targets.includes(slot));
  return own.length === 0
    ? ''
    : [
        'The user has added this to the task:',
        ...own.map(({ text }) => block('message of the user', text)),
      ].join('\n\n');
}
