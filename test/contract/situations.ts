// The one list of what can happen between an adapter and its model. Every stage brings its adapter into each of them.

/** What the model or its service does, in the words of `expected` (backend-kit.ts). */
export const situations = {
  /** Says `expected.text`. */
  text: 'plain text',
  /** The same; the suite looks whether it comes piece by piece. */
  pieces: 'plain text in pieces',
  /** Thinks `expected.thinking` aloud, then says `expected.text`. */
  thinking: 'thinking before the text',
  /** Makes `expected.call` and stops for it. */
  'tool-call': 'one tool call',
  /** Makes `expected.call` and `expected.secondCall` at once. */
  'parallel-tool-calls': 'two tool calls at once',
  /**
   * First answer: thinks `expected.thinking` and makes `expected.call`. Second answer: says `expected.text`, and refuses the
   * request (as the real service does) unless the first answer came back with its thinking as the service wrote it.
   */
  'thinking-kept': 'a second request with the thinking of the first',
  /** Ends properly and says nothing. */
  empty: 'an answer without a word',
  /** Says `expected.unicode`; the wire cuts between any two bytes. */
  unicode: 'text cut between the bytes of a character',
  /** Makes `expected.unicodeCall`; the arguments come in as many pieces as the protocol allows. */
  'split-arguments': 'arguments cut in many pieces',
  /** Silent from the beginning, with the connection open. */
  'hang-first': 'silence before the first word',
  /** Says `expected.firstWords`, then is silent. */
  'hang-middle': 'silence after the first words',
  /** Says `expected.firstWords`, then is silent; the suite lets hours pass on the adapter's clock. */
  stall: 'a stream that stalls',
  /** Says `expected.firstWords`, begins a tool call, and is silent in the middle of its arguments. */
  'hang-call': 'silence in the middle of a tool call',
  /** Answers with this status and the service's usual body, whose sentence is `expected.said`. */
  'status-401': 'a wrong key',
  'status-403': 'a missing permission',
  'status-404': 'an unknown model',
  'status-408': 'a request that took too long',
  'status-413': 'a request that is too large',
  'status-429': 'a rate limit',
  'status-500': 'a fault of the service',
  'status-503': 'an overloaded service',
  'status-529': 'an overloaded service with a status of its own',
  /** A rate limit that says to come back after 7 seconds, in the service's usual way. */
  'retry-after': 'a rate limit with a wait',
  /** Says `expected.firstWords`, then sends an error whose sentence is `expected.said` inside the stream. */
  'error-in-stream': 'an error in the middle of the stream',
  /** Says `expected.firstWords`, then the connection breaks. */
  disconnect: 'a connection that breaks',
  /** Says `expected.firstWords`, then the stream ends properly, without the event that closes an answer. */
  'early-end': 'a stream that ends without its closing event',
  /** Says `expected.firstWords`, then sends an event that cannot be parsed, and ends. */
  'broken-stream': 'an event that cannot be parsed',
  /** Says `expected.firstWords` and reaches the output limit. */
  truncation: 'an answer cut by the output limit',
  /** Makes `expected.call` and reaches the output limit in the middle of a second call. */
  'truncated-call': 'a tool call cut by the output limit',
  /** The model declines: with the words `expected.firstWords`, or as its protocol says it. */
  refusal: 'a model that declines',
  /** The service holds the answer back after `expected.firstWords` (or before, where it can only do that). */
  'content-filter': 'a filter that holds the answer back',
  /** The service says that the conversation is longer than the context window. */
  'context-overflow': 'a conversation that is too long',
  /** Makes a call of `expected.call.name` whose arguments are `expected.malformedArguments`. */
  'malformed-arguments': 'arguments that are not JSON',
  /** Says `expected.text` among events, members and values that no documentation knows. */
  'unknown-fields': 'events and members that nobody knows',
  /** Says `expected.text`; the suite sends pictures in a user message and in a tool result. */
  images: 'pictures in the request',
  /** Says `expected.text`, and counts `expected.usage` in the protocol's own way. */
  usage: 'usage with a cache',
  /** Makes a call of `expected.longName`, which the suite offers. */
  'long-tool-name': 'a tool name of 64 characters',
  /** Says `expected.text`; the suite offers tools whose schemas use more than every service takes. */
  schemas: 'schemas with more than every service takes',
  /** Says `expected.structured`; the suite asks for it by a schema. */
  structured: 'an answer in the form of a schema',
  /** Refuses to hold the model to a schema; asked in words alone, says `expected.structured`. */
  'structured-refused': 'a service that knows no schemas of answers',
  /** Says `expected.cutStructured` and reaches the output limit. */
  'structured-cut': 'an answer in the form of a schema, cut by the output limit',
} as const;

export type Situation = keyof typeof situations;

/** How an answer with this status ends. */
export const statuses = {
  'status-401': { code: 'backend/auth', retryable: false },
  'status-403': { code: 'backend/no-permission', retryable: false },
  'status-404': { code: 'backend/not-found', retryable: false },
  'status-408': { code: 'backend/bad-response', retryable: true },
  'status-413': { code: 'backend/context-overflow', retryable: false },
  'status-429': { code: 'backend/rate-limited', retryable: true },
  'status-500': { code: 'backend/bad-response', retryable: true },
  'status-503': { code: 'backend/overloaded', retryable: true },
  'status-529': { code: 'backend/overloaded', retryable: true },
} as const satisfies Partial<Record<Situation, { code: string; retryable: boolean }>>;

export type StatusSituation = keyof typeof statuses;

export function isStatus(situation: Situation): situation is StatusSituation {
  return situation in statuses;
}

export function statusOf(situation: StatusSituation): number {
  return Number(situation.slice('status-'.length));
}
