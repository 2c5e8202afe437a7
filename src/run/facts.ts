import type { Label, Slot, SnapshotId } from '../base/ids';

/** An agent as everybody outside a model may see it. Never part of a prompt. */
export interface AgentInfo {
  readonly slot: Slot;
  /** Configured id, unique in the team. */
  readonly id: string;
  /** `backend.type` of the configuration. */
  readonly backend: string;
  readonly model: string;
  /** Models of one maker or line count as one family; empty when not known. */
  readonly family: string;
  readonly weight: number;
}

export type PathPermission = 'read' | 'write';

/** A folder (or single file) of the user's that agents see through their own layers. */
export interface ContextRootInfo {
  /** Unique short name, e.g. the workspace folder's name; used in views and manifests. */
  readonly name: string;
  /** Absolute path on the machine that runs the agents. */
  readonly path: string;
  readonly permission: PathPermission;
}

/** Error as data: no class, no stack, secrets already removed. */
export interface ErrorInfo {
  /** `family/name`, see `core/errors.ts`. */
  readonly code: string;
  readonly message: string;
  /** What the user can do, one sentence. */
  readonly hint?: string;
  readonly retryable: boolean;
}

/** Tokens of one model call. Absent numbers are unknown, not zero. */
export interface Usage {
  /** All input tokens, cached ones included. */
  readonly inputTokens?: number;
  readonly cachedInputTokens?: number;
  /** All output tokens, reasoning included. */
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
}

export interface RecordedToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

export type ChangeKind = 'add' | 'modify' | 'delete' | 'mode' | 'link';

/** One changed path of a change set, with counts for lists. The bytes are in the run's pack, named by hash. */
export interface FileChange {
  /** Name of the context root, or `workspace` for the agent's own folder. */
  readonly root: string;
  /** Relative to the root, `/` as separator. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** Lines; both 0 for binary files. */
  readonly added: number;
  readonly removed: number;
  readonly isBinary: boolean;
  readonly sizeBytes: number;
  /** Not offered by Accept All: ignored by git, or a path that needs its own confirmation. */
  readonly caution?: 'ignored' | 'sensitive';
  /** The user's file was changed since the run began. */
  readonly baseMoved?: boolean;
}

export type BallotPhase = 'vote' | 'runoff' | 'extra_round';

export interface Ballot {
  /** `agent1.vote2`: second accepted ballot of slot 1. */
  readonly id: string;
  readonly voter: Slot;
  readonly target: Label;
  /** One line, may be empty. */
  readonly reason: string;
  /** Labels the voter had been shown. */
  readonly seen: readonly Label[];
  /** `false` when the voter had to be counted although a peer's newest answer was never shown to it. */
  readonly isInformed: boolean;
  readonly weight: number;
  readonly phase: BallotPhase;
  /** Further labels the voter would accept. */
  readonly approve?: readonly Label[];
  readonly seq: number;
  readonly at: number;
  readonly void?: { readonly by: Label | 'runoff' | 'extra_round'; readonly seq: number };
}

export interface Revision {
  readonly label: Label;
  readonly slot: Slot;
  readonly n: number;
  readonly text: string;
  /** `null` when the snapshot failed; the answer counts all the same. */
  readonly snapshotId: SnapshotId | null;
  readonly changes: readonly FileChange[];
  readonly turnNo: number;
  readonly unseenAtSubmit: readonly Label[];
  readonly seq: number;
  readonly at: number;
}

/** An answer that was held back, with the state of its files. */
export interface Draft {
  readonly text: string;
  readonly snapshotId: SnapshotId | null;
  readonly changes: readonly FileChange[];
}

export type DecidedBy =
  | 'rule'
  | 'runoff'
  | 'tie_break'
  | 'fallback_plurality'
  | 'judge'
  | 'human'
  | 'timeout'
  | 'budget'
  | 'degraded'
  | 'no_vote'
  | 'presenter'
  | 'single'
  | 'no_consensus'
  | 'error'
  | 'cancelled';

/** How the run was decided, in numbers. Weighted where weights are set. */
export interface Agreement {
  readonly rule: string;
  readonly threshold: number | null;
  readonly quorum: number;
  readonly electorate: readonly Slot[];
  readonly eligibleWeight: number;
  readonly ballots: number;
  readonly votes: Readonly<Record<Label, number>>;
  /** The same tally without votes for oneself. */
  readonly votesFromOthers: Readonly<Record<Label, number>>;
  /** Weight the rule needs, e.g. 2 for a majority of 3; `null` for plurality. */
  readonly needed: number | null;
  readonly share: number;
  readonly isSatisfied: boolean;
  readonly isTie: boolean;
  readonly tied: readonly Label[];
  readonly runoffs: number;
  readonly extraRounds: number;
  readonly tieBreakUsed: string | null;
  readonly decidedBy: DecidedBy;
  readonly isUnanimous: boolean;
  readonly uninformedBallots: number;
  readonly voidBallots: number;
}

/** Caps of a run; `null` means no cap. At a cap no new model call starts and what exists goes to the vote. */
export interface RunCaps {
  readonly durationMs: number | null;
  readonly modelCalls: number | null;
  /** US dollars; counts only calls whose price is known. */
  readonly costUsd: number | null;
}

export type ProtocolErrorCode =
  | 'no_workflow_call'
  | 'multiple_answers'
  | 'multiple_votes'
  | 'vote_and_answer'
  | 'vote_no_answers'
  | 'invalid_target'
  | 'self_vote'
  | 'voting_not_open'
  | 'answer_limit'
  | 'answers_closed'
  | 'answer_duplicate'
  | 'answer_novelty'
  | 'answer_too_long'
  | 'empty_answer'
  | 'bad_arguments'
  | 'unknown_tool';

export type TurnOutcome =
  'answer' | 'vote' | 'stop' | 'restarted' | 'error' | 'timeout' | 'cancelled' | 'held';

export type TurnFailureCause = 'protocol' | 'backend' | 'turn_timeout' | 'internal';

export type RunOutcome =
  'completed' | 'timeout' | 'budget' | 'no-consensus' | 'error' | 'cancelled' | 'interrupted';
