// What the fake service is told to answer. Plain JSON.

type Json = Readonly<Record<string, unknown>>;

/** One step of a streamed answer. Blocks get the next index by themselves. */
export type Step =
  /** A text block, one event per word unless `pieces` says how to cut it. */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly pieces?: readonly string[];
      readonly citations?: readonly Json[];
    }
  /** A thinking block, signed for its place; sent without its text where the request asks for none. */
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'redacted-thinking'; readonly data: string }
  /** A call of a client's tool. `pieces`: number of argument events. `isCut`: it stays open. */
  | {
      readonly kind: 'tool-call';
      readonly name: string;
      readonly arguments: string | Json;
      readonly id?: string;
      readonly pieces?: number;
      readonly isCut?: boolean;
    }
  /** Use of a tool of the service. */
  | {
      readonly kind: 'server-tool';
      readonly id: string;
      readonly name: string;
      readonly input: Json;
    }
  /** A block that comes whole, such as the result of a tool of the service. */
  | { readonly kind: 'block'; readonly block: Json }
  | { readonly kind: 'event'; readonly name: string | null; readonly data: unknown }
  /** Text written to the stream as it is, not even framed. */
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'ping' }
  /** A wait before the next step. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** From here on every write is cut into pieces of so many bytes. */
  | { readonly kind: 'split-bytes'; readonly bytes: number }
  /** Counts at the end, in place of the usual ones. */
  | { readonly kind: 'usage'; readonly usage: Json }
  /** The reason at the end; without such a step `end_turn` or `tool_use`. */
  | { readonly kind: 'stop'; readonly reason: string; readonly details?: Json }
  /** An error inside the stream. */
  | { readonly kind: 'error'; readonly error: Json }
  /** Breaks the connection. */
  | { readonly kind: 'cut' }
  /** Ends the stream properly, but without the closing event. */
  | { readonly kind: 'end-early' }
  /** Says nothing more until the client goes away. */
  | { readonly kind: 'hang' };

interface Answer {
  /** Only for a request that contains this text; absent: for any. */
  readonly when?: string;
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

export interface AnthropicScript {
  /** Each request takes the first answer that is left for its model and whose condition holds. */
  readonly models: Readonly<Record<string, readonly ScriptedAnswer[]>>;
  /** Keys that are let in; absent: no key is asked for. */
  readonly apiKeys?: readonly string[];
  /** The only header in which a key is looked for, as at some gateways; absent: both. */
  readonly keyHeader?: 'x-api-key' | 'authorization';
}
