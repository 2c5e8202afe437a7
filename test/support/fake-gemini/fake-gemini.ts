// Google's Gemini service for tests: its wire over real HTTP, answering by a script and refusing wrong requests as the real
// one does. Listens on the loopback address only.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { JournalEntry, OpenJournalEntry } from '../fake-model-service/journal';
import { playAnswer } from './answer-stream';
import { checkConfig, generationOf } from './config-check';
import { checkContents } from './content-check';
import { checkMembers } from './known-members';
import { type Refusal, firstOf, invalid, isMembers } from './refusal';
import type { GeminiScript, ScriptedAnswer } from './script';

export interface FakeGemini {
  /** E.g. `http://127.0.0.1:40123`, without a version. */
  readonly baseUrl: string;
  /** All requests so far, in order of arrival. */
  readonly journal: readonly JournalEntry[];
  /** Resolves when no answer is open any more, e.g. after the client went away. */
  settled(): Promise<void>;
  /** Breaks open connections and stops listening. Idempotent. */
  close(): Promise<void>;
}

export async function startFakeGemini(script: GeminiScript): Promise<FakeGemini> {
  const service = new Service(script);
  await service.listen();
  return service;
}

class Service implements FakeGemini {
  readonly journal: OpenJournalEntry[] = [];
  readonly #script: GeminiScript;
  readonly #left: Map<string, ScriptedAnswer[]>;
  /** Signatures, each with what it stands on. */
  readonly #given = new Map<string, string>();
  readonly #open = new Set<Promise<void>>();
  readonly #server: Server;
  #port = 0;

  constructor(script: GeminiScript) {
    this.#script = script;
    this.#left = new Map(
      Object.entries(script.models).map(([model, answers]) => [model, [...answers]]),
    );
    this.#server = createServer((request, response) => {
      const work = this.#handle(request, response)
        // A client that goes away while it still sends its request.
        .catch(() => response.destroy())
        .then(() => undefined)
        .finally(() => this.#open.delete(work));
      this.#open.add(work);
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.on('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async settled(): Promise<void> {
    while (this.#open.size > 0) {
      await Promise.all(this.#open);
    }
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeAllConnections();
    await closed;
    await this.settled();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const entry = this.#enter(request, url, await readAll(request));
    response.on('close', () => {
      entry.endedAt = performance.now();
      if (entry.outcome === 'open') {
        entry.outcome = 'client-closed';
      }
    });
    const refusal = this.#refusalOf(entry, url);
    if (refusal !== undefined) {
      entry.outcome = 'refused';
      sendJson(response, refusal.code, { error: refusal });
    } else if (entry.method === 'GET') {
      entry.outcome = 'complete';
      sendJson(response, 200, this.#modelList());
    } else {
      await this.#answer(entry, response);
    }
  }

  #enter(request: IncomingMessage, url: URL, text: string): OpenJournalEntry {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const entry: OpenJournalEntry = {
      no: this.journal.length + 1,
      method: request.method ?? '',
      path: url.pathname,
      headers: Object.fromEntries(headers),
      body: parsed(text) ?? text,
      model: /\/models\/(.+):\w+$/.exec(url.pathname)?.[1] ?? '',
      ...{ receivedAt: performance.now(), sentAt: [], endedAt: undefined, scheduledMs: 0 },
      outcome: 'open',
    };
    this.journal.push(entry);
    return entry;
  }

  #refusalOf(entry: OpenJournalEntry, url: URL): Refusal | undefined {
    return firstOf(
      () => this.#refuseKey(entry.headers['x-goog-api-key']),
      () => this.#refusePath(entry, url),
      () => (entry.method === 'GET' ? undefined : this.#refuseBody(entry)),
    );
  }

  #refuseKey(key: string | undefined): Refusal | undefined {
    const { apiKeys } = this.#script;
    if (apiKeys === undefined) {
      return undefined;
    }
    if (key === undefined) {
      const message =
        "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.";
      return { code: 403, message, status: 'PERMISSION_DENIED' };
    }
    return apiKeys.includes(key)
      ? undefined
      : invalid('API key not valid. Please pass a valid API key.', [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'API_KEY_INVALID',
            domain: 'googleapis.com',
          },
        ]);
  }

  #refusePath({ method, path, model }: OpenJournalEntry, url: URL): Refusal | undefined {
    const version = /^\/(v1|v1beta)\/models/.exec(path)?.[1];
    const isList = method === 'GET' && path === `/${version}/models`;
    const isStream = method === 'POST' && path.endsWith(':streamGenerateContent');
    if (version === undefined || (!isList && !isStream)) {
      return { code: 404, message: 'Not Found', status: 'NOT_FOUND' };
    }
    const isEarly = this.#script.earlyModels?.includes(model) ?? false;
    if (isStream && (!this.#left.has(model) || (isEarly && version === 'v1'))) {
      const message = `models/${model} is not found for API version ${version}, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`;
      return { code: 404, message, status: 'NOT_FOUND' };
    }
    return isStream && url.searchParams.get('alt') !== 'sse'
      ? invalid('This service answers with server-sent events only.')
      : undefined;
  }

  #refuseBody({ body, model }: OpenJournalEntry): Refusal | undefined {
    if (!isMembers(body)) {
      return invalid('Invalid JSON payload received. Unexpected end of string.');
    }
    const generation = generationOf(model);
    return firstOf(
      () => checkMembers(body, this.#script.unknownMembers ?? []),
      () => checkContents(body, { given: this.#given, isAsked: generation >= 3 }),
      () => checkConfig(body, generation),
    );
  }

  async #answer(entry: OpenJournalEntry, response: ServerResponse): Promise<void> {
    const answer = this.#left.get(entry.model)?.shift();
    if (answer === undefined) {
      entry.outcome = 'refused';
      const message = `The script of ${entry.model} has no answer left for this request.`;
      sendJson(response, 418, { error: { code: 418, message, status: 'SCRIPT_ERROR' } });
    } else if ('steps' in answer) {
      const isSigned = generationOf(entry.model) >= 3;
      await playAnswer(answer.steps, { response, entry, isSigned, given: this.#given });
    } else {
      entry.outcome = 'refused';
      sendStatus(response, answer);
    }
  }

  #modelList(): unknown {
    const models = [...this.#left.keys()].map((model) => ({
      name: `models/${model}`,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    }));
    const embedding = { name: 'models/an-embedding', supportedGenerationMethods: ['embedContent'] };
    return { models: [...models, embedding] };
  }
}

function sendStatus(
  response: ServerResponse,
  answer: Exclude<ScriptedAnswer, { readonly steps: unknown }>,
): void {
  if (typeof answer.body === 'string') {
    response.writeHead(answer.status, { 'content-type': 'text/html', ...answer.headers });
    response.end(answer.body);
  } else {
    sendJson(response, answer.status, answer.body, answer.headers);
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
  response.end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  const pieces: unknown[] = [];
  for await (const piece of request) {
    pieces.push(piece);
  }
  return pieces.join('');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
