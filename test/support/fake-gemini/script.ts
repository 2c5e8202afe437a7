// What the fake Gemini service is told to answer. Plain JSON, so that it can also come from a file.

/** One step of a streamed answer. */
export type Step =
  /** Visible text, one chunk per word unless `pieces` says how to cut it. */
  | { readonly kind: 'text'; readonly text: string; readonly pieces?: readonly string[] }
  | { readonly kind: 'thought'; readonly text: string }
  /** A call in a chunk of its own. From Gemini 3 on the first one of an answer is signed, unless told otherwise. */
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args?: Readonly<Record<string, unknown>>;
      readonly id?: string;
      readonly isSigned?: boolean;
    }
  /** A part of this content, whatever it is. */
  | { readonly kind: 'part'; readonly part: unknown }
  /** Further members of a candidate, e.g. `groundingMetadata`. */
  | { readonly kind: 'candidate'; readonly members: Readonly<Record<string, unknown>> }
  /** An empty last part with a signature, as some answers end. */
  | { readonly kind: 'signed-end' }
  /** A chunk of this content, whatever it is. */
  | { readonly kind: 'chunk'; readonly data: unknown }
  /** Text written to the stream as it is, not even framed. */
  | { readonly kind: 'raw'; readonly text: string }
  /** From here on every write is cut into pieces of so many bytes. */
  | { readonly kind: 'split-bytes'; readonly bytes: number }
  /** Members of `usageMetadata` in place of counted ones. */
  | { readonly kind: 'usage'; readonly usage: Readonly<Record<string, number>> }
  /** Ends the answer with this reason; without such a step `STOP` is sent. */
  | { readonly kind: 'finish'; readonly reason: string }
  /** Refuses the prompt: no candidate at all. */
  | { readonly kind: 'block'; readonly reason: string }
  /** An error inside the stream. */
  | { readonly kind: 'error'; readonly error: unknown }
  /** Breaks the connection. */
  | { readonly kind: 'cut' }
  /** Ends the stream properly, but without a finish reason. */
  | { readonly kind: 'end-early' }
  /** Says nothing more until the client goes away. */
  | { readonly kind: 'hang' };

export type ScriptedAnswer =
  | { readonly steps: readonly Step[] }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** An object is sent as JSON, a text as it is. */
      readonly body: unknown;
    };

export interface GeminiScript {
  /** By the name of the model; each request takes the first answer that is left. */
  readonly models: Readonly<Record<string, readonly ScriptedAnswer[]>>;
  /** Keys that are let in; absent: any. */
  readonly apiKeys?: readonly string[];
  /** Models that only the early version of the interface serves. */
  readonly earlyModels?: readonly string[];
  /** Members that this service does not know, in the spelling of JSON, beside those nobody knows. */
  readonly unknownMembers?: readonly string[];
}
