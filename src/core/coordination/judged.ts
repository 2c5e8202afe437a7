import { defined } from '../../base/assert';
import { parseLabel } from '../../base/ids';
import { namedCandidate } from './ask';
import type { Input } from './inputs';
import { closeByVotes, closeByChoice } from './selection';
import type { Step } from './step';

/** The word of whoever was asked about a split. Without a valid one, the votes and the tie chain decide. */
export function onJudged(
  step: Step,
  { label: written, reason }: Extract<Input, { readonly kind: 'judged' }>,
): void {
  const { state } = step;
  if (state.poll.kind !== 'judge') {
    return;
  }
  const isHuman = state.settings.onSplit === 'human';
  const label = namedCandidate(state, written) ?? null;
  if (isHuman && label !== null) {
    step.emit({ type: 'user-override', label, when: 'before', previous: null });
  } else {
    step.emit({ type: 'judge-decided', label, reason });
  }
  if (label === null) {
    closeByVotes(step);
    return;
  }
  const { slot } = defined(parseLabel(label), 'a label names a slot');
  closeByChoice(step, slot, isHuman ? 'human' : 'judge');
}

/** Nobody has answered the question in time. */
export function onJudgeTimer(step: Step): void {
  onJudged(step, { kind: 'judged', label: '', reason: 'No decision came in time.' });
}
