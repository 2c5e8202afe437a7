import { agreementOf } from './agreement';
import { liveAgents } from './ledger';
import { endRun } from './run-end';
import type { Step } from './step';
import { tallyOf } from './tally';

/** The user stops the run, or the program ends under it, at any point: nobody works on, and nothing more is decided. */
export function cancelRun(step: Step, outcome: 'cancelled' | 'interrupted'): void {
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
  endRun(step, outcome);
}
