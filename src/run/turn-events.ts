// What becomes of agents and their turns.
import type { Label, Slot, SnapshotId } from '../base/ids';
import type {
  BallotPhase,
  Draft,
  ErrorInfo,
  FileChange,
  ProtocolErrorCode,
  TurnFailureCause,
  TurnOutcome,
  VoidCause,
} from './facts';
import type { InTurn } from './event-place';

export interface AgentWaiting extends InTurn {
  readonly type: 'agent-waiting';
  readonly reason: 'rate-limit' | 'overloaded' | 'retry';
  /** Unix ms. */
  readonly until: number;
  /** Somebody else with the same key was asked to wait; absent: this agent itself was. */
  readonly isShared?: boolean;
}

export interface AgentTurnStarted extends InTurn {
  readonly type: 'agent-turn-started';
  readonly attempt: number;
  readonly shown: readonly Label[];
}

export interface AgentTurnEnded extends InTurn {
  readonly type: 'agent-turn-ended';
  readonly outcome: TurnOutcome;
}

export interface AnswerSubmitted extends InTurn {
  readonly type: 'answer-submitted';
  readonly label: Label;
  readonly text: string;
  readonly snapshotId: SnapshotId | null;
  readonly changes: readonly FileChange[];
  /** Its files were taken while a command of its author still ran, so they may be half written; absent: no. */
  readonly isUnsettled?: boolean;
  readonly hadUnseen: readonly Label[];
  /** Agents that had done their part and look at it again because of this answer. */
  readonly reopens?: readonly Slot[];
}

export interface VoteCast extends InTurn {
  readonly type: 'vote-cast';
  readonly ballotId: string;
  readonly target: Label;
  readonly reason: string;
  readonly seen: readonly Label[];
  readonly isInformed: boolean;
  readonly weight: number;
  readonly phase: BallotPhase;
  readonly approve?: readonly Label[];
}

/** A vote cast while a peer's newest answer had not been shown; it is not recorded and not an error. */
export interface VoteIgnored extends InTurn {
  readonly type: 'vote-ignored';
  readonly target: string;
  readonly unseen: readonly Label[];
}

export interface VotesVoided {
  readonly type: 'votes-voided';
  readonly cause: VoidCause;
  readonly voters: readonly Slot[];
}

/** New answers of peers were put into a running turn. */
export interface UpdateDelivered extends InTurn {
  readonly type: 'update-delivered';
  readonly labels: readonly Label[];
  readonly at: 'tool-result' | 'protocol-error' | 'stale-vote';
}

export interface ProtocolErrorRaised extends InTurn {
  readonly type: 'protocol-error';
  readonly code: ProtocolErrorCode;
  /** Counted per turn from 1; the turn fails with the third. */
  readonly attemptNo: number;
  /** For the model and for people; names agents by slot only. */
  readonly message: string;
}

export interface ToolRoundEnded extends InTurn {
  readonly type: 'tool-round-ended';
  readonly tools: readonly string[];
}

export interface BackendRetried extends InTurn {
  readonly type: 'backend-retried';
  readonly retryNo: number;
  readonly error: ErrorInfo;
  /** Wait before the next call, ms; absent means none. */
  readonly delayMs?: number;
  /** `rate-limit`: the service asked for patience, which does not use up a retry. Absent means `transient`. */
  readonly reason?: 'transient' | 'rate-limit';
}

export interface TurnFailed extends InTurn {
  readonly type: 'turn-failed';
  readonly cause: TurnFailureCause;
  readonly error: ErrorInfo;
  readonly failedTurns: number;
}

export interface AgentFailed {
  readonly type: 'agent-failed';
  readonly slot: Slot;
  readonly error: ErrorInfo;
}

export interface AgentAbstained {
  readonly type: 'agent-abstained';
  readonly slot: Slot;
}

/** A free agent is not started: a gate holds it back, or it has nothing that it may do. */
export interface AgentHeld {
  readonly type: 'agent-held';
  readonly slot: Slot;
  /**
   * `drafts`: voting opens when all have answered. `checks`: nobody votes before the checks of all answers have ended.
   * `fairness`: it is too far ahead of its peers.
   */
  readonly reason: 'drafts' | 'checks' | 'first-rival' | 'fairness' | 'no-action';
  /** The answer that was not accepted yet, with `fairness`; the agent decides about it again later. */
  readonly draft?: Draft;
}

/** An agent has done its part; only where agents do not vote. */
export interface AgentStopped extends InTurn {
  readonly type: 'agent-stopped';
  /** `limit`: it may hand in no further answer. */
  readonly by: 'agent' | 'limit';
  readonly status: 'complete' | 'blocked';
  readonly summary: string;
}

export interface AgentCancelled {
  readonly type: 'agent-cancelled';
  readonly slot: Slot;
  readonly reason: 'user' | 'deadline' | 'budget' | 'poll-closed';
}

/** The time of a turn is over, or it gets nowhere: `soft` asks the agent to finish, `hard` takes its ordinary tools away. */
export interface TurnLimitReached extends InTurn {
  readonly type: 'turn-limit-reached';
  readonly limit: 'soft' | 'hard';
  /** `repeats`: the agent made the same calls again and again with the same results. */
  readonly by: 'clock' | 'user' | 'repeats';
}

/** The agent has been told to finish. */
export interface WrapUpDelivered extends InTurn {
  readonly type: 'wrap-up-delivered';
  readonly graceMs: number;
}

/** A message of the user to agents at work; `null` goes to all. */
export interface SteeringReceived {
  readonly type: 'steering-received';
  readonly id: string;
  readonly text: string;
  readonly targets: readonly Slot[] | null;
  /** Agents that had done their part and begin another turn for it; a vote of theirs stays valid meanwhile. */
  readonly wakes?: readonly Slot[];
}

export interface SteeringDelivered extends InTurn {
  readonly type: 'steering-delivered';
  readonly ids: readonly string[];
}

/** The user wants this agent to answer with what it has. */
export interface AnswerNowRequested {
  readonly type: 'answer-now-requested';
  readonly slot: Slot;
}

/** The user has chosen, before or after the team did. */
export interface UserOverride {
  readonly type: 'user-override';
  readonly label: Label;
  readonly when: 'before' | 'after';
  readonly previous: Label | null;
}

export interface AgentRevived {
  readonly type: 'agent-revived';
  readonly slot: Slot;
}
