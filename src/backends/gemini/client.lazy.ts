// The only module that loads `@google/genai`; it is reached through `import()` alone. The package's entry for browsers reads
// nothing of the environment and is half as large as the one for Node.
import { GoogleGenAI } from '@google/genai/web';
import { type WireConnection, guardedFetch } from '../wire/guarded-fetch';
import { WireError } from '../wire/wire-fault';
import type { GeminiBody } from './wire-body';

export interface GeminiConnection extends WireConnection {
  readonly apiVersion: string;
}

/** It neither retries nor has a time limit; both are the callers'. */
export function geminiPost(
  connection: GeminiConnection,
): (body: GeminiBody, signal: AbortSignal) => Promise<Response> {
  const { endpoint, apiVersion } = connection;
  const send = guardedFetch(connection);
  return async (body, signal) => {
    let answer: Response | undefined;
    const client = new GoogleGenAI({
      // The package insists on a key; the header is written by `guardedFetch`.
      ...{ apiKey: 'unused', vertexai: false, apiVersion },
      httpOptions: {
        ...{ baseUrl: endpoint.baseUrl, apiVersion },
        // The package reads nothing of the answer: it searches all that it has got whenever something arrives.
        fetch: async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
          answer = await send(input, init);
          return new Response('');
        },
      },
    });
    await client.models.generateContentStream({
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
    if (answer === undefined) {
      throw new WireError({ kind: 'malformed', detail: 'nothing was sent' });
    }
    return answer;
  };
}
