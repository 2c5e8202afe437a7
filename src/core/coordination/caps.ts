import type { CapReached } from '../../run/poll-events';
import type { RunState } from '../../run/state';

export type CallCap = Exclude<CapReached['cap'], 'duration'>;

/** The cap that the calls allowed so far break. */
export function brokenCap(state: RunState): CallCap | undefined {
  return capAt(state, grantedCalls(state));
}

/** The cap that a turn which is not started yet would break with its first call. */
export function capOnNewTurn(state: RunState): CallCap | undefined {
  return capAt(state, grantedCalls(state) + 1);
}

function capAt(state: RunState, granted: number): CallCap | undefined {
  const { modelCalls, costUsd } = state.caps;
  const own = state.systemCalls.usage.costUsd;
  const cost = state.agents.reduce((sum, { usage }) => sum + usage.costUsd, own);
  if (modelCalls !== null && granted > modelCalls) {
    return 'model-calls';
  }
  return costUsd !== null && cost >= costUsd ? 'cost' : undefined;
}

/** Calls started, those of the run itself included, and calls allowed that have not started yet. */
function grantedCalls(state: RunState): number {
  return state.agents.reduce(
    (sum, { usage, turn }) => sum + usage.calls + (turn?.isCallGranted === true ? 1 : 0),
    state.systemCalls.usage.calls,
  );
}
