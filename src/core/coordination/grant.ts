import { brokenCap } from './caps';
import { failWork } from './fail-work';
import type { Directive } from './inputs';
import { messagesNow } from './safe-point';
import { closeAtCap } from './selection';
import { stageOf } from './stage';
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
    direct(step, reporter, withMessages(step, reporter, directive));
    return;
  }
  direct(step, reporter, { kind: 'end' });
  if (stageOf(step.state) === 'coordination') {
    closeAtCap(step, cap);
    return;
  }
  step.emit({ type: 'cap-reached', cap });
  const error = { code: 'cancelled/timeout', message: usedUp, retryable: false };
  failWork(step, reporter, 'internal', error);
}

const usedUp = 'The run has used what it may use.';

/** Every further call is a moment at which something can be said; the same call made again is none. */
function withMessages(step: Step, reporter: Reporter, directive: Directive): Directive {
  if (directive.kind !== 'continue') {
    return directive;
  }
  const messages = messagesNow(step, reporter);
  return messages.length === 0 ? directive : { ...directive, messages };
}
