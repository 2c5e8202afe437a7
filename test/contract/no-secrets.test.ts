// A service may send the key back in whatever it says about an error; none of it may come through.
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretForms } from '../../src/base/secret-forms';
import { builtInBackends } from '../../src/backends/registry';
import type { BackendServices, ModelKind } from '../../src/core/ports/backend-kind';
import { MassGenError } from '../../src/core/errors';
import { collect, endOf, requestOf, systemClock } from './backend-kit';
import { adapterOf } from './stages';

const never = new AbortController().signal;

/** How a key is written into an answer. */
const writings: Readonly<Record<string, (key: string) => string>> = {
  plain: (key) => `Incorrect API key provided: ${key}.`,
  'with its scheme': (key) => `Bad header "Authorization: Bearer ${key}"`,
  'in an address': (key) => `GET https://host/v1?key=${encodeURIComponent(key)}&alt=sse failed`,
  'as base64 data': (key) => `Basic ${Buffer.from(`user:${key}`).toString('base64')}`,
  'as hexadecimal data': (key) => Buffer.from(key).toString('hex'),
  'inside JSON inside JSON': (key) => JSON.stringify({ headers: { authorization: key } }),
};

/** How a service says that something is wrong; `said` has the key in it. */
type Answer = (response: ServerResponse, said: string, status: number) => void;

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const stream = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(text);
};
const answers: Readonly<Record<string, Answer>> = {
  'as an error': (response, said, status) =>
    json(response, status, { error: { message: said, type: 'error', code: said, param: said } }),
  'as a bare message': (response, said, status) => json(response, status, { message: said }),
  'as text': (response, said, status) => {
    response.writeHead(status, { 'content-type': 'text/plain' });
    response.end(said);
  },
  'as a list': (response, said, status) => json(response, status, [{ error: { message: said } }]),
  'as an unknown object': (response, said, status) => json(response, status, { why: [said] }),
  'as a redirect': (response, said) => {
    response.writeHead(307, { location: `http://127.0.0.1:9/${encodeURIComponent(said)}` });
    response.end(said);
  },
  'inside the stream': (response, said) =>
    stream(response, `event: error\ndata: ${JSON.stringify({ error: { message: said } })}\n\n`),
  'as a broken event': (response, said) => stream(response, `data: {"${said}\n\n`),
  'as no stream at all': (response, said) => stream(response, said),
};

interface Play {
  readonly answer: Answer;
  readonly said: string;
  readonly status: number;
}

let server: Server;
let play: Play | undefined;

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    request.resume();
    request.on('end', () => play?.answer(response, play.said, play.status));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const kinds = builtInBackends({ recordingsDir: '/nowhere' }).filter(
  (kind): kind is ModelKind =>
    // Rows of a table go the same way as the first one.
    kind.isProgram !== true &&
    kind.type !== 'offline' &&
    (kind.type === 'chatcompletion' || adapterOf(kind.type) !== 'chatcompletion'),
);

/** Everything that a person or a file could come to see of an error. */
function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let current = error, depth = 0; current instanceof Error && depth < 8; depth++) {
    const hint = current instanceof MassGenError ? (current.hint ?? '') : '';
    words.push(current.message, hint);
    current = current.cause;
  }
  return words.join('\n');
}

describe.each(kinds)('$type', (kind) => {
  it('passes on what the service says otherwise', async () => {
    const { 'as an error': answer } = answers;
    play = answer && { answer, said: 'The word of the day is 12345.', status: 400 };
    expect(await attempt(kind, 'a-key-of-no-matter')).toContain('The word of the day is 12345.');
  });

  it('lets no key through, however the service repeats it', async () => {
    const key = fc.stringMatching(/^[A-Za-z0-9_+/=.-]{16,48}$/);
    const cases = fc.record({
      key,
      writing: fc.constantFrom(...Object.values(writings)),
      answer: fc.constantFrom(...Object.values(answers)),
      status: fc.constantFrom(400, 401, 403, 404, 413, 422, 429, 500, 503),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ key: secret, writing, answer, status }) => {
        play = { answer, said: writing(secret), status };
        const seen = await attempt(kind, secret);
        expect(secretForms(secret).filter((form) => seen.includes(form))).toEqual([]);
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});

/** All that comes out of one request and one question for models. */
async function attempt(kind: ModelKind, key: string): Promise<string> {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const logged: string[] = [];
  const log = (...words: readonly unknown[]): void => {
    logged.push(words.map((word) => (word instanceof Error ? wordsOf(word) : String(word))).join());
  };
  const services: BackendServices = {
    secrets: { get: () => Promise.resolve(key) },
    clock: systemClock,
    logger: { trace: log, debug: log, info: log, warn: log, error: log },
  };
  const settings = {
    ...{ type: kind.type, model: 'gpt-4o', apiKeyName: 'TEST_KEY' },
    options: { base_url: `http://127.0.0.1:${String(port)}/v1` },
  };
  const backend = await kind.create(settings, services, never);
  const parts = await collect(backend.stream(requestOf(), never));
  const end = endOf(parts);
  const others = parts.filter((part) => part.type !== 'text-delta' && part.type !== 'end');
  const asked = await kind.discover?.(settings, services, never).catch(wordsOf);
  await backend.close();
  return [
    'error' in end ? wordsOf(end.error) : '',
    ...[JSON.stringify(others), ...logged, typeof asked === 'string' ? asked : ''],
  ].join('\n');
}
