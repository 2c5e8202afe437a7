import { agreementOf } from './agreement';
import { liveAgents } from './ledger';
import { endRun } from './run-end';
import type { Step } from './step';
import { tallyOf } from './tally';

/** The user stops the run at any point: nobody works on, and nothing more is decided. */
export function cancelRun(step: Step): void {
  const { state } = step;
  const agreement = agreementOf(state, tallyOf(state), {
    decidedBy: 'cancelled',
    winner: null,
    element: null,
  });
  for (const { info, turn } of liveAgents(state)) {
    const { slot } = info;
    if (turn !== null) {
      step.request({ kind: 'abort-turn', slot, turnNo: turn.turnNo, reason: 'user' });
    }
    step.emit({ type: 'agent-cancelled', slot, reason: 'user' });
  }
  if (state.selection === null) {
    step.emit({ type: 'final-agent-selected', winner: null, agreement });
  }
  endRun(step, 'cancelled');
}

/** The program ends under the run. Nothing is decided, so that the run can be gone on with later. */
export function interruptRun(step: Step): void {
  for (const { info, turn } of liveAgents(step.state)) {
    if (turn !== null) {
      const { slot } = info;
      step.request({ kind: 'abort-turn', slot, turnNo: turn.turnNo, reason: 'user' });
    }
  }
  endRun(step, 'interrupted');
}
