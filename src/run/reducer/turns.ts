import type { FinalPresentationStarted } from '../poll-events';
import type {
  AgentCancelled,
  AgentFailed,
  AgentTurnEnded,
  AgentTurnStarted,
  BackendRetried,
  ProtocolErrorRaised,
  ToolRoundEnded,
  TurnFailed,
  UpdateDelivered,
  VoteIgnored,
} from '../turn-events';
import type { ProtocolErrorCode } from '../facts';
import type { AgentState, RunState, TurnState } from '../state';
import { turnOf, withAgent, withTurn } from './agents';
import { withoutApprovals } from './approvals';
import { peersSeen } from './peers-seen';

export function newTurn(turnNo: number, at: number, shown: TurnState['shown']): TurnState {
  return {
    turnNo,
    startedAt: at,
    shown,
    protocolErrors: 0,
    staleReplies: 0,
    deliveries: 0,
    retries: 0,
    hasWaivedProtection: false,
    calls: 0,
    isCallGranted: true,
  };
}

export function turnBegun(turn: TurnState, at: number): Partial<AgentState> {
  return {
    status: 'running',
    turnNo: turn.turnNo,
    turn,
    notBefore: 0,
    activity: { kind: 'none' },
    liveText: '',
    lastActivityAt: at,
  };
}

export function turnStarted(state: RunState, event: AgentTurnStarted, at: number): RunState {
  return withAgent(state, event.slot, (agent) => ({
    ...turnBegun(newTurn(event.turnNo, at, event.shown), at),
    ...(agent.isHeldForChecks === true ? { isHeldForChecks: false } : {}),
    ...peersSeen(state, agent, event.shown),
  }));
}

export function presentationStarted(
  state: RunState,
  event: FinalPresentationStarted,
  at: number,
): RunState {
  const shown = state.agents.flatMap(({ revisions }) => revisions.at(-1)?.label ?? []);
  return withAgent(
    { ...state, presentation: { slot: event.slot, label: event.label }, evaluation: null },
    event.slot,
    () => turnBegun({ ...newTurn(event.turnNo, at, shown), purpose: 'present' }, at),
  );
}

/** The agent is free again, unless the action that ended the turn has given it another status. */
export function turnEnded(state: RunState, event: AgentTurnEnded, at: number): RunState {
  return withAgent(withoutApprovals(state, event.slot), event.slot, (agent) =>
    agent.turnNo === event.turnNo
      ? {
          turn: null,
          status: agent.status === 'running' ? 'idle' : agent.status,
          activity: { kind: 'none' },
          lastActivityAt: at,
        }
      : {},
  );
}

/** A refused vote says all the same that the agent wants to judge, so peers' answers may now reach it. */
const votes: readonly ProtocolErrorCode[] = ['vote_no_answers', 'invalid_target', 'self_vote'];

export function protocolError(state: RunState, event: ProtocolErrorRaised): RunState {
  return withTurn(state, event, (turn) => ({
    protocolErrors: turn.protocolErrors + 1,
    isCallGranted: true,
    hasWaivedProtection: turn.hasWaivedProtection || votes.includes(event.code),
    ...limited(turn),
  }));
}

export function voteIgnored(state: RunState, event: VoteIgnored): RunState {
  return withTurn(state, event, (turn) => ({
    staleReplies: turn.staleReplies + 1,
    isCallGranted: true,
    hasWaivedProtection: true,
    ...limited(turn),
  }));
}

/** After the hard limit the next call has no ordinary tools; only refused ones in a row are counted. */
function limited(turn: TurnState): Partial<TurnState> {
  return turn.hardLimitAt === undefined ? {} : { isToolless: true, refusedRounds: 0 };
}

export function updateDelivered(state: RunState, event: UpdateDelivered): RunState {
  const seen = withAgent(state, event.slot, (agent) => peersSeen(state, agent, event.labels));
  return withTurn(seen, event, (turn) => ({
    shown: [...turn.shown, ...event.labels.filter((label) => !turn.shown.includes(label))],
    deliveries: turn.deliveries + (event.at === 'stale-vote' ? 0 : 1),
  }));
}

export function toolRoundEnded(agent: AgentState, event: ToolRoundEnded): Partial<AgentState> {
  const turn = turnOf(agent, event);
  if (turn === null) {
    return {};
  }
  const refused = turn.isToolless === true ? { refusedRounds: (turn.refusedRounds ?? 0) + 1 } : {};
  return { turn: { ...turn, isCallGranted: true, ...limited(turn), ...refused } };
}

export function backendRetried(state: RunState, event: BackendRetried, at: number): RunState {
  const delayMs = event.delayMs ?? 0;
  const isWait = event.reason === 'rate-limit';
  const retried = withTurn(state, event, (turn) => ({
    isCallGranted: true,
    ...(isWait
      ? { waits: (turn.waits ?? 0) + 1, waitedMs: (turn.waitedMs ?? 0) + delayMs }
      : { retries: turn.retries + 1 }),
  }));
  if (retried === state || delayMs === 0) {
    return retried;
  }
  return withAgent(retried, event.slot, () => ({
    activity: { kind: 'waiting', reason: isWait ? 'rate-limit' : 'retry', until: at + delayMs },
    lastActivityAt: at,
  }));
}

/** The back-off doubles with each failed turn in a row. */
export function turnFailed(state: RunState, event: TurnFailed, at: number): RunState {
  const backoff = state.settings.backoffMs * 2 ** (event.failedTurns - 1);
  return withAgent(state, event.slot, () => ({
    failedTurns: event.failedTurns,
    lastError: event.error,
    notBefore: backoff === 0 ? 0 : at + backoff,
    lastActivityAt: at,
  }));
}

export function agentFailed(state: RunState, event: AgentFailed): RunState {
  return withAgent(withoutApprovals(state, event.slot), event.slot, () => ({
    status: 'failed',
    turn: null,
    notBefore: 0,
    lastError: event.error,
    activity: { kind: 'none' },
  }));
}

export function agentCancelled(state: RunState, event: AgentCancelled): RunState {
  return withAgent(withoutApprovals(state, event.slot), event.slot, () => ({
    status: 'cancelled',
    turn: null,
    notBefore: 0,
    activity: { kind: 'none' },
  }));
}
