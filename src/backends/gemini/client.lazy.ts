// The only module that loads `@google/genai`; it is reached through `import()` alone. The package's entry for browsers reads
// nothing of the environment and is half as large as the one for Node.
import { GoogleGenAI } from '@google/genai/web';
import { type WireConnection, guardedFetch } from '../wire/guarded-fetch';
import { WireError } from '../wire/wire-fault';
import { statusFault, thrownFault } from './faults';
import { wholeEvents } from './whole-events';
import type { GeminiBody } from './wire-body';

export interface GeminiConnection extends WireConnection {
  readonly apiVersion: string;
}

/**
 * Sends one request and yields the parsed chunks, unchecked. Throws `WireError`; ends early and without an error when
 * `signal` aborts. An iteration that is left early is over for good once `signal` aborts as well.
 */
export async function* streamGemini(
  connection: GeminiConnection,
  body: GeminiBody,
  signal: AbortSignal,
): AsyncGenerator {
  try {
    const answer: AsyncIterable<unknown> = await createClient(
      connection,
    ).models.generateContentStream({
      model: body.model,
      // Replaced by the body of our own, which the package would rewrite otherwise.
      contents: 'unused',
      config: {
        abortSignal: signal,
        automaticContinuation: false,
        automaticFunctionCalling: { disable: true },
        httpOptions: { extraBody: { ...body.content } },
      },
    });
    yield* answer;
  } catch (error) {
    if (!signal.aborted) {
      throw thrownFault(error);
    }
  }
}

/** It neither retries nor has a time limit; both are the callers'. */
function createClient(connection: GeminiConnection): GoogleGenAI {
  const { endpoint, apiVersion } = connection;
  return new GoogleGenAI({
    // The package insists on a key; the header is written by `guardedFetch`.
    ...{ apiKey: 'unused', vertexai: false, apiVersion },
    httpOptions: { baseUrl: endpoint.baseUrl, apiVersion, fetch: createFetch(connection) },
  });
}

/** Turns a refusal into a fault here, where its status and headers are still known. */
function createFetch(connection: GeminiConnection): typeof fetch {
  const send = guardedFetch(connection);
  return async (input, init) => {
    const response = await send(input, init);
    if (!response.ok) {
      const text = await response.text();
      const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
      throw new WireError(statusFault(response.status, text, header));
    }
    const { status, headers } = response;
    return response.body === null
      ? response
      : new Response(response.body.pipeThrough(wholeEvents()), { status, headers });
  };
}
