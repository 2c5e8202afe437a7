import type { DecidedBy, ErrorInfo, RunOutcome } from '../../run/facts';
import type { RunState } from '../../run/state';
import type { Step } from './step';

const outcomes: Partial<Record<DecidedBy, RunOutcome>> = {
  timeout: 'timeout',
  budget: 'budget',
  no_consensus: 'no-consensus',
  gate_failed: 'no-consensus',
  error: 'error',
  cancelled: 'cancelled',
};

/** Ends the run as its decision says. */
export function endDecidedRun(step: Step): void {
  const decidedBy = step.state.selection?.agreement.decidedBy ?? 'error';
  endRun(step, outcomes[decidedBy] ?? 'completed');
}

/** Without `cause` an error says what stopped each agent. */
export function endRun(step: Step, outcome: RunOutcome, cause?: ErrorInfo): void {
  const error = outcome === 'error' ? (cause ?? lastErrors(step.state)) : undefined;
  step.emit({ type: 'run-ended', outcome, ...(error === undefined ? {} : { error }) });
  step.request({ kind: 'end-run' });
}

/** One message with what stopped each agent. */
function lastErrors(state: RunState): ErrorInfo {
  const errors = state.agents.flatMap(({ info, lastError }) =>
    lastError === null ? [] : [{ who: `agent${info.slot}`, error: lastError }],
  );
  const hint = errors.find(({ error }) => error.hint !== undefined)?.error.hint;
  return {
    code: errors[0]?.error.code ?? 'bug/invariant',
    message:
      errors.length === 0
        ? 'No agent handed in an answer.'
        : errors.map(({ who, error }) => `${who}: ${error.message}`).join('\n'),
    retryable: errors.some(({ error }) => error.retryable),
    ...(hint === undefined ? {} : { hint }),
  };
}
