import type { Slot } from '../../base/ids';
import type { Citation, Usage } from '../../run/facts';
import type { MassGenError } from '../errors';

/** Facts about a model, never vendor names; `undefined` is unknown. */
export interface ModelCapabilities {
  readonly hasTools: boolean;
  readonly hasParallelToolCalls: boolean;
  /** Kinds of media that may be part of a request; absent: none. */
  readonly media?: readonly Media['kind'][];
  /**
   * It works in the agent's own files with its own tools and is offered none of ours but those of the workflow; absent: no.
   * Such a model keeps its own conversation from one request of a run to the next.
   */
  readonly isAgent?: boolean;
  readonly contextWindowTokens: number | undefined;
  readonly maxOutputTokens: number | undefined;
}

/** Names one model call for good: it is the idempotency key, and the place a recording is played from. */
export interface StepKey {
  readonly attempt: number;
  readonly slot: Slot;
  readonly turnNo: number;
  /** From 1. */
  readonly call: number;
}

/** A picture, a sound or a document for a model, or from a tool. */
export interface Media {
  readonly kind: 'image' | 'audio' | 'video' | 'document';
  /** E.g. `image/png`. */
  readonly mediaType: string;
  /** File name without folders, for services that want one. */
  readonly name: string;
  readonly base64: string;
}

/**
 * A response as the service wrote it, for the next request to the same service and model. Whoever cannot use it goes by
 * text and calls.
 */
export interface Verbatim {
  /** Protocol, host and model that wrote it and can read it, e.g. `anthropic api.anthropic.com claude-opus-5-5`. */
  readonly origin: string;
  /** JSON; its form is known to the adapter alone. */
  readonly content: unknown;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it; may be malformed JSON. */
  readonly argumentsJson: string;
}

export interface ToolCallResult {
  readonly toolCallId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  readonly media?: readonly Media[];
}

/** The conversation of one turn, in order. Every tool call of an assistant message gets exactly one result. */
export type ChatMessage =
  | { readonly role: 'user'; readonly text: string; readonly media?: readonly Media[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      readonly verbatim?: Verbatim;
    }
  | { readonly role: 'tool'; readonly results: readonly ToolCallResult[] };

/** JSON Schema of a tool's input, `type: object`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** The form of an answer: one JSON object. */
export interface OutputSchema {
  /** Letters, digits and `_`, at most 64. */
  readonly name: string;
  /** `type: object`. Members that are not required may come as `null`, and no others. */
  readonly schema: JsonSchema;
}

export interface ModelRequest {
  readonly step: StepKey;
  /** The user's task; a recording uses it to refuse a task that it does not know. */
  readonly task: string;
  readonly system: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  /** `undefined`: the service's own default. */
  readonly maxOutputTokens: number | undefined;
  /**
   * The form of the answer, for services that hold a model to it. Others take no notice, and no answer is checked: the words
   * of the request must ask for it as well, and who reads the answer must be ready for any other.
   */
  readonly outputSchema?: OutputSchema;
  /**
   * Asks a person, or an earlier decision, whether an agent program may do something that it asks for; resolves to `false`
   * when denied. Rejects with `cancelled/*`. Absent where nobody can be asked: then nothing is allowed.
   */
  readonly approve?: (request: ApprovalQuestion, signal: AbortSignal) => Promise<boolean>;
}

/** What a person is asked: exactly what would be done. */
export interface ApprovalQuestion {
  /** Shell text, or a tool with its arguments. */
  readonly command: string;
  /** Absolute path as the agent sees it. */
  readonly cwd: string;
  readonly isConfined: boolean;
  /** It is no command but the program itself, which nothing confines; an answer holds for the whole run. Absent: a command. */
  readonly isProgram?: true;
}

/** A tool that runs at the service or inside of an agent program, and how far it has come. */
export interface HostedTool {
  /** Unique in the stream. */
  readonly id: string;
  readonly tool: string;
  /** What it acts on in one line, for people. */
  readonly subject: string;
  readonly status: 'started' | 'done' | 'failed';
  /** Beginning of its result. */
  readonly preview?: string;
}

/**
 * What a model sends. Order: any number of deltas, calls, hosted tools, citations, notices and waits, at most one
 * `verbatim` and one `usage`, then exactly one `end`. A tool call is sent whole, once its arguments are complete; one that
 * was cut off is never sent.
 */
export type BackendPart =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | ({ readonly type: 'hosted-tool' } & HostedTool)
  | { readonly type: 'citation'; readonly citation: Citation }
  /** Something that a person should know, once: a setting that the model does not take, a fallback. */
  | { readonly type: 'notice'; readonly code: string; readonly message: string }
  /** Nothing is sent before `until` (Unix ms), because the service asked for patience. */
  | {
      readonly type: 'waiting';
      readonly reason: 'rate-limit' | 'overloaded';
      readonly until: number;
    }
  | { readonly type: 'verbatim'; readonly verbatim: Verbatim }
  /**
   * `costUsd`: what the service itself says the call has cost, US dollars; it holds over any price list. `hasFees`: the
   * service charges for more than tokens and does not say how much; absent: it does so for tools that ran there.
   */
  | {
      readonly type: 'usage';
      readonly usage: Usage;
      readonly costUsd?: number;
      readonly hasFees?: boolean;
    }
  | { readonly type: 'end'; readonly reason: 'stop' | 'tool-calls' | 'length' }
  | { readonly type: 'end'; readonly reason: 'cancelled' | 'error'; readonly error: MassGenError };

/** A language model: one request, one stream. Our own loop runs the tools. */
export interface ModelBackend {
  readonly capabilities: ModelCapabilities;
  /**
   * Once called it neither throws nor rejects: failure and cancellation arrive as the last part. It does not retry;
   * `error.retryable` and `error.retryAfterMs` tell the engine whether and when to. May be called again before an
   * earlier stream has ended. Ends within a second after `signal` aborts.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<BackendPart>;
  /** Releases connections. Idempotent. */
  close(): Promise<void>;
}
