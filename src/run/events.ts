// The one vocabulary of a run. Everything shown, stored, replayed or tested is read off these events.
import type { Label, RunId, Slot, SnapshotId } from '../base/ids';
import type { CoordinationSettings } from './coordination-settings';
import type {
  AgentInfo,
  Agreement,
  BallotPhase,
  ContextRootInfo,
  Draft,
  EffectRecord,
  ErrorInfo,
  Evaluation,
  FileChange,
  InstructionFile,
  PayloadRef,
  ProtocolErrorCode,
  RecordedToolCall,
  RootInfo,
  RunCaps,
  RunOutcome,
  SessionInfo,
  ToolInfo,
  TurnFailureCause,
  TurnOutcome,
  Usage,
  VoidCause,
} from './facts';

/** Where in a run something happens. `call` counts the model calls of the turn from 1. */
interface InTurn {
  readonly slot: Slot;
  readonly turnNo: number;
}
interface InCall extends InTurn {
  readonly call: number;
}

/** First event of every log; all a reader needs to understand the rest without the configuration. */
export interface RunStarted {
  readonly type: 'run-started';
  readonly runId: RunId;
  readonly task: string;
  readonly agents: readonly AgentInfo[];
  readonly contextRoots: readonly ContextRootInfo[];
  readonly settings: CoordinationSettings;
  readonly caps: RunCaps;
  /** Team name for people, e.g. `Offline demonstration`. */
  readonly teamName: string;
  /** True when a script made by hand plays the models. */
  readonly isScripted: boolean;
  /** Why commands are not confined, or `null` when they are. */
  readonly unconfinedReason: string | null;
  /** Absent for a run on its own. */
  readonly session?: SessionInfo;
  /** The ordinary tools of the agents. */
  readonly tools?: readonly ToolInfo[];
}

// --- facts an agent's turn reports; `handle` passes them through unchanged
export interface ModelCallStarted extends InCall {
  readonly type: 'model-call-started';
}
export interface TextDelta extends InCall {
  readonly type: 'text-delta';
  readonly text: string;
  readonly isThinking?: boolean;
}
/** Ends a model call; `text` is the whole visible text, also when the call failed half way. */
export interface ModelCallEnded extends InCall {
  readonly type: 'model-call-ended';
  readonly text: string;
  /** The calls the model asked for, arguments as it wrote them; what a replay plays. */
  readonly toolCalls: readonly RecordedToolCall[];
  readonly usage: Usage;
  /** US dollars, `null` when the price of the model is not known. */
  readonly costUsd: number | null;
  readonly error?: ErrorInfo;
  /** Wait that the service asked for with the error, ms. */
  readonly retryAfterMs?: number;
}
export interface ToolCallStarted extends InCall {
  readonly type: 'tool-call-started';
  /** Index of the call in the response, from 0. */
  readonly index: number;
  readonly tool: string;
  /** What it acts on in one line (path, command, pattern), for people. */
  readonly subject: string;
}
export interface ToolCallEnded extends InCall {
  readonly type: 'tool-call-ended';
  readonly index: number;
  readonly tool: string;
  readonly isError: boolean;
  /** Beginning of the result, at most 2,000 characters. */
  readonly preview: string;
  readonly outputBytes: number;
  /** The whole result, when `preview` is not. */
  readonly result?: PayloadRef;
  /** State of the agent's files after a call that may have changed them. */
  readonly filesAfter?: SnapshotId;
}
/** What an agent can see, once per agent and run. */
export interface WorkspaceOpened {
  readonly type: 'workspace-opened';
  readonly slot: Slot;
  readonly roots: readonly RootInfo[];
}
/** The system message and the first message of a turn, as JSON `{system, message}`. */
export interface TurnOpened extends InTurn {
  readonly type: 'turn-opened';
  readonly prompt: PayloadRef;
}
/** The files of an answer were frozen, before the answer itself is reported. */
export interface SnapshotTaken extends InCall {
  readonly type: 'snapshot-taken';
  /** `null` when it failed. */
  readonly snapshotId: SnapshotId | null;
  readonly changes: readonly FileChange[];
}
/** Instructions of the project that agents are given; again when further ones are found. */
export interface InstructionsRead {
  readonly type: 'instructions-read';
  /** Who was given them; agents work in different folders. */
  readonly slot: Slot;
  readonly files: readonly InstructionFile[];
}
/** A model is asked something on behalf of the run, not of an agent. `call` counts from 1 over the run. */
export interface SystemCallStarted {
  readonly type: 'system-call-started';
  readonly call: number;
  readonly purpose: 'judge' | 'planning';
  readonly model: string;
}
export interface SystemCallEnded {
  readonly type: 'system-call-ended';
  readonly call: number;
  readonly text: string;
  readonly usage: Usage;
  readonly costUsd: number | null;
  readonly error?: ErrorInfo;
}
/** A call with an effect outside of the workspaces was made. */
export interface EffectRecorded extends InTurn {
  readonly type: 'effect-recorded';
  readonly effect: EffectRecord;
}
/** Such a call was asked for again and answered from the record. */
export interface EffectReplayed extends InTurn {
  readonly type: 'effect-replayed';
  readonly hash: string;
}
export interface ApprovalRequested extends InTurn {
  readonly type: 'approval-requested';
  readonly approvalId: string;
  /** Exactly what will run; never shortened. */
  readonly command: string;
  readonly cwd: string;
  readonly isConfined: boolean;
  /** sha256 of command and cwd; a decision must carry it. */
  readonly hash: string;
}
export interface ApprovalResolved extends InTurn {
  readonly type: 'approval-resolved';
  readonly approvalId: string;
  readonly decision: 'deny' | 'allow-once' | 'allow-run' | 'allow-workspace';
  readonly by: 'user' | 'earlier-decision' | 'policy' | 'stop';
}
export interface AgentWaiting extends InTurn {
  readonly type: 'agent-waiting';
  readonly reason: 'rate-limit' | 'overloaded' | 'retry';
  /** Unix ms. */
  readonly until: number;
}

