// The only module of this protocol that loads the `openai` package; it is reached through `import()` alone.
import OpenAI, { APIConnectionError, APIError } from 'openai';
import { type WireConnection, guardedFetch } from '../wire/guarded-fetch';
import { throwingRefusals, wireErrorIn } from '../wire/refusals';
import { WireError } from '../wire/wire-fault';
import { inCommonWords } from './faults';
import type { ChatBody } from './request';

/** Longest delay a timer can have. Silence is watched by the caller, not by the client. */
const noTimeoutMs = 2_147_483_647;

export interface ChatConnection extends WireConnection {
  /** Parameters of the address, for services that name their version there. */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Sends one request and yields the parsed chunks, unchecked. Throws `WireError`; ends early and without an error when
 * `signal` aborts. Leaving the iteration closes the connection.
 */
export async function* streamChat(
  connection: ChatConnection,
  body: ChatBody,
  signal: AbortSignal,
): AsyncGenerator {
  const client = createClient(connection);
  try {
    // Not by the method for chats: compatible servers take members that the package does not know.
    const answer = await client.post<AsyncIterable<unknown>>('/chat/completions', {
      ...{ body: { ...body, stream: true }, stream: true, signal },
    });
    yield* answer;
  } catch (error) {
    if (!signal.aborted) {
      throw toWireError(error);
    }
  }
}

/**
 * A client that takes nothing from the environment: address, key, headers and log level of a user's shell must not
 * redirect a request. It does not retry; the engine does.
 */
function createClient(connection: ChatConnection): OpenAI {
  return new OpenAI({
    baseURL: connection.endpoint.baseUrl,
    // The package insists on a key; the header is written by `guardedFetch`.
    apiKey: 'unused',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: 'off',
    fetch: throwingRefusals(guardedFetch(connection)),
    ...(connection.query === undefined ? {} : { defaultQuery: { ...connection.query } }),
  });
}

function toWireError(error: unknown): WireError {
  const refusal = wireErrorIn(error);
  if (refusal !== undefined) {
    return new WireError(inCommonWords(refusal.fault));
  }
  if (error instanceof APIConnectionError) {
    return new WireError({ kind: 'connection', cause: error.cause ?? error });
  }
  if (error instanceof APIError) {
    // Refusals do not come so far: this is an error inside a stream.
    const body: unknown = error.error;
    const text = body === undefined ? error.message : '';
    const fault = { kind: 'status', status: 0, body, text, header: () => undefined } as const;
    return new WireError(inCommonWords(fault));
  }
  if (error instanceof SyntaxError) {
    return new WireError({ kind: 'malformed', detail: error.message });
  }
  return new WireError({ kind: 'connection', cause: error });
}
