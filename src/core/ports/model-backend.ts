import type { Slot } from '../../base/ids';
import type { Usage } from '../../run/facts';
import type { MassGenError } from '../errors';

/** Facts about a model, never vendor names; `undefined` is unknown. */
export interface ModelCapabilities {
  readonly hasTools: boolean;
  readonly hasParallelToolCalls: boolean;
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
}

/** The conversation of one turn, in order. Every tool call of an assistant message gets exactly one result. */
export type ChatMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly results: readonly ToolCallResult[] };

/** JSON Schema of a tool's input, `type: object`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
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
}

/**
 * What a model sends. Order: any number of deltas and tool calls, at most one `usage`, then exactly one `end`. A tool
 * call is sent whole, once its arguments are complete.
 */
export type BackendPart =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'thinking-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly usage: Usage }
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
