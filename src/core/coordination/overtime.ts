import type { Slot } from '../../base/ids';
import type { ErrorInfo } from '../../run/facts';
import { failWork } from './fail-work';
import { agentAt, turnOf } from './ledger';
import type { Step } from './step';
import { direct } from './turn-end';
import type { Reporter } from './turn-end';
import { timerOf } from './turn-limits';

interface Where {
  readonly slot: Slot;
  readonly turnNo: number;
}

/** An agent that goes on asking for tools it no longer has, this often in a row, will not finish. */
const mostRefusedRounds = 10;

const tooLong: ErrorInfo = {
  code: 'cancelled/timeout',
  message: 'The turn took longer than it may.',
  retryable: true,
};

/** Ends the turn of an agent that does not finish; answers whether it has. */
export function onOvertime(step: Step, reporter: Reporter): boolean {
  const refused = turnOf(step.state, reporter)?.refusedRounds ?? 0;
  if (refused < mostRefusedRounds) {
    return false;
  }
  direct(step, reporter, { kind: 'end' });
  failWork(step, reporter, 'turn_timeout', tooLong);
  return true;
}

/** A turn that is over its time is ended from outside. */
export function abortTurn(step: Step, where: Where): void {
  if (turnOf(step.state, where) !== undefined) {
    const { slot, turnNo } = where;
    step.request({ kind: 'abort-turn', slot, turnNo, reason: 'timeout' });
    failWork(step, where, 'turn_timeout', tooLong);
  }
}

/**
 * The time for finishing is over. Before the agent could be told to finish at all, only a model that does not answer
 * is given up: a tool has a limit of its own, and a person who is asked or a service that is awaited takes its time.
 */
export function onKill(step: Step, where: Where): void {
  const turn = turnOf(step.state, where);
  const { activity } = agentAt(step.state, where.slot);
  if (turn !== undefined && turn.hardLimitAt === undefined && activity.kind !== 'model') {
    const delayMs = step.state.settings.hardKillMs;
    step.request({ kind: 'set-timer', timer: timerOf('turn-kill', where), delayMs });
    return;
  }
  abortTurn(step, where);
}
