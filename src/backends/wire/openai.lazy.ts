// The only module that loads the `openai` package, for both of its protocols; it is reached through `import()` alone.
import OpenAI from 'openai';
import { type WireConnection, guardedFetch } from './guarded-fetch';
import type { Post } from './read-answer';

/** Longest delay a timer can have. Silence is watched by the caller, not by the client. */
const noTimeoutMs = 2_147_483_647;

export interface OpenAiConnection extends WireConnection {
  /** Parameters of the address, for services that name their version there. */
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * A client that takes nothing from the environment: address, key, headers and log level of a user's shell must not
 * redirect a request. It does not retry; the engine does. Not by its methods for chats and responses, which are made for
 * what the package knows: services take other members. `path` is below the address of the connection.
 */
export function openAiPost(connection: OpenAiConnection, path: string): Post {
  const client = new OpenAI({
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
    fetch: guardedFetch(connection),
    ...(connection.query === undefined ? {} : { defaultQuery: { ...connection.query } }),
  });
  return (body, signal) => client.post(path, { body, signal }).asResponse();
}
