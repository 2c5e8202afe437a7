import type { Slot } from '../../base/ids';
import type { TurnOutcome } from '../../run/facts';
import { awaitsChecks } from './checks';
import type { Directive } from './inputs';
import { turnOf } from './ledger';
import type { Step } from './step';
import { limitTimers } from './turn-limits';

/** A turn that reported something and waits for its directive. */
export interface Reporter {
  readonly slot: Slot;
  readonly turnNo: number;
  readonly call: number;
}

interface Where {
  readonly slot: Slot;
  readonly turnNo: number;
}

export function direct(step: Step, reporter: Reporter, directive: Directive): void {
  const { slot, turnNo, call } = reporter;
  step.request({ kind: 'direct', slot, turnNo, call, directive });
}

export function endTurn(step: Step, where: Where, outcome: TurnOutcome): void {
  const { slot, turnNo } = where;
  clearTurnTimers(step, where);
  step.emit({ type: 'agent-turn-ended', slot, turnNo, outcome });
}

/**
 * Ends a turn in which there is nothing to do at present, which is no fault of the agent: it begins another one when
 * there is.
 */
export function holdTurn(step: Step, reporter: Reporter): void {
  const { slot } = reporter;
  const reason = awaitsChecks(step.state) ? 'checks' : 'no-action';
  step.emit({ type: 'agent-held', slot, reason });
  endTurn(step, reporter, 'held');
  direct(step, reporter, { kind: 'end' });
}

/** Call it while the turn is still there. */
export function clearTurnTimers(step: Step, where: Where): void {
  const { slot, turnNo } = where;
  const turn = turnOf(step.state, where);
  if (step.state.settings.turnTimeoutMs !== null) {
    step.request({ kind: 'clear-timer', timer: { kind: 'turn-timeout', slot, turnNo } });
  }
  for (const timer of turn === undefined ? [] : limitTimers(step.state, turn, slot)) {
    step.request({ kind: 'clear-timer', timer });
  }
}

/** Ends the turns of all agents at work, so that they can be started anew. */
export function abandonTurns(step: Step): void {
  for (const { info, turn } of step.state.agents) {
    if (turn !== null) {
      const where = { slot: info.slot, turnNo: turn.turnNo };
      step.request({ kind: 'abort-turn', ...where, reason: 'superseded' });
      endTurn(step, where, 'restarted');
    }
  }
}
