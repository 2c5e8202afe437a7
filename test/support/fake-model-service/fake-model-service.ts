// A model service for tests: the chat-completions wire over real HTTP with real event framing, answering by a script
// and refusing wrong requests as the real one does. Listens on the loopback address only.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { AnswerQueue } from './answer-choice';
import { playAnswer } from './answer-stream';
import type { JournalEntry, OpenJournalEntry } from './journal';
import { type Refusal, checkRequest, invalid, isObject, refuseKey } from './request-check';
import type { ModelScript, ScriptedAnswer, ServiceScript } from './script';
import { type ServiceClock, realClock } from './service-clock';

export interface FakeModelService {
  /** E.g. `http://127.0.0.1:40123/v1`. */
  readonly baseUrl: string;
  /** All requests so far, in order of arrival. */
  readonly journal: readonly JournalEntry[];
  /** Answers this model from another script from now on. */
  setModel(model: string, script: ModelScript): void;
  /** Resolves when so many requests have arrived in all. */
  arrived(count: number): Promise<void>;
  /** Resolves when no answer is open any more, e.g. after the client went away. */
  settled(): Promise<void>;
  /** Breaks open connections and stops listening. Idempotent. */
  close(): Promise<void>;
}

export async function startFakeModelService(
  script: ServiceScript,
  clock: ServiceClock = realClock,
): Promise<FakeModelService> {
  const service = new Service(script, clock);
  await service.listen();
  return service;
}

class Service implements FakeModelService {
  readonly journal: OpenJournalEntry[] = [];
  readonly #script: ServiceScript;
  readonly #clock: ServiceClock;
  readonly #models = new Map<string, { script: ModelScript; queue: AnswerQueue }>();
  readonly #open = new Set<Promise<void>>();
  readonly #arrivals = new Set<() => void>();
  readonly #server: Server;
  #port = 0;

  constructor(script: ServiceScript, clock: ServiceClock) {
    this.#script = script;
    this.#clock = clock;
    for (const [model, modelScript] of Object.entries(script.models)) {
      this.setModel(model, modelScript);
    }
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
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  setModel(model: string, script: ModelScript): void {
    this.#models.set(model, { script, queue: new AnswerQueue(script.answers) });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.on('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async arrived(count: number): Promise<void> {
    while (this.journal.length < count) {
      await new Promise<void>((resolve) => this.#arrivals.add(resolve));
    }
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
    const receivedAt = this.#clock.now();
    response.on('error', () => undefined);
    const text = await readAll(request);
    const entry = this.#enter(request, text, receivedAt);
    response.on('close', () => {
      entry.endedAt = this.#clock.now();
      if (entry.outcome === 'open') {
        entry.outcome = 'client-closed';
      }
    });
    if (request.method === 'GET' && entry.path === '/v1/models') {
      sendJson(response, 200, this.#modelList());
      entry.outcome = 'complete';
      return;
    }
    const refusal = this.#refusalOf(entry, text);
    if (refusal !== undefined) {
      entry.outcome = 'refused';
      sendJson(response, refusal.status, { error: refusal.error });
      return;
    }
    await this.#answer(entry, response);
  }

  #enter(request: IncomingMessage, text: string, receivedAt: number): OpenJournalEntry {
    const body = parsed(text);
    const model = isObject(body) && typeof body['model'] === 'string' ? body['model'] : '';
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const entry: OpenJournalEntry = {
      no: this.journal.length + 1,
      method: request.method ?? '',
      path: new URL(request.url ?? '/', 'http://localhost').pathname,
      headers: Object.fromEntries(headers),
      body: body ?? text,
      model,
      receivedAt,
      sentAt: [],
      endedAt: undefined,
      scheduledMs: 0,
      outcome: 'open',
    };
    this.journal.push(entry);
    for (const resolve of this.#arrivals) {
      resolve();
    }
    this.#arrivals.clear();
    return entry;
  }

  #refusalOf(entry: OpenJournalEntry, text: string): Refusal | undefined {
    const key = /^Bearer (.+)$/.exec(entry.headers['authorization'] ?? '')?.[1];
    const { apiKeys } = this.#script;
    if (apiKeys !== undefined && (key === undefined || !apiKeys.includes(key))) {
      return refuseKey(key);
    }
    if (entry.method !== 'POST' || entry.path !== '/v1/chat/completions') {
      return notFound(`Invalid URL (${entry.method} ${entry.path})`, null);
    }
    if (parsed(text) === undefined) {
      return invalid('We could not parse the JSON body of your request.');
    }
    const refusal = checkRequest(entry.body, this.#script);
    if (refusal !== undefined) {
      return refusal;
    }
    if (!this.#models.has(entry.model)) {
      return notFound(`The model \`${entry.model}\` does not exist.`, 'model_not_found');
    }
    return isObject(entry.body) && entry.body['stream'] === true
      ? undefined
      : invalid('This service answers streamed requests only.', 'stream');
  }

  async #answer(entry: OpenJournalEntry, response: ServerResponse): Promise<void> {
    const model = this.#models.get(entry.model);
    const answer = model?.queue.take(entry.body);
    if (answer === undefined) {
      entry.outcome = 'refused';
      const message = `The script of ${entry.model} has no answer left for this request.`;
      sendJson(response, 418, {
        error: { message, type: 'script_error', param: null, code: null },
      });
      return;
    }
    if ('status' in answer) {
      entry.outcome = 'refused';
      sendStatus(response, answer);
      return;
    }
    await playAnswer(answer.steps, {
      response,
      entry,
      clock: this.#clock,
      latency: model?.script.latency ?? { firstChunkMs: 0, perChunkMs: 0 },
      includesUsage: this.#script.hidesUsage !== true && asksForUsage(entry.body),
    });
  }

  #modelList(): unknown {
    const data = [...this.#models.keys()].map((id) => ({ id, object: 'model' }));
    return { object: 'list', data };
  }
}

function asksForUsage(body: unknown): boolean {
  const options = isObject(body) ? body['stream_options'] : undefined;
  return isObject(options) && options['include_usage'] === true;
}

function notFound(message: string, code: string | null): Refusal {
  return {
    status: 404,
    error: { message, type: 'invalid_request_error', param: null, code },
  };
}

function sendStatus(
  response: ServerResponse,
  answer: Extract<ScriptedAnswer, { status: number }>,
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
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
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
