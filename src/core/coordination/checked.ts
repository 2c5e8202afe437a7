import type { Input } from './inputs';
import { isAwaited } from './checks';
import { checkPoll } from './poll';
import type { Step } from './step';

/** All checks of a tree have ended: an answer is shown to its voters now, or it is out. */
export function onChecked(
  step: Step,
  { subject, report }: Extract<Input, { readonly kind: 'checked' }>,
): void {
  if (!isAwaited(step.state, subject)) {
    return;
  }
  step.emit({ type: 'checks-ended', subject, report });
  if (subject.kind === 'answer') {
    checkPoll(step);
  }
}
