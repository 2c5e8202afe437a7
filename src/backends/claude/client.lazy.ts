// The only module that loads `@anthropic-ai/sdk`; it is reached through `import()` alone.
import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { linkAbort } from '../../base/abort';
import { type WireConnection, guardedFetch } from '../wire/guarded-fetch';
import { asObject } from '../wire/json-reading';
import { WireError } from '../wire/wire-fault';
import { named } from './faults';
import type { MessageBody } from './request';

/** Longest delay a timer can have. Silence is watched by the caller, not by the client. */
const noTimeoutMs = 2_147_483_647;

/** Events that an answer is made of; one that cannot be read makes the answer unreadable. */
const answerEvents = /^(message|content_block|error)/;

/**
 * Sends one request and yields the parsed events, unchecked. Throws `WireError`; ends early and without an error when
 * `signal` aborts. Leaving the iteration closes the connection.
 */
export async function* streamMessage(
  connection: WireConnection,
  body: MessageBody,
  signal: AbortSignal,
): AsyncGenerator {
  // The client leaves a listener on its signal behind.
  const own = linkAbort(signal);
  try {
    // Not `messages.create`, which writes warnings about old models to the console and passes over events without a name.
    const sent = createClient(connection).post('/v1/messages', { body, signal: own.signal });
    yield* eventsOf(await sent.asResponse());
  } catch (error) {
    if (!signal.aborted) {
      throw toWireError(error);
    }
  } finally {
    own.dispose();
  }
}

/** The list of models as the service sends it. Throws `WireError`. */
export async function fetchModels(
  connection: WireConnection,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const sent = createClient(connection).get('/v1/models', { query: { limit: 1000 }, signal });
    // Like any answer that is one object, it comes as one event.
    for await (const event of eventsOf(await sent.asResponse())) {
      return event;
    }
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    throw toWireError(error);
  }
}

async function* eventsOf(response: Response): AsyncGenerator {
  for await (const { event, data } of Stream.rawEvents(response)) {
    if (event === 'ping' || data === '' || data === '[DONE]') {
      continue;
    }
    const value = parsed(data);
    if (value !== undefined) {
      yield value;
    } else if (event === 'error') {
      yield { type: 'error', error: { message: data } };
    } else if (event === null || answerEvents.test(event)) {
      throw new WireError({
        kind: 'malformed',
        detail: `an event is not JSON (${event ?? 'data'})`,
      });
    }
  }
}

function parsed(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    // What is JSON and no object tells nothing, and breaks nothing either.
    return asObject(value) ?? {};
  } catch {
    return undefined;
  }
}

/**
 * A client that takes nothing from the environment: address, key, headers, credentials files and telemetry of a user's
 * shell must not redirect a request or send it elsewhere. It does not retry; the engine does.
 */
function createClient(connection: WireConnection): Anthropic {
  return new Anthropic({
    baseURL: connection.endpoint.baseUrl,
    // Given so that no other is looked for; the header is written by `guardedFetch`.
    apiKey: 'unused',
    webhookKey: null,
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: 'off',
    openTelemetry: false,
    fetch: guardedFetch(connection),
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
    const whole: unknown = error.error;
    const headers: unknown = error.headers;
    return new WireError(
      named({
        kind: 'status',
        status: typeof error.status === 'number' ? error.status : 0,
        body: asObject(whole)?.['error'] ?? whole,
        text: whole === undefined ? error.message.replace(/^\d{3} /, '') : '',
        header: (name) =>
          headers instanceof Headers ? (headers.get(name) ?? undefined) : undefined,
      }),
    );
  }
  return new WireError({ kind: 'connection', cause: error });
}
