// What the fake service for responses is told to answer.

export interface ScriptedCall {
  readonly name: string;
  /** An object, or text as it is (malformed JSON). */
  readonly arguments: string | Readonly<Record<string, unknown>>;
  readonly callId?: string;
  /** Number of argument deltas. */
  readonly pieces?: number;
  /** Of the finished item. */
  readonly status?: 'completed' | 'incomplete';
}

/** One step of a streamed answer. */
export type Step =
  /** A thought with its summaries; `encrypted: false` leaves the encrypted content out. */
  | { readonly kind: 'reasoning'; readonly summary: readonly string[]; readonly encrypted?: false }
  /** A message; one delta per word unless `pieces` says how to cut it. */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly pieces?: readonly string[];
      readonly phase?: string;
      readonly annotations?: readonly unknown[];
    }
  | { readonly kind: 'refusal'; readonly text: string }
  | ({ readonly kind: 'tool-call' } & ScriptedCall)
  /** Calls whose arguments come alternately. */
  | { readonly kind: 'interleaved'; readonly calls: readonly ScriptedCall[] }
  /** A tool of the service: an item of this content. */
  | { readonly kind: 'hosted'; readonly item: Readonly<Record<string, unknown>> }
  /** An event of this content, whatever it is. */
  | { readonly kind: 'event'; readonly data: Readonly<Record<string, unknown>> }
  /** Text written to the stream as it is, not even framed. */
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'comment'; readonly text: string }
  /** From here on every write is cut into pieces of so many bytes. */
  | { readonly kind: 'split-bytes'; readonly bytes: number }
  | { readonly kind: 'usage'; readonly usage: unknown }
  /** Ends the answer as incomplete for this reason. */
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** An `error` event, with or without the name of the event before it, and the end of the stream. */
  | {
      readonly kind: 'error';
      readonly error: Readonly<Record<string, unknown>>;
      readonly isNamed?: boolean;
    }
  /** Breaks the connection. */
  | { readonly kind: 'cut' }
  /** Ends the stream properly, but without a closing event. */
  | { readonly kind: 'end-early' }
  /** Says nothing more until the client goes away. */
  | { readonly kind: 'hang' };

/** Each request takes the next one. */
export type ScriptedAnswer =
  | { readonly steps: readonly Step[] }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** An object is sent as JSON, a text as it is. */
      readonly body: unknown;
    };

export interface ServiceScript {
  /** By the name of the model in the request. */
  readonly models: Readonly<Record<string, readonly ScriptedAnswer[]>>;
  /** Keys that are let in; absent: no key is asked for. */
  readonly apiKeys?: readonly string[];
  /** `xai`: no instructions, results of tools as text alone, an effort for some models, errors in its own form; absent: `openai`. */
  readonly dialect?: 'openai' | 'xai' | 'azure';
  /** Further parameters that it does not know. */
  readonly refusedParameters?: readonly string[];
  /** Cuts the stream short in ways that gateways do. */
  readonly quirk?: 'items-at-the-end' | 'no-deltas' | 'no-arguments-in-items' | 'no-indices';
}
