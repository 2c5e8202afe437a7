// The only module that loads `@anthropic-ai/sdk`; it is reached through `import()` alone.
import Anthropic from '@anthropic-ai/sdk';
import { type WireConnection, guardedFetch } from '../wire/guarded-fetch';
import type { Post } from '../wire/read-answer';

/** Longest delay a timer can have. Silence is watched by the caller, not by the client. */
const noTimeoutMs = 2_147_483_647;

/**
 * A client that takes nothing from the environment: address, key, headers, credentials files and telemetry of a user's
 * shell must not redirect a request or send it elsewhere. It does not retry; the engine does. Not by `messages.create`,
 * which writes warnings about old models to the console.
 */
export function anthropicPost(connection: WireConnection): Post {
  const client = new Anthropic({
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
  return (body, signal) => client.post('/v1/messages', { body, signal }).asResponse();
}
