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
  /** Whether tools with an effect outside wait for a decision, for this agent alone; absent: as the settings say. */
  readonly planningMode?: 'on' | 'off';
  /** How critical it is before it votes; absent: as the settings say. */
  readonly votingSensitivity?: 'lenient' | 'balanced' | 'strict';
  /** An agent program of another maker, which works with tools of its own; absent: a model. */
  readonly isProgram?: boolean;
  /** Name of the program for people, e.g. `Claude Code`; absent: the model alone names the agent. */
  readonly title?: string;
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
  /** Input written into a cache of the service, part of `inputTokens`; it can cost more than the rest. */
  readonly cacheWriteTokens?: number;
  /** All output tokens, reasoning included. */
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
  /** Input of the largest request of a call that took several: services charge by it. Absent: there was one. */
  readonly largestInputTokens?: number;
  /** The answer broke off before the service had counted it whole: the true numbers may be larger. Absent: they are final. */
  readonly isPartial?: boolean;
}

/** A source that a model names for what it says. */
export interface Citation {
  /** `http` or `https`; untrusted. */
  readonly url: string;
  /** May be empty. */
  readonly title: string;
}

export interface RecordedToolCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsJson: string;
}

/** What a tool can reach: nothing, the agent's own files, the world outside, or nobody has said. */
export type ToolEffect = 'read' | 'workspace' | 'external' | 'unknown';

/** An ordinary tool that the agents of a run have. */
export interface ToolInfo {
  readonly name: string;
  readonly effect: ToolEffect;
}

/** A text or other bytes kept beside the log, named by the sha256 (hex) of its bytes. */
export interface PayloadRef {
  readonly sha256: string;
  readonly bytes: number;
}

/** A place that an agent can see, with the path it uses for it. */
export interface RootInfo {
  readonly name: string;
  readonly kind: 'context' | 'private' | 'peers' | 'earlier';
  readonly shownPath: string;
  readonly canWrite: boolean;
  readonly protectedPaths?: readonly string[];
}

/** A file with instructions of the project, as it was put before the agents. */
export interface InstructionFile {
  /** Name of the context root. */
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  readonly bytes: number;
  /** Only the beginning was used. */
  readonly isCut: boolean;
  /** The text that was used. */
  readonly text: PayloadRef;
}

/** One earlier task of the same session with what came of it. */
export interface EarlierTurn {
  readonly turn: number;
  readonly task: string;
  readonly answer: string;
}

/** Where a run stands in its session. Turns count from 1. */
export interface SessionInfo {
  readonly sessionId: string;
  readonly turn: number;
  /** What the agents are told, oldest first; already within its budget. */
  readonly history: readonly EarlierTurn[];
  /** Run and snapshot whose private files every agent starts with. */
  readonly seed?: { readonly runId: string; readonly snapshotId: SnapshotId };
}

/** `rename`: moved, perhaps edited too. `folder`: an empty folder came or went. */
export type ChangeKind = 'add' | 'modify' | 'delete' | 'rename' | 'mode' | 'link' | 'folder';

/**
 * A part of a changed text file that can be decided on its own: some lines of the base replaced by others. Parts of one
 * file are in order and never touch.
 */
export interface HunkInfo {
  /** Made of the replaced range and both texts: two candidates that change the same lines in the same way have the same id. */
  readonly id: string;
  /** First replaced line of the base, from 0; for an insertion the line before which it comes. */
  readonly baseStart: number;
  readonly baseLines: number;
  /** First line of the replacement in the candidate's file, from 0. */
  readonly newStart: number;
  readonly newLines: number;
  /** Without the unchanged lines between two edits of one part. */
  readonly added: number;
  readonly removed: number;
  /** Its first changed line for lists, trimmed, at most 80 characters; untrusted text. */
  readonly title: string;
}

/** Why a text file can only be decided as a whole. */
export type WholeFileReason = 'generated' | 'too-large' | 'too-slow' | 'encoding';

/** One changed path of a change set, with counts for lists. The bytes are in the run's pack, named by hash. */
export interface FileChange {
  /** Name of the context root, or `workspace` for the agent's own folder. */
  readonly root: string;
  /** Relative to the root, `/` as separator. */
  readonly path: string;
  readonly kind: ChangeKind;
  /** For `rename`: the path before, in the same root. */
  readonly from?: string;
  /** Permission bits before and after where they differ; `null` where there is no file. */
  readonly modes?: { readonly before: number | null; readonly after: number | null };
  /** Absent: only the whole file can be decided. */
  readonly hunks?: readonly HunkInfo[];
  readonly wholeFile?: WholeFileReason;
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

/** A part of the proposal for one file: a hunk of an answer, or its whole file where `hunk` is absent. */
export interface PickedPart {
  readonly label: Label;
  readonly hunk?: HunkInfo;
}

export type BallotPhase = 'vote' | 'runoff' | 'extra_round' | 'dual_pass';

/** What made a ballot history: a newer answer, or another round of voting. */
export type VoidCause = Label | 'runoff' | 'extra_round' | 'dual_pass';

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
  readonly void?: { readonly by: VoidCause; readonly seq: number };
}

