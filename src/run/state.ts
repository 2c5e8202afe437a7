// The state of a run: plain data, made only by the reducer from events.
import type { Label, RunId, Slot, SnapshotId } from '../base/ids';
import type { CoordinationSettings } from './coordination-settings';
import type { CheckReport, CheckResult } from './check-facts';
import type {
  AgentInfo,
  Agreement,
  Ballot,
  Citation,
  ContextRootInfo,
  DecidedBy,
  Draft,
  EffectRecord,
  ErrorInfo,
  Evaluation,
  FileChange,
  InstructionFile,
  PickedPart,
  Revision,
  RunCaps,
  RunOutcome,
  SessionInfo,
  ToolInfo,
} from './facts';

export type AgentStatus =
  'idle' | 'running' | 'waiting' | 'voted' | 'abstained' | 'failed' | 'cancelled' | 'done';

/** The turn an agent is in. Counters are per turn. */
export interface TurnState {
  readonly turnNo: number;
  readonly startedAt: number;
  readonly shown: readonly Label[];
  readonly protocolErrors: number;
  readonly staleReplies: number;
  readonly deliveries: number;
  readonly retries: number;
  /** Set when the agent voted before it had an answer of its own: peers' answers may now be delivered. */
  readonly hasWaivedProtection: boolean;
  readonly calls: number;
  /** A model call was allowed that has not started yet. */
  readonly isCallGranted?: boolean;
  /** What the turn was asked to do. */
  readonly purpose?: 'present' | 'evaluate';
  /** Since when the agent is asked to finish, and since when it has no ordinary tools; Unix ms. */
  readonly softLimitAt?: number;
  readonly hardLimitAt?: number;
  /** When the agent was told to finish, and for how long it had waited for a service by then, ms. */
  readonly wrapUpAt?: number;
  readonly waitedBeforeWrapUp?: number;
  /** The present call is made without ordinary tools. */
  readonly isToolless?: boolean;
  /** Rounds of ordinary calls refused in a row after the hard limit. */
  readonly refusedRounds?: number;
  /** Waits for a rate limit in this turn, and their sum in ms. */
  readonly waits?: number;
  readonly waitedMs?: number;
}

/** What an agent is doing now, for its card. */
export type Activity =
  | { readonly kind: 'none' }
  /** `isThinking`: what it says at the moment is thought, not written; absent: no. */
  | { readonly kind: 'model'; readonly isThinking?: true }
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly subject: string;
      readonly startedAt: number;
    }
  | { readonly kind: 'approval'; readonly approvalId: string }
  | {
      readonly kind: 'waiting';
      readonly reason: string;
      readonly until: number;
      /** Somebody else with the same key was asked to wait; absent: the agent itself was. */
      readonly isShared?: boolean;
    };

export interface UsageTotals {
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Sum of the known costs, US dollars. */
  readonly costUsd: number;
  /** Calls whose price is not known, or not as a whole; the sum is then a lower bound. */
  readonly unpricedCalls: number;
  /** Calls that did not report tokens. */
  readonly unmeteredCalls: number;
}

export interface AgentState {
  readonly info: AgentInfo;
  readonly status: AgentStatus;
  readonly turnNo: number;
  readonly turn: TurnState | null;
  readonly revisions: readonly Revision[];
  /** The valid ballot, if any; void ones stay in `ballots`. */
  readonly ballot: Ballot | null;
  readonly ballots: readonly Ballot[];
  /** An answer held back because the agent was too far ahead, and since when (Unix ms). */
  readonly draft?: (Draft & { readonly heldAt: number }) | null;
  /** It came to vote too early and is started again when the checks of all answers have ended. */
  readonly isHeldForChecks?: boolean;
  /** What the agent said when it had done its part; only where agents do not vote. */
  readonly stop?: { readonly status: 'complete' | 'blocked'; readonly summary: string } | null;
  /** Answers handed in since the agent saw something new of its peers, and what it has seen of them. */
  readonly answersInARow?: number;
  readonly seenOfPeers?: readonly Label[];
  readonly failedTurns: number;
  /** Not activated before this time (back-off after a failed turn), Unix ms; 0 when free. */
  readonly notBefore: number;
  readonly lastError: ErrorInfo | null;
  readonly activity: Activity;
  /** Live text of the present or last turn: the newest 8,000 characters. */
  readonly liveText: string;
  /** What it thought aloud in its present or last turn: the newest 4,000 characters; absent: nothing is told. */
  readonly thinking?: string;
  /** The newest response was cut by the length limit of the model; absent: no. */
  readonly isCut?: boolean;
  readonly usage: UsageTotals;
  readonly lastActivityAt: number;
  /** Somebody has allowed its program to run where nothing confines it; absent: no. */
  readonly isUnconfined?: boolean;
  /** Servers that bring it tools, in the order of their names; absent: none. */
  readonly toolServers?: readonly ToolServerState[];
  /** Sources that it named in its last turn, each once; absent: none. */
  readonly citations?: readonly Citation[];
}

