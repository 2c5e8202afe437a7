import type { Slot } from '../../base/ids';
import type { ApprovalRequested, ApprovalResolved } from '../call-events';
import type { RunState } from '../state';
import { liveTurn, withAgent } from './agents';

export function approvalRequested(state: RunState, event: ApprovalRequested, at: number): RunState {
  const approval = {
    approvalId: event.approvalId,
    slot: event.slot,
    command: event.command,
    cwd: event.cwd,
    isConfined: event.isConfined,
    ...(event.isRequest === undefined ? {} : { isRequest: event.isRequest }),
    ...(event.isTool === undefined ? {} : { isTool: event.isTool }),
    ...(event.isChanged === undefined ? {} : { isChanged: event.isChanged }),
    ...(event.isProgram === undefined ? {} : { isProgram: event.isProgram }),
    hash: event.hash,
    requestedAt: at,
  };
  if (liveTurn(state, event) === null) {
    return state;
  }
  return withAgent({ ...state, approvals: [...state.approvals, approval] }, event.slot, () => ({
    activity: { kind: 'approval', approvalId: event.approvalId },
    lastActivityAt: at,
  }));
}

export function approvalResolved(state: RunState, event: ApprovalResolved, at: number): RunState {
  const asked = state.approvals.find(({ approvalId }) => approvalId === event.approvalId);
  const approvals = state.approvals.filter((approval) => approval !== asked);
  const isUnconfined = asked?.isProgram === true && event.decision !== 'deny';
  return withAgent({ ...state, approvals }, event.slot, (agent) => ({
    activity: agent.activity.kind === 'approval' ? { kind: 'none' } : agent.activity,
    lastActivityAt: at,
    ...(isUnconfined ? { isUnconfined } : {}),
  }));
}

/** A turn that is over waits for no decision any more. */
export function withoutApprovals(state: RunState, slot: Slot): RunState {
  return state.approvals.some((approval) => approval.slot === slot)
    ? { ...state, approvals: state.approvals.filter((approval) => approval.slot !== slot) }
    : state;
}