export interface Revision {
  readonly label: Label;
  readonly slot: Slot;
  readonly n: number;
  readonly text: string;
  /** `null` when the snapshot failed; the answer counts all the same. */
  readonly snapshotId: SnapshotId | null;
  readonly changes: readonly FileChange[];
  /** Its files were taken while a command of its author still ran, so they may be half written; absent: no. */
  readonly isUnsettled?: boolean;
  /** Sources that its author named in the turn in which it was written, each once; absent: none. */
  readonly citations?: readonly Citation[];
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
  /** No candidate passed the checks. */
  | 'gate_failed'
  | 'error'
  | 'cancelled';

/**
 * What a poll came to. `decided`: the rule was met. `tie-broken`: it was not, and something else chose. `no-quorum`: too
 * few ballots for the rule to hold, whatever was chosen. `no-consensus`: nothing was chosen. `gate-failed`: no candidate
 * passed the checks. `none`: nobody voted.
 */
export type DecisionResult =
  'decided' | 'tie-broken' | 'no-quorum' | 'no-consensus' | 'gate-failed' | 'none';

/** Why not everybody was asked for a vote. */
export interface EarlyStop {
  /** `exact`: the missing votes could not change the result. `posterior`: they were not likely to. */
  readonly by: 'exact' | 'posterior';
  /** Voters that were not waited for; with `posterior` they do not count into the electorate. */
  readonly unasked: number;
  /** That the leader is the better one, seen from the votes so far; `null` where it is certain. */
  readonly probability: number | null;
}

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
  readonly result: DecisionResult;
  /** Weight of the leader less that of the next one. */
  readonly lead: number;
  /** Lead that the rule asks for beside its share; 0: any. */
  readonly margin: number;
  /** Number of independent voters that the electorate is worth: members of one family count as one voice. */
  readonly effectiveVoters: number;
  /** The votes for oneself that were cast and not counted. */
  readonly ignoredSelfVotes: number;
  /** Absent when all were asked. */
  readonly earlyStop?: EarlyStop;
  /** Answers that failed a check anew and could not be voted for; absent: none. */
  readonly excluded?: readonly Label[];
  /** Names of the checks that each excluded answer fails anew; absent: none is excluded. */
  readonly failedGates?: Readonly<Record<Label, readonly string[]>>;
  /** Answers whose checks had not ended. They could win all the same, because they did not fail; absent: none. */
  readonly unchecked?: readonly Label[];
}

/** What was found on a finished attempt. */
export interface Evaluation {
  readonly decision: 'submit' | 'restart';
  readonly reason: string;
  readonly instructions: string;
  /** `default`: the evaluator did not decide. */
  readonly by: 'evaluator' | 'timeout' | 'default' | 'fault';
}

/** A call with an effect outside of the workspaces, made once per run. */
export interface EffectRecord {
  /** sha256 of tool and canonical arguments. */
  readonly hash: string;
  readonly tool: string;
  /** Canonical JSON. */
  readonly argumentsJson: string;
  readonly attempt: number;
  readonly result: PayloadRef;
  readonly isError: boolean;
  /** The same tool was called before with other arguments. */
  readonly isRepeat: boolean;
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
  /** The vote is for an answer that failed a check anew. */
  | 'excluded_by_checks'
  | 'self_vote'
  | 'voting_not_open'
  | 'answer_limit'
  | 'answers_closed'
  | 'answer_duplicate'
  | 'answer_novelty'
  | 'answer_too_long'
  | 'empty_answer'
  | 'bad_arguments'
  /** An evaluator both accepts and restarts. */
  | 'conflict'
  /** An evaluator calls `submit` and does not confirm. */
  | 'not_confirmed'
  | 'unknown_tool';

export type TurnOutcome =
  'submit' | 'answer' | 'vote' | 'stop' | 'restarted' | 'error' | 'timeout' | 'cancelled' | 'held';

export type TurnFailureCause = 'protocol' | 'backend' | 'turn_timeout' | 'internal';

export type RunOutcome =
  'completed' | 'timeout' | 'budget' | 'no-consensus' | 'error' | 'cancelled' | 'interrupted';
