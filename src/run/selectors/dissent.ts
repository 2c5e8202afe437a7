import type { Label, Slot } from '../../base/ids';
import type { RunState } from '../state';
import { agentName, isOwnLabel } from './names';

/** A valid vote that was not for the winner. */
export interface Dissent {
  readonly slot: Slot;
  readonly target: Label;
  /** `Agent 3 voted agent3.1, its own`. */
  readonly text: string;
  /** In the words of the voter; may be empty. */
  readonly reason: string;
}

/** Every vote that differs from the decision, by slot; empty when nothing was chosen. */
export function selectDissent(state: RunState): readonly Dissent[] {
  const winner = state.selection?.winner?.label;
  if (winner === undefined) {
    return [];
  }
  return state.agents.flatMap(({ info, ballot }) =>
    ballot === null || ballot.target === winner
      ? []
      : [
          {
            slot: info.slot,
            target: ballot.target,
            text: `${agentName(info.slot)} voted ${ballot.target}${isOwnLabel(ballot.target, info.slot) ? ', its own' : ''}`,
            reason: ballot.reason,
          },
        ],
  );
}