// --- what coordination decides
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
  /** `drafts`: voting opens when all have answered. `fairness`: it is too far ahead of its peers. */
  readonly reason: 'drafts' | 'first-rival' | 'fairness' | 'no-action';
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
export interface RunoffStarted {
  readonly type: 'runoff-started';
  readonly candidates: readonly Slot[];
}
/** The leaders are so close that everybody compares them again, in the opposite order. */
export interface DualPassStarted {
  readonly type: 'dual-pass-started';
  readonly candidates: readonly Slot[];
}
export interface JudgeAsked {
  readonly type: 'judge-asked';
  readonly candidates: readonly Slot[];
}
export interface JudgeDecided {
  readonly type: 'judge-decided';
  /** `null` when the judge gave no valid decision; the tie chain decides then. */
  readonly label: Label | null;
  readonly reason: string;
}
/** The time of a turn is over: `soft` asks the agent to finish, `hard` takes its ordinary tools away. */
export interface TurnLimitReached extends InTurn {
  readonly type: 'turn-limit-reached';
  readonly limit: 'soft' | 'hard';
  readonly by: 'clock' | 'user';
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
/** Which tools are closed until the answer is chosen. */
export interface PlanningDecided {
  readonly type: 'planning-decided';
  readonly isOn: boolean;
  readonly blockedTools: readonly string[];
  readonly by: 'setting' | 'classification' | 'failure';
}
export interface EvaluationStarted extends InTurn {
  readonly type: 'evaluation-started';
}
export interface EvaluationEnded extends Evaluation {
  readonly type: 'evaluation-ended';
  readonly slot: Slot;
}
/** The team starts anew; answers and votes so far are history. */
export interface OrchestrationRestarted {
  readonly type: 'orchestration-restarted';
  /** Number of the attempt that begins. */
  readonly attempt: number;
  readonly reason: string;
  readonly instructions: string;
}
/** Another process goes on with a run that was cut off; what was in flight is asked for again. */
export interface RunResumed {
  readonly type: 'run-resumed';
}
export interface ExtraRoundStarted {
  readonly type: 'extra-round-started';
}
export interface CapReached {
  readonly type: 'cap-reached';
  readonly cap: 'duration' | 'model-calls' | 'cost';
}
export interface PollClosed {
  readonly type: 'poll-closed';
  readonly cause:
    'quorum' | 'early_stop' | 'stopped' | 'answered' | 'timeout' | 'budget' | 'failed' | 'user';
  readonly eligible: number;
  readonly ballots: number;
}
export interface TieBroken {
  readonly type: 'tie-broken';
  readonly element: string;
  readonly tied: readonly Label[];
  readonly winner: Label;
}
export interface FinalAgentSelected {
  readonly type: 'final-agent-selected';
  /** `null` when nothing was chosen (no consensus, no answer, cancelled). */
  readonly winner: { readonly slot: Slot; readonly label: Label } | null;
  readonly agreement: Agreement;
}
export interface FinalPresentationStarted extends InTurn {
  readonly type: 'final-presentation-started';
  readonly label: Label;
}
export interface FinalAnswer {
  readonly type: 'final-answer';
  readonly slot: Slot;
  /** The voted answer that is presented. */
  readonly label: Label;
  readonly text: string;
  readonly source: 'presented' | 'reused';
}
/** The voted snapshot against the user's folder: what the review shows. */
export interface ChangeSetReady {
  readonly type: 'change-set-ready';
  readonly label: Label;
  readonly snapshotId: SnapshotId;
  readonly files: readonly FileChange[];
}
export interface RunEnded {
  readonly type: 'run-ended';
  readonly outcome: RunOutcome;
  readonly error?: ErrorInfo;
}

// --- review; may follow `run-ended`
export interface FileDecided {
  readonly type: 'file-decided';
  readonly root: string;
  readonly path: string;
  readonly decision: 'accepted' | 'rejected' | 'conflict' | 'pending';
  /** For `conflict`: what happened and what holds, one sentence. */
  readonly detail?: string;
}

export interface WarningRaised {
  readonly type: 'warning-raised';
  readonly code: string;
  readonly message: string;
}

export type ObservedEvent =
  | ModelCallStarted
  | TextDelta
  | ModelCallEnded
  | ToolCallStarted
  | ToolCallEnded
  | ApprovalRequested
  | ApprovalResolved
  | AgentWaiting
  | WorkspaceOpened
  | TurnOpened
  | SnapshotTaken
  | InstructionsRead
  | SystemCallStarted
  | SystemCallEnded
  | EffectRecorded
  | EffectReplayed
  | ChangeSetReady
  | FileDecided
  | WarningRaised;

export type DecidedEvent =
  | AgentTurnStarted
  | AgentTurnEnded
  | AnswerSubmitted
  | VoteCast
  | VoteIgnored
  | VotesVoided
  | UpdateDelivered
  | ProtocolErrorRaised
  | ToolRoundEnded
  | BackendRetried
  | TurnFailed
  | AgentFailed
  | AgentAbstained
  | AgentHeld
  | AgentStopped
  | AgentCancelled
  | RunoffStarted
  | ExtraRoundStarted
  | DualPassStarted
  | JudgeAsked
  | JudgeDecided
  | TurnLimitReached
  | WrapUpDelivered
  | SteeringReceived
  | SteeringDelivered
  | AnswerNowRequested
  | UserOverride
  | AgentRevived
  | PlanningDecided
  | EvaluationStarted
  | EvaluationEnded
  | OrchestrationRestarted
  | RunResumed
  | CapReached
  | PollClosed
  | TieBroken
  | FinalAgentSelected
  | FinalPresentationStarted
  | FinalAnswer
  | RunEnded;

export type RunEvent = RunStarted | ObservedEvent | DecidedEvent;

/** One line of the log. Only the log assigns `seq` (0, 1, 2 … no gaps) and `at` (Unix ms from the Clock port). */
export interface RecordedEvent {
  readonly seq: number;
  readonly at: number;
  readonly event: RunEvent;
  /** On the first event of a decision: what was decided about. Absent for facts, which stand for themselves. */
  readonly by?: EventCause;
}

/** The input behind a decision, without what can be made again; enough to play the run again in the same order. */
export type EventCause =
  | { readonly kind: 'start' | 'instant-ended' | 'resume' }
  | {
      readonly kind: 'report';
      readonly slot: Slot;
      readonly turnNo: number;
      readonly call: number;
    }
  | {
      readonly kind: 'turn-crashed';
      readonly slot: Slot;
      readonly turnNo: number;
      readonly error: ErrorInfo;
    }
  /** `input` is the whole input: a timer, a stop, a message of the user, the word of a judge. */
  | { readonly kind: 'outside'; readonly input: unknown };

/** Log version that introduced each event; a missing entry does not compile. */
export const eventSince = {
  'run-started': 1,
  'model-call-started': 1,
  'text-delta': 1,
  'model-call-ended': 1,
  'tool-call-started': 1,
  'tool-call-ended': 1,
  'approval-requested': 1,
  'approval-resolved': 1,
  'agent-waiting': 1,
  'change-set-ready': 1,
  'file-decided': 1,
  'warning-raised': 1,
  'agent-turn-started': 1,
  'agent-turn-ended': 1,
  'answer-submitted': 1,
  'vote-cast': 1,
  'vote-ignored': 1,
  'votes-voided': 1,
  'update-delivered': 1,
  'protocol-error': 1,
  'tool-round-ended': 1,
  'backend-retried': 1,
  'turn-failed': 1,
  'agent-failed': 1,
  'agent-abstained': 1,
  'agent-held': 1,
  'agent-stopped': 1,
  'agent-cancelled': 1,
  'runoff-started': 1,
  'extra-round-started': 1,
  'cap-reached': 1,
  'poll-closed': 1,
  'tie-broken': 1,
  'final-agent-selected': 1,
  'final-presentation-started': 1,
  'final-answer': 1,
  'run-ended': 1,
  'workspace-opened': 2,
  'turn-opened': 2,
  'snapshot-taken': 2,
  'instructions-read': 2,
  'system-call-started': 2,
  'system-call-ended': 2,
  'effect-recorded': 2,
  'effect-replayed': 2,
  'dual-pass-started': 2,
  'judge-asked': 2,
  'judge-decided': 2,
  'turn-limit-reached': 2,
  'wrap-up-delivered': 2,
  'steering-received': 2,
  'steering-delivered': 2,
  'answer-now-requested': 2,
  'user-override': 2,
  'agent-revived': 2,
  'planning-decided': 2,
  'evaluation-started': 2,
  'evaluation-ended': 2,
  'orchestration-restarted': 2,
  'run-resumed': 2,
} as const satisfies Record<RunEvent['type'], number>;

/** Version written into the header line of `run.jsonl`. */
export const logVersion = 2;
