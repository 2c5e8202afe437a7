// The only module of this adapter that loads the `openai` package; it is reached through `import()` alone.
import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { Endpoint } from '../wire/endpoint';
import { guardedFetch } from '../wire/guarded-fetch';
import { throwingRefusals, wireErrorIn } from '../wire/refusals';
import { WireError } from '../wire/wire-fault';
import type { ResponsesBody } from './request';

/** Longest delay a timer can have. Silence is watched by the caller, not by the client. */
const noTimeoutMs = 2_147_483_647;

export interface ResponsesConnection {
  readonly endpoint: Endpoint;
  /** With the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of the address. */
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Sends one request and yields the parsed events, unchecked. Throws `WireError`; ends early and without an error when
 * `signal` aborts. Leaving the iteration closes the connection.
 */
export async function* streamResponse(
  connection: ResponsesConnection,
  body: ResponsesBody,
  onBytes: () => void,
  signal: AbortSignal,
): AsyncGenerator {
  const client = createClient(connection, onBytes);
  try {
    // The method of the package for responses is typed for what it knows; a service may know more.
    const answer: unknown = await client.post('/responses', { body, stream: true, signal });
    if (!isStream(answer)) {
      throw new WireError({ kind: 'malformed', detail: 'it is no stream' });
    }
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
function createClient(
  { endpoint, headers, query }: ResponsesConnection,
  onBytes: () => void,
): OpenAI {
  return new OpenAI({
    baseURL: endpoint.baseUrl,
    // The package insists on a key; the header is written by `guardedFetch`.
    apiKey: 'unused',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: 'off',
    defaultQuery: { ...query },
    fetch: throwingRefusals(guardedFetch({ endpoint, headers, onBytes })),
  });
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function toWireError(error: unknown): WireError {
  const refusal = wireErrorIn(error);
  if (refusal !== undefined) {
    return refusal;
  }
  if (error instanceof APIConnectionError) {
    return new WireError({ kind: 'connection', cause: error.cause ?? error });
  }
  if (error instanceof APIError) {
    // Refusals do not come so far: this is an error inside a stream.
    const body: unknown = error.error;
    const text = body === undefined ? error.message : '';
    const fault = { kind: 'status', status: 0, body, text, header: () => undefined } as const;
    return new WireError(fault);
  }
  if (error instanceof SyntaxError) {
    return new WireError({ kind: 'malformed', detail: error.message });
  }
  return new WireError({ kind: 'connection', cause: error });
}