/** A server that brings tools to one agent. */
export interface ToolServerState {
  readonly server: string;
  readonly status: 'connecting' | 'ready' | 'failed' | 'stopped';
  readonly tools: readonly ToolInfo[];
  /** With `failed`: what happened and what to do. */
  readonly message: string;
}

export interface ApprovalState {
  readonly approvalId: string;
  readonly slot: Slot;
  readonly command: string;
  readonly cwd: string;
  readonly isConfined: boolean;
  /** No command: a call that reaches out of this machine, to what `command` names; absent: a command. */
  readonly isRequest?: true;
  /** No command: a tool of a server or of the user, with its input; absent: a command. */
  readonly isTool?: true;
  readonly isChanged?: true;
  /** No command: an agent program that nothing confines, for as long as the run lasts; absent: a command. */
  readonly isProgram?: true;
  readonly hash: string;
  readonly requestedAt: number;
}

export type PollState =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'runoff';
      readonly candidates: readonly Slot[];
      /** Compared again in the opposite order. */
      readonly isDualPass?: boolean;
    }
  | { readonly kind: 'judge'; readonly candidates: readonly Slot[] }
  | { readonly kind: 'closed' };

/** One line of the timeline, in order; made by the reducer so that views never look at raw events. */
export interface TimelineEntry {
  readonly seq: number;
  readonly at: number;
  readonly kind:
    | 'run-started'
    | 'answer'
    | 'vote'
    | 'vote-ignored'
    | 'votes-voided'
    | 'update'
    | 'restart'
    | 'protocol-error'
    | 'turn-failed'
    | 'agent-failed'
    | 'agent-abstained'
    | 'runoff'
    | 'extra-round'
    | 'cap'
    | 'dual-pass'
    | 'judge'
    | 'time-limit'
    | 'steering'
    | 'answer-now'
    | 'override'
    | 'planning'
    | 'evaluation'
    | 'attempt'
    | 'resumed'
    | 'instructions'
    | 'effect'
    | 'cut'
    | 'server-failed'
    | 'server-notice'
    | 'checks'
    | 'decided'
    | 'final-answer'
    | 'ended'
    | 'warning';
  /** The agent it is about; `null` for the whole team. */
  readonly slot: Slot | null;
  /** Labels involved: the answer, the vote's target, the delivered ones. */
  readonly labels: readonly Label[];
  /** Other agents affected, e.g. whose votes were voided. */
  readonly slots: readonly Slot[];
  /** Reason, message or rule words; untrusted text of a model where it comes from one. */
  readonly text: string;
}

/** A message of the user to agents at work. */
export interface SteeringMessage {
  readonly id: string;
  readonly text: string;
  readonly targets: readonly Slot[] | null;
  readonly at: number;
  readonly deliveredTo: readonly Slot[];
}

/** An attempt that is over because the team had to start anew. */
export interface PastAttempt {
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly winner: { readonly slot: Slot; readonly label: Label } | null;
  readonly decidedBy: string | null;
  readonly finalText: string;
  /** Files of the answer that was presented. */
  readonly snapshotId: SnapshotId | null;
  readonly evaluation: Evaluation;
}

/** What is paid beside the agents: a judge, a question about the tools. */
export interface SystemCalls {
  readonly usage: UsageTotals;
  readonly current: { readonly call: number; readonly purpose: string } | null;
}

export type ReviewDecision = 'pending' | 'accepted' | 'rejected' | 'conflict';

