import { brokenCap } from './caps';
import type { Directive } from './inputs';
import { failPresentation } from './presentation';
import { closeAtCap } from './selection';
import type { Step } from './step';
import { direct } from './turn-end';
import type { Reporter } from './turn-end';

/**
 * Lets a turn make another model call, unless a cap forbids it. The event that says why the call is made must have
 * been emitted before: it counts the call.
 */
export function grantCall(step: Step, reporter: Reporter, directive: Directive): void {
  const cap = brokenCap(step.state);
  if (cap === undefined) {
    direct(step, reporter, directive);
    return;
  }
  direct(step, reporter, { kind: 'end' });
  if (step.state.presentation === null) {
    closeAtCap(step, cap);
  } else {
    step.emit({ type: 'cap-reached', cap });
    failPresentation(step, reporter, 'The run has used what it may use.');
  }
}
