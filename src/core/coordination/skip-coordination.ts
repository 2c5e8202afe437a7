import { toLabel } from '../../base/ids';
import { agreementOf } from './agreement';
import { capOnNewTurn } from './caps';
import { startPresentation } from './presentation';
import { endRun } from './run-end';
import type { Step } from './step';
import { tallyOf } from './tally';

/** For finding faults: the first agent does the task alone, and what it presents is the final text. */
export function presentAtOnce(step: Step): void {
  const { state } = step;
  const label = toLabel(1, 1);
  const choice = { decidedBy: 'presenter', winner: 1, element: null } as const;
  const agreement = agreementOf(state, tallyOf(state), choice);
  const cap = capOnNewTurn(state);
  step.emit({ type: 'poll-closed', cause: 'stopped', eligible: 0, ballots: 0 });
  step.emit({ type: 'final-agent-selected', winner: { slot: 1, label }, agreement });
  if (cap === undefined) {
    startPresentation(step, 1, label);
  } else {
    step.emit({ type: 'cap-reached', cap });
    endRun(step, 'budget');
  }
}
