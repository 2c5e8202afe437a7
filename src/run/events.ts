// The one vocabulary of a run. Everything shown, stored, replayed or tested is read off these events.
import type { Label, RunId, Slot, SnapshotId } from '../base/ids';
import type { CoordinationSettings } from './coordination-settings';
import type {
  ModelCallStarted,
  TextDelta,
  ModelCallEnded,
  ToolCallStarted,
  ToolCallEnded,
  WorkspaceOpened,
  TurnOpened,
  SnapshotTaken,
  InstructionsRead,
  SystemCallStarted,
  SystemCallEnded,
  EffectRecorded,
  EffectReplayed,
  HostedToolUsed,
  ToolServerChanged,
  ApprovalRequested,
  ApprovalResolved,
} from './call-events';
import type {
  AgentWaiting,
  AgentTurnStarted,
  AgentTurnEnded,
  AnswerSubmitted,
  VoteCast,
  VoteIgnored,
  VotesVoided,
  UpdateDelivered,
  ProtocolErrorRaised,
  ToolRoundEnded,
  BackendRetried,
  TurnFailed,
  AgentFailed,
  AgentAbstained,
  AgentHeld,
  AgentStopped,
  AgentCancelled,
  TurnLimitReached,
  WrapUpDelivered,
  SteeringReceived,
  SteeringDelivered,
  AnswerNowRequested,
  UserOverride,
  AgentRevived,
} from './turn-events';
import type {
  RunoffStarted,
  DualPassStarted,
  JudgeAsked,
  JudgeDecided,
  PlanningDecided,
  EvaluationStarted,
  EvaluationEnded,
  OrchestrationRestarted,
  ExtraRoundStarted,
  CapReached,
  PollClosed,
  TieBroken,
  FinalAgentSelected,
  FinalPresentationStarted,
  FinalAnswer,
} from './poll-events';
import type { CheckReport, CheckResult, CheckSubject } from './check-facts';
import type {
  AgentInfo,
  ContextRootInfo,
  ErrorInfo,
  FileChange,
  PickedPart,
  RunCaps,
  RunOutcome,
  SessionInfo,
  ToolInfo,
} from './facts';

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

/** Another process goes on with a run that was cut off; what was in flight is asked for again. */
export interface RunResumed {
  readonly type: 'run-resumed';
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

/** A decision about a file, or about one of its parts. */
export interface FileDecided {
  readonly type: 'file-decided';
  readonly root: string;
  readonly path: string;
  /** Id of the part; absent: the whole file with all its parts. */
  readonly hunk?: string;
  /** `auto`: applied without a person, as the settings ask for. Absent: the user. */
  readonly by?: 'auto';
  readonly decision: 'accepted' | 'rejected' | 'conflict' | 'pending';
  /** For `conflict`: what happened and what holds, one sentence. */
  readonly detail?: string;
}

/** The user put together what is proposed for one file from parts of answers. */
export interface MixPicked {
  readonly type: 'mix-picked';
  readonly root: string;
  readonly path: string;
  /** In the order of their lines, none overlapping another; empty: the file stays as it is in the base. */
  readonly parts: readonly PickedPart[];
  /** The file against its base with these parts; its `hunks` are those of `parts`. */
  readonly change: FileChange;
}

/** The checks of a tree have begun. */
export interface ChecksStarted {
  readonly type: 'checks-started';
  readonly subject: CheckSubject;
  readonly names: readonly string[];
}

/** One check of a tree has ended; only for showing progress. */
export interface CheckEnded {
  readonly type: 'check-ended';
  readonly subject: CheckSubject;
  readonly result: CheckResult;
}

/** All checks of a tree have ended. For an answer: from now on it can be voted for, or not. */
export interface ChecksEnded {
  readonly type: 'checks-ended';
  readonly subject: CheckSubject;
  readonly report: CheckReport;
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
  | HostedToolUsed
  | ToolServerChanged
  | ChangeSetReady
  | FileDecided
  | MixPicked
  | ChecksStarted
  | CheckEnded
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
  | ChecksEnded
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
  'mix-picked': 2,
  'checks-started': 2,
  'check-ended': 2,
  'checks-ended': 2,
  'hosted-tool-used': 2,
  'tool-server-changed': 2,
} as const satisfies Record<RunEvent['type'], number>;

/** Version written into the header line of `run.jsonl`. */
export const logVersion = 2;
