// What the fake model service is told to answer. Plain JSON, so that it can also come from a file.

/** One step of a streamed answer. */
export type Step =
  /** Visible text, one chunk per word unless `pieces` says how to cut it. */
  | { readonly kind: 'text'; readonly text: string; readonly pieces?: readonly string[] }
  | { readonly kind: 'thinking'; readonly text: string; readonly member?: string }
  /** One tool call; arguments as an object, or as text (malformed JSON). `pieces`: number of argument chunks. */
  | {
      readonly kind: 'tool-call';
      readonly name: string;
      readonly arguments: string | Readonly<Record<string, unknown>>;
      readonly id?: string;
      readonly index?: number;
      readonly pieces?: number;
    }
  /** A wait before the next step, on top of the latencies. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** A comment line, as gateways send to keep a connection alive. */
  | { readonly kind: 'comment'; readonly text: string }
  /** A chunk whose `choices` is empty. */
  | { readonly kind: 'empty-choices' }
  /** A chunk of this content, whatever it is. */
  | { readonly kind: 'chunk'; readonly data: unknown }
  /** Text written to the stream as it is, not even framed. */
  | { readonly kind: 'raw'; readonly text: string }
  /** From here on every write is cut into pieces of so many bytes. */
  | { readonly kind: 'split-bytes'; readonly bytes: number }
  /** Ends the answer with this reason; without such a step `stop` or `tool_calls` is sent. */
  | { readonly kind: 'finish'; readonly reason: string }
  | { readonly kind: 'usage'; readonly usage: unknown }
  /** An error inside the stream. */
  | { readonly kind: 'error'; readonly error: unknown }
  /** Breaks the connection. */
  | { readonly kind: 'cut' }
  /** Ends the stream properly, but without a finish chunk or `[DONE]`. */
  | { readonly kind: 'end-early' }
  /** Says nothing more until the client goes away. */
  | { readonly kind: 'hang' };

/** Which request an answer is for; all given conditions must hold. */
export interface Condition {
  /** In the text of any message. */
  readonly contains?: string;
  /** In no message. */
  readonly lacks?: string;
  /** In a message after the last one of the assistant. */
  readonly newContains?: string;
  readonly offersTool?: string;
  readonly withholdsTool?: string;
}

interface Answer {
  readonly when?: Condition;
  /** Answers any number of requests instead of one. */
  readonly isRepeated?: boolean;
}

export type ScriptedAnswer =
  | (Answer & { readonly steps: readonly Step[] })
  | (Answer & {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** An object is sent as JSON, a text as it is. */
      readonly body: unknown;
    });

export interface Latency {
  /** From the arrival of the request to the first chunk. */
  readonly firstChunkMs: number;
  readonly perChunkMs: number;
}

export interface ModelScript {
  /** Each request takes the first answer that is left and whose condition holds. */
  readonly answers: readonly ScriptedAnswer[];
  readonly latency?: Latency;
}

export interface ServiceScript {
  /** By the name of the model in the request. */
  readonly models: Readonly<Record<string, ModelScript>>;
  /** Keys that are let in; absent: no key is asked for. */
  readonly apiKeys?: readonly string[];
  /** Parameters and members of messages that this service does not know, beside those nobody knows. */
  readonly refusedParameters?: readonly string[];
  /** Parameters that this service knows beside the usual ones, as servers of open models do. */
  readonly furtherParameters?: readonly string[];
  /** Refuses a call of the assistant that comes back without the thinking before it, as `reasoning_content`. */
  readonly wantsReasoning?: boolean;
  /** Leaves usage out even when it is asked for. */
  readonly hidesUsage?: boolean;
}
