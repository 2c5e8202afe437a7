import type { RunState } from '../../../run/state';
import { cutMiddle } from './budget';
import { block } from './delimiters';

/** What an evaluator is told at the end of its first message. `budget` in characters. */
export function evaluationPart(state: RunState, budget: number): string {
  const text = state.finalAnswer?.text ?? '';
  const total = state.settings.maxRestarts + 1;
  return [
    `The final text that would be given to the user:\n${block('final text', cutMiddle(text, budget, 'The text is too long to show.'))}`,
    [
      '# This turn',
      `The team has finished attempt ${state.attempt} of ${total}. Judge whether the final text and the files do what the task asks. Your folders hold the files as the user would get them; you can read them and not change them.`,
      'If the work will do, call `submit` with confirmed: true.',
      'If the task is clearly not done, call `restart_orchestration`: all agents begin again, with your reason and your instructions. Small flaws are no reason.',
    ].join('\n'),
  ].join('\n\n');
}
