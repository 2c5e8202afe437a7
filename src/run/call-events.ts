// What happens within a turn, as whoever works there saw it: calls, tools, files and approvals.
import type { Slot, SnapshotId } from '../base/ids';
import type {
  Citation,
  EffectRecord,
  ErrorInfo,
  FileChange,
  InstructionFile,
  PayloadRef,
  RecordedToolCall,
  RootInfo,
  ToolInfo,
  Usage,
} from './facts';
import type { InTurn, InCall } from './event-place';

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
  /** The service charges for more than tokens, a sum that is not known, and `costUsd` is without it; absent: it does not. */
  readonly hasFees?: boolean;
  readonly error?: ErrorInfo;
  /** Wait that the service asked for with the error, ms. */
  readonly retryAfterMs?: number;
  /** The response as the service itself wrote it, JSON of a `Verbatim`: it wants to read it again with the next request. */
  readonly verbatim?: PayloadRef;
  /** Each source once. */
  readonly citations?: readonly Citation[];
  /** The response was cut by the length limit of the model. */
  readonly isCut?: boolean;
  /** State of the agent's files after a call of an agent program, which works in them; absent: a model, or they could not be kept. */
  readonly filesAfter?: SnapshotId;
}

/** A tool was used that runs at the service, or inside of an agent program; we see it and do not run it. */
export interface HostedToolUsed extends InCall {
  readonly type: 'hosted-tool-used';
  /** Unique in the call; a later event of the same id brings it up to date. */
  readonly id: string;
  readonly tool: string;
  /** What it acts on in one line, for people. */
  readonly subject: string;
  readonly status: 'started' | 'done' | 'failed';
  /** Beginning of its result, at most 2,000 characters; absent: none is told. */
  readonly preview?: string;
}

/** State of a server that brings tools to one agent. */
export interface ToolServerChanged {
  readonly type: 'tool-server-changed';
  readonly slot: Slot;
  readonly server: string;
  readonly status: 'connecting' | 'ready' | 'failed' | 'stopped';
  /** What it brings, with `ready`. */
  readonly tools?: readonly ToolInfo[];
  /** With `failed`: what happened and what to do. With `ready`: what is not as it was before. One or two sentences. */
  readonly message?: string;
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
  /** What the tool has shown, as JSON; absent: nothing. */
  readonly media?: PayloadRef;
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
  /** A command of the agent still ran, so files may be half written; absent: no. */
  readonly isUnsettled?: boolean;
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
  /** As of `ModelCallEnded`. */
  readonly hasFees?: boolean;
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
  /** No command: a call that reaches out of this machine, to what `command` names; absent: a command. */
  readonly isRequest?: true;
  /** No command: a tool of a server or of the user, with its input; absent: a command. */
  readonly isTool?: true;
  /** The tool is not as it was when somebody last let it work; absent: it is. */
  readonly isChanged?: true;
  /** No command: an agent program that nothing confines, for as long as the run lasts; absent: a command. */
  readonly isProgram?: true;
  /** sha256 of command and cwd; a decision must carry it. */
  readonly hash: string;
}

export interface ApprovalResolved extends InTurn {
  readonly type: 'approval-resolved';
  readonly approvalId: string;
  readonly decision: 'deny' | 'allow-once' | 'allow-run' | 'allow-workspace';
  readonly by: 'user' | 'earlier-decision' | 'policy' | 'stop';
}
