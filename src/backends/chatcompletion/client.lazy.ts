// The only module that loads the `openai` package; it is reached through `import()` alone.
import OpenAI, { APIConnectionError, APIError } from 'openai';
import { answerStream, errorBody, usualLimits } from '../wire/answer-body';
import type { Endpoint } from './endpoint';
import type { ChatBody } from './request';
import { WireError } from '../wire/wire-fault';

/** Longest delay a timer can have. Silence is watched by the caller, not by the client. */
const noTimeoutMs = 2_147_483_647;

export interface ChatConnection {
  readonly endpoint: Endpoint;
  readonly apiKey: string | undefined;
  /** Called whenever bytes of the answer arrive, comments included. */
  readonly onBytes: () => void;
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
    const answer: AsyncIterable<unknown> = await client.chat.completions.create(
      // The body is ours, checked by our own types: compatible servers take members the package does not know.
      { ...body, model: body.model, messages: [...body.messages], stream: true },
      { signal },
    );
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
    // The package insists on a key; the header is written by `createFetch`.
    apiKey: 'unused',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: 'off',
    fetch: createFetch(connection),
  });
}

/**
 * The platform's `fetch`, looked up at each call because the editor replaces it to follow its proxy settings. Sends
 * only headers written here, only to the configured origin, and follows no redirect.
 */
function createFetch(connection: ChatConnection): typeof fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (new URL(address).origin !== connection.endpoint.origin) {
      throw new TypeError('request to another origin than base_url');
    }
    const headers = new Headers({
      accept: 'text/event-stream, application/json',
      'content-type': 'application/json',
      'user-agent': 'massgen',
    });
    if (connection.apiKey !== undefined) {
      headers.set('authorization', `Bearer ${connection.apiKey}`);
    }
    const response = await globalThis.fetch(address, { ...init, headers, redirect: 'manual' });
    connection.onBytes();
    return response.body === null ? response : bounded(response, response.body, connection.onBytes);
  };
}

function bounded(
  response: Response,
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): Response {
  const through = response.ok ? answerStream(usualLimits, onBytes) : errorBody(usualLimits);
  return new Response(body.pipeThrough(through), {
    status: response.status,
    headers: response.headers,
  });
}

function toWireError(error: unknown): WireError {
  if (error instanceof WireError) {
    return error;
  }
  if (error instanceof APIConnectionError) {
    return new WireError({ kind: 'connection', cause: error.cause ?? error });
  }
  if (error instanceof APIError) {
    const headers: unknown = error.headers;
    return new WireError({
      kind: 'status',
      status: typeof error.status === 'number' ? error.status : 0,
      body: error.error,
      text: error.error === undefined ? error.message.replace(/^\d{3} /, '') : '',
      header: (name) => (headers instanceof Headers ? (headers.get(name) ?? undefined) : undefined),
    });
  }
  if (error instanceof SyntaxError) {
    return new WireError({ kind: 'malformed', detail: error.message });
  }
  return new WireError({ kind: 'connection', cause: error });
}
