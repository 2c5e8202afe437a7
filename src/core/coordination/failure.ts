import type { ErrorInfo, TurnFailureCause } from '../../run/facts';
import { agentAt } from './ledger';
import { checkPoll } from './poll';
import type { Step } from './step';
import { endTurn } from './turn-end';

/**
 * A turn has failed. The agent tries again after a back-off, until it has failed too often in a row, and at once no more
 * when somebody said no to what it needs: the next turn would only ask the same.
 */
export function failTurn(
  step: Step,
  where: { readonly slot: number; readonly turnNo: number },
  cause: TurnFailureCause,
  error: ErrorInfo,
): void {
  const { slot, turnNo } = where;
  const failedTurns = agentAt(step.state, slot).failedTurns + 1;
  step.emit({ type: 'turn-failed', slot, turnNo, cause, error, failedTurns });
  endTurn(step, where, cause === 'turn_timeout' ? 'timeout' : 'error');
  const { notBefore } = agentAt(step.state, slot);
  if (failedTurns >= step.state.settings.maxFailedTurns || error.code === 'tool/denied') {
    step.emit({ type: 'agent-failed', slot, error });
  } else if (notBefore > step.at) {
    const timer = { kind: 'back-off', slot } as const;
    step.request({ kind: 'set-timer', timer, delayMs: notBefore - step.at });
  }
  checkPoll(step);
}
