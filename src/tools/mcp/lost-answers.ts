// Streams of answers that end before the answer: the package goes on waiting for it.
import { StringDecoder } from 'node:string_decoder';
import { membersOf } from './schema-parts';
import { tapped } from './tapped-body';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Of a request, as the server is to repeat it. */
type RequestId = string | number;

/** How often the package tries to go on with a stream that it cannot reach. */
export const mostResumptions = 2;

interface Waiting {
  readonly id: RequestId;
  failures: number;
}

/**
 * The same `fetch`, by which a transport that posts its messages reaches a server. Tells a request whose answer cannot come
 * any more: its stream has ended, and it named no place to go on from, or going on failed. The package goes on by itself
 * where a stream names such a place.
 */
export function tellingLost(fetch: Fetch, onLost: (id: RequestId) => void): Fetch {
  const waiting = new Map<string, Waiting>();
  const watch = (response: Response, id: RequestId, signal: RequestInit['signal']): Response => {
    const { body, status, statusText, headers } = response;
    if (body === null || !isEventStream(response)) {
      return response;
    }
    const events = new EventLines(id);
    const over = (): void => {
      if (events.isAnswered || signal?.aborted === true) {
        return;
      }
      if (events.lastEventId === '') {
        onLost(id);
      } else {
        waiting.set(events.lastEventId, { id, failures: 0 });
      }
    };
    const watched = tapped(body, {
      piece: (bytes) => events.push(bytes),
      end: over,
      broken: (error) => {
        over();
        return error;
      },
    });
    return new Response(watched, { status, statusText, headers });
  };
  return async (url, init = {}) => {
    const token = new Headers(init.headers).get('last-event-id') ?? '';
    const resumed = waiting.get(token);
    if (resumed === undefined) {
      const id = requestIn(init);
      const response = await fetch(url, init);
      return id === undefined ? response : watch(response, id, init.signal);
    }
    const response = await fetch(url, init).catch((error: unknown) => {
      resumed.failures += 1;
      if (resumed.failures >= mostResumptions) {
        waiting.delete(token);
        onLost(resumed.id);
      }
      throw error;
    });
    waiting.delete(token);
    if (!response.ok || !isEventStream(response)) {
      onLost(resumed.id);
    }
    return watch(response, resumed.id, init.signal);
  };
}

/** The same `fetch` for a transport that has one stream for all answers; nothing can be answered when that has ended. */
export function tellingEnd(fetch: Fetch, onEnd: () => void): Fetch {
  return async (url, init = {}) => {
    const response = await fetch(url, init);
    const { body, status, statusText, headers } = response;
    if (body === null || !isEventStream(response)) {
      return response;
    }
    const watched = tapped(body, {
      piece: () => undefined,
      end: onEnd,
      broken: (error) => {
        onEnd();
        return error;
      },
    });
    return new Response(watched, { status, statusText, headers });
  };
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.includes('text/event-stream') === true;
}

/** `undefined` for what asks nothing. */
function requestIn({ method, body }: RequestInit): RequestId | undefined {
  if (method !== 'POST' || typeof body !== 'string') {
    return undefined;
  }
  const { id, method: asked } = messageIn(body);
  return asked !== undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined;
}

function messageIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}

/** What of a stream of events decides whether something is still to come. */
class EventLines {
  readonly #id: RequestId;
  readonly #decoder = new StringDecoder('utf8');
  /** What has come of an event that is not over. */
  #open: string[] = [];
  #last = '';
  #data: string[] = [];
  #eventId = '';
  isAnswered = false;
  /** As the package knows it: of the last whole event that has data. */
  lastEventId = '';

  constructor(id: RequestId) {
    this.#id = id;
  }

  /** Looks into an event when it is over: a stream that never ends one costs no more than the search for that. */
  push(bytes: Uint8Array): void {
    const text = this.#decoder.write(Buffer.from(bytes));
    this.#open.push(text);
    const seen = `${this.#last}${text}`;
    this.#last = seen.slice(-3);
    if (/\n\r?\n/.test(seen)) {
      const lines = this.#open.join('').split('\n');
      this.#open = [lines.pop() ?? ''];
      lines.forEach((line) => this.#line(line.endsWith('\r') ? line.slice(0, -1) : line));
    }
  }

  #line(line: string): void {
    if (line.startsWith('data:')) {
      this.#data.push(valueOf(line));
    } else if (line === 'data') {
      this.#data.push('');
    } else if (line.startsWith('id:')) {
      this.#eventId = valueOf(line);
    } else if (line === '') {
      this.#event();
    }
  }

  #event(): void {
    if (this.#data.length > 0) {
      const { id, method } = messageIn(this.#data.join('\n'));
      this.isAnswered ||= id === this.#id && method === undefined;
      this.lastEventId = this.#eventId === '' ? this.lastEventId : this.#eventId;
    }
    this.#data = [];
    this.#eventId = '';
  }
}

/** What stands behind the name of a field. */
function valueOf(line: string): string {
  const start = line.indexOf(':') + 1;
  return line.slice(line[start] === ' ' ? start + 1 : start);
}
