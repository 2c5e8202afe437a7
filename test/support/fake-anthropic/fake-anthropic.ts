// Anthropic's service for tests: its wire over real HTTP, answering by a script and refusing wrong requests as the real one
// does. Listens on the loopback address only.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { JournalEntry, OpenJournalEntry } from '../fake-model-service/journal';
import { type ServiceClock, realClock } from '../fake-model-service/service-clock';
import { playAnswer } from './answer-stream';
import { checkRequest } from './check-request';
import { EventWriter } from './event-writer';
import { type ModelRules, rulesOf } from './model-rules';
import { type Json, type Refusal, invalid, isObject } from './refusal';
import type { AnthropicScript, ScriptedAnswer } from './script';

export interface FakeAnthropic {
  /** E.g. `http://127.0.0.1:40123`. */
  readonly baseUrl: string;
  /** All requests so far, in order of arrival. */
  readonly journal: readonly JournalEntry[];
  /** Resolves when no answer is open any more, e.g. after the client went away. */
  settled(): Promise<void>;
  /** Breaks open connections and stops listening. Idempotent. */
  close(): Promise<void>;
}

export async function startFakeAnthropic(
  script: AnthropicScript,
  clock: ServiceClock = realClock,
): Promise<FakeAnthropic> {
  const service = new Service(script, clock);
  await service.listen();
  return service;
}

class Service implements FakeAnthropic {
  readonly journal: OpenJournalEntry[] = [];
  readonly #script: AnthropicScript;
  readonly #clock: ServiceClock;
  readonly #left: Map<string, ScriptedAnswer[]>;
  readonly #open = new Set<Promise<void>>();
  readonly #server: Server;
  #port = 0;

  constructor(script: AnthropicScript, clock: ServiceClock) {
    this.#script = script;
    this.#clock = clock;
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
    const entry = this.#enter(request, await readAll(request));
    response.on('close', () => {
      entry.endedAt = this.#clock.now();
      if (entry.outcome === 'open') {
        entry.outcome = 'client-closed';
      }
    });
    const refusal = this.#refuseHead(entry);
    if (refusal !== undefined) {
      refuse(entry, response, refusal);
    } else if (entry.method === 'GET') {
      this.#list(entry, response);
    } else {
      await this.#answer(entry, response);
    }
  }

  #enter(request: IncomingMessage, text: string): OpenJournalEntry {
    const body = parsed(text);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const entry: OpenJournalEntry = {
      ...{ no: this.journal.length + 1, method: request.method ?? '' },
      path: new URL(request.url ?? '/', 'http://localhost').pathname,
      ...{ headers: Object.fromEntries(headers), body: body ?? text },
      model: isObject(body) ? String(body['model']) : '',
      ...{ receivedAt: this.#clock.now(), sentAt: [], endedAt: undefined, scheduledMs: 0 },
      outcome: 'open',
    };
    this.journal.push(entry);
    return entry;
  }

  #refuseHead({ method, path, headers }: OpenJournalEntry): Refusal | undefined {
    const { apiKeys, keyHeader } = this.#script;
    const bearer = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
    const inHeader = keyHeader === 'authorization' ? undefined : headers['x-api-key'];
    const key = inHeader ?? (keyHeader === 'x-api-key' ? undefined : bearer);
    if (apiKeys !== undefined && (key === undefined || !apiKeys.includes(key))) {
      const message = key === undefined ? 'x-api-key header is required' : 'invalid x-api-key';
      return { status: 401, error: { type: 'authentication_error', message } };
    }
    if (headers['anthropic-version'] === undefined) {
      return invalid('anthropic-version: header is required');
    }
    const isKnown = `${method} ${path}`;
    return isKnown === 'GET /v1/models' || isKnown === 'POST /v1/messages'
      ? undefined
      : { status: 404, error: { type: 'not_found_error', message: 'Not Found' } };
  }

  #list(entry: OpenJournalEntry, response: ServerResponse): void {
    const data = [...this.#left.keys()].map((id) => ({ type: 'model', id, display_name: id }));
    const list = { data, has_more: false, first_id: null, last_id: null };
    entry.outcome = 'complete';
    sendJson(response, 200, list);
  }

  async #answer(entry: OpenJournalEntry, response: ServerResponse): Promise<void> {
    const { body, headers, model } = entry;
    const rules = rulesOf(model);
    const answers = this.#left.get(model);
    if (!isObject(body)) {
      refuse(entry, response, invalid('The request body is not valid JSON'));
    } else if (rules === undefined || answers === undefined) {
      const error = { type: 'not_found_error', message: `model: ${model}` };
      refuse(entry, response, { status: 404, error });
    } else {
      const heads = {
        version: headers['anthropic-version'] ?? '',
        betas: (headers['anthropic-beta'] ?? '').split(','),
      };
      const refusal = checkRequest(body, rules, heads) ?? checkStream(body);
      if (refusal !== undefined) {
        refuse(entry, response, refusal);
        return;
      }
      await this.#play(entry, response, { body, rules, answer: take(answers, body) });
    }
  }

  async #play(
    entry: OpenJournalEntry,
    response: ServerResponse,
    found: {
      readonly body: Json;
      readonly rules: ModelRules;
      readonly answer: ScriptedAnswer | undefined;
    },
  ): Promise<void> {
    const { body, rules, answer } = found;
    if (answer === undefined) {
      const message = `The script of ${entry.model} has no answer left for this request.`;
      refuse(entry, response, { status: 418, error: { type: 'script_error', message } });
    } else if ('status' in answer) {
      entry.outcome = 'refused';
      const { status, headers, body: said } = answer;
      if (typeof said === 'string') {
        response.writeHead(status, { 'content-type': 'text/html', ...headers });
        response.end(said);
      } else {
        sendJson(response, status, said, headers);
      }
    } else {
      const writer = new EventWriter(response, entry, this.#clock);
      await playAnswer(answer.steps, { writer, body, rules, no: entry.no });
    }
  }
}

function take(answers: ScriptedAnswer[], body: Json): ScriptedAnswer | undefined {
  const text = JSON.stringify(body);
  const i = answers.findIndex(({ when }) => when === undefined || text.includes(when));
  const answer = answers[i];
  if (answer !== undefined && answer.isRepeated !== true) {
    answers.splice(i, 1);
  }
  return answer;
}

function checkStream(body: Json): Refusal | undefined {
  return body['stream'] === true
    ? undefined
    : invalid('This service answers streamed requests only.');
}

function refuse(
  entry: OpenJournalEntry,
  response: ServerResponse,
  { status, error }: Refusal,
): void {
  entry.outcome = 'refused';
  sendJson(response, status, { type: 'error', error, request_id: `req_${entry.no}` });
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
