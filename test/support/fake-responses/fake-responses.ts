// A service for responses: the wire over real HTTP with real event framing, answering by a script and refusing wrong
// requests as the real one does. Listens on the loopback address only.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { JournalEntry, OpenJournalEntry } from '../fake-model-service/journal';
import { type Refusal, invalid, isObject, refuseKey } from '../fake-model-service/request-check';
import { playAnswer } from './answer-stream';
import { IssuedItems } from './issued';
import { checkRequest } from './request-check';
import type { ScriptedAnswer, ServiceScript } from './script';

export interface FakeResponses {
  /** E.g. `http://127.0.0.1:40123/v1`; for the dialect of Azure the address of the resource, without a path. */
  readonly baseUrl: string;
  /** All requests so far, in order of arrival. */
  readonly journal: readonly JournalEntry[];
  /** Parameters of the address, by request. */
  readonly queries: readonly string[];
  /** Resolves when no answer is open any more, e.g. after the client went away. */
  settled(): Promise<void>;
  /** Breaks open connections and stops listening. Idempotent. */
  close(): Promise<void>;
}

export async function startFakeResponses(script: ServiceScript): Promise<FakeResponses> {
  const service = new Service(script);
  await service.listen();
  return service;
}

class Service implements FakeResponses {
  readonly journal: OpenJournalEntry[] = [];
  readonly queries: string[] = [];
  readonly #script: ServiceScript;
  readonly #issued = new IssuedItems();
  readonly #left: Map<string, ScriptedAnswer[]>;
  readonly #open = new Set<Promise<void>>();
  readonly #server: Server;
  #port = 0;

  constructor(script: ServiceScript) {
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
    const root = `http://127.0.0.1:${this.#port}`;
    return this.#script.dialect === 'azure' ? root : `${root}/v1`;
  }

  get #path(): string {
    return this.#script.dialect === 'azure' ? '/openai/v1' : '/v1';
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
    const receivedAt = performance.now();
    response.on('error', () => undefined);
    const entry = this.#enter(request, await readAll(request), receivedAt);
    response.on('close', () => {
      entry.endedAt = performance.now();
      if (entry.outcome === 'open') {
        entry.outcome = 'client-closed';
      }
    });
    const refusal = this.#keyRefusal(entry) ?? this.#refusalOf(entry);
    if (refusal !== undefined) {
      entry.outcome = 'refused';
      sendJson(response, refusal.status, this.#inOwnForm(refusal));
    } else if (entry.method === 'GET') {
      entry.outcome = 'complete';
      sendJson(response, 200, {
        object: 'list',
        data: [...this.#left.keys()].map((id) => ({ id, object: 'model' })),
      });
    } else {
      await this.#answer(entry, response);
    }
  }

  #enter(request: IncomingMessage, text: string, receivedAt: number): OpenJournalEntry {
    const body = parsed(text);
    const model = isObject(body) && typeof body['model'] === 'string' ? body['model'] : '';
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const entry: OpenJournalEntry = {
      ...{ no: this.journal.length + 1, method: request.method ?? '', path: pathname },
      ...{ headers: Object.fromEntries(headers), body: body ?? text, model, receivedAt },
      ...{ sentAt: [], endedAt: undefined, scheduledMs: 0, outcome: 'open' },
    };
    this.journal.push(entry);
    this.queries.push(search);
    return entry;
  }

  #keyRefusal({ headers }: OpenJournalEntry): Refusal | undefined {
    const { apiKeys, dialect } = this.#script;
    const bearer = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
    const key = dialect === 'azure' ? (headers['api-key'] ?? bearer) : bearer;
    return apiKeys === undefined || (key !== undefined && apiKeys.includes(key))
      ? undefined
      : refuseKey(key);
  }

  #refusalOf({ method, path, body, model }: OpenJournalEntry): Refusal | undefined {
    if (method === 'GET' && path === `${this.#path}/models`) {
      return undefined;
    }
    if (method !== 'POST' || path !== `${this.#path}/responses`) {
      return notFound(`Invalid URL (${method} ${path})`, null);
    }
    const refusal = checkRequest(body, {
      issued: this.#issued,
      dialect: this.#script.dialect ?? 'openai',
      refusedParameters: this.#script.refusedParameters ?? [],
    });
    if (refusal !== undefined) {
      return refusal;
    }
    if (!this.#left.has(model)) {
      return notFound(`The model '${model}' does not exist.`, 'model_not_found');
    }
    return isObject(body) && body['stream'] === true
      ? undefined
      : invalid('This service answers streamed requests only.', 'stream');
  }

  #inOwnForm({ error }: Refusal): unknown {
    return this.#script.dialect === 'xai'
      ? { code: 'Client specified an invalid argument', error: error.message }
      : { error };
  }

  async #answer(entry: OpenJournalEntry, response: ServerResponse): Promise<void> {
    const answer = this.#left.get(entry.model)?.shift();
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
      sendJson(response, answer.status, answer.body, answer.headers);
      return;
    }
    const { quirk } = this.#script;
    await playAnswer(answer.steps, { response, entry, issued: this.#issued, quirk });
  }
}

function notFound(message: string, code: string | null): Refusal {
  return { status: 404, error: { message, type: 'invalid_request_error', param: null, code } };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isText ? 'text/html' : 'application/json',
    ...headers,
  });
  response.end(isText ? body : JSON.stringify(body));
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
