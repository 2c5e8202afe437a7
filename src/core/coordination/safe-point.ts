import type { Slot } from '../../base/ids';
import { turnOf } from './ledger';
import { wrapUpMessage } from './messages';
import { deliverSteering } from './steering';
import type { Step } from './step';
import { toolsetFor } from './toolset';
import { armLimit, timerOf } from './turn-limits';

interface Where {
  readonly slot: Slot;
  readonly turnNo: number;
}

/** What is said to an agent before its next call, beside replies and answers of peers: messages, and to finish. */
export function messagesNow(step: Step, where: Where): readonly string[] {
  return [...deliverSteering(step, where), ...wrapUp(step, where)];
}

/** Told once; the grace period counts from here. */
function wrapUp(step: Step, where: Where): readonly string[] {
  const turn = turnOf(step.state, where);
  if (turn?.softLimitAt === undefined || turn.wrapUpAt !== undefined) {
    return [];
  }
  const { slot, turnNo } = where;
  const { turnGraceMs: graceMs } = step.state.settings;
  step.emit({ type: 'wrap-up-delivered', slot, turnNo, graceMs });
  step.request({ kind: 'clear-timer', timer: timerOf('turn-kill', where) });
  armLimit(step, where);
  return [wrapUpMessage(toolsetFor(step.state, slot), graceMs)];
}