export interface ReviewFile extends FileChange {
  /**
   * Of the whole file. With parts: `conflict` when one is, else `pending` while one is, else `accepted` when one is, else
   * `rejected`.
   */
  readonly decision: ReviewDecision;
  readonly detail?: string;
  /** By the id of a part; parts that are not in it are pending. */
  readonly hunkDecisions?: Readonly<
    Record<string, { readonly decision: ReviewDecision; readonly detail?: string }>
  >;
  /** Where the parts come from when the user put them together; absent: all from the reviewed answer. */
  readonly parts?: readonly PickedPart[];
}

/** Checks of one tree: the results so far, and the report when all have ended. */
export interface CheckState {
  readonly names: readonly string[];
  readonly results: readonly CheckResult[];
  readonly report: CheckReport | null;
}

/** All checks of a run. */
export interface RunChecks {
  readonly baseline: CheckState | null;
  readonly answers: Readonly<Record<Label, CheckState>>;
  readonly mixes: Readonly<Record<SnapshotId, CheckState>>;
}

export interface RunState {
  /** `seq` of the last event reduced; -1 before the first. */
  readonly seq: number;
  readonly runId: RunId;
  readonly task: string;
  readonly teamName: string;
  readonly isScripted: boolean;
  readonly unconfinedReason: string | null;
  readonly startedAt: number;
  readonly lastEventAt: number;
  readonly attempt: number;
  readonly attemptStartedAt: number;
  readonly pastAttempts: readonly PastAttempt[];
  readonly session: SessionInfo | null;
  readonly settings: CoordinationSettings;
  readonly caps: RunCaps;
  readonly contextRoots: readonly ContextRootInfo[];
  readonly tools: readonly ToolInfo[];
  /** By slot: `agents[slot - 1]`. */
  readonly agents: readonly AgentState[];
  readonly poll: PollState;
  readonly runoffs: number;
  readonly extraRounds: number;
  readonly capReached: 'duration' | 'model-calls' | 'cost' | null;
  readonly selection: {
    readonly winner: { readonly slot: Slot; readonly label: Label } | null;
    readonly agreement: Agreement;
  } | null;
  readonly presentation: { readonly slot: Slot; readonly label: Label } | null;
  readonly finalAnswer: {
    readonly slot: Slot;
    readonly label: Label;
    readonly text: string;
    readonly source: 'presented' | 'reused';
    /** Sources that were named for it, each once; absent: none. */
    readonly citations?: readonly Citation[];
    /** It ends where the length limit of the model cut it; absent: no. */
    readonly isCut?: boolean;
  } | null;
  /** Absent: none has begun. */
  readonly checks?: RunChecks;
  readonly review: {
    readonly label: Label;
    readonly snapshotId: SnapshotId;
    readonly files: readonly ReviewFile[];
    /** What is proposed now, as it was given to the checks last; absent: it was not, or is another one by now. */
    readonly checkedMix?: SnapshotId;
  } | null;
  /** The finished attempt is looked at by this agent. */
  readonly evaluation: { readonly slot: Slot; readonly result: Evaluation | null } | null;
  readonly judgeVerdict: { readonly label: Label | null; readonly reason: string } | null;
  readonly steering: readonly SteeringMessage[];
  readonly override: {
    readonly label: Label;
    readonly when: 'before' | 'after';
    /** The team's answer, which the user can go back to. */
    readonly previous: Label | null;
    /** How the team had come to its answer, and its final text. */
    readonly team?: {
      readonly decidedBy: DecidedBy;
      readonly finalAnswer: RunState['finalAnswer'];
    };
  } | null;
  readonly planning: {
    readonly isOn: boolean;
    readonly blockedTools: readonly string[];
    readonly by: string;
  } | null;
  readonly instructions: readonly InstructionFile[];
  readonly effects: readonly EffectRecord[];
  readonly systemCalls: SystemCalls;
  readonly approvals: readonly ApprovalState[];
  readonly timeline: readonly TimelineEntry[];
  /** With the outcome `interrupted`: what the run goes on from. */
  readonly interruption?: {
    /** When it was cut off, Unix ms. */
    readonly at: number;
    readonly poll: PollState;
    readonly agents: readonly Pick<AgentState, 'status' | 'turn' | 'notBefore'>[];
  };
  readonly outcome: RunOutcome | null;
  readonly error: ErrorInfo | null;
}
