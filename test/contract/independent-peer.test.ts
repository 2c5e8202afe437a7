// The adapters against a server that nobody of this project wrote. It checks nothing; what it shows is that answers in the
// words of another hand are read alike by all of them.
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInBackends } from '../../src/backends/registry';
import type { ModelBackend } from '../../src/core/ports/model-backend';
import {
  callsOf,
  collect,
  endOf,
  expected,
  nextRequest,
  requestOf,
  servicesWith,
  textOf,
} from './backend-kit';

const peer = new LLMock({ port: 0, host: '127.0.0.1' });
const never = new AbortController().signal;

beforeAll(async () => {
  peer.addFixture({
    match: { userMessage: 'Look first.', hasToolResult: false },
    response: { toolCalls: [{ name: 'read_file', arguments: '{"path":"src/a.js"}' }] },
  });
  peer.addFixture({
    match: { userMessage: 'Look first.', hasToolResult: true },
    response: { content: expected.text },
  });
  peer.addFixture({
    match: { userMessage: 'Too much.' },
    response: { error: { message: expected.said, type: 'rate_limit_error' }, status: 429 },
  });
  peer.addFixture({ match: { userMessage: 'Say it.' }, response: { content: expected.unicode } });
  await peer.start();
});
afterAll(async () => peer.stop());

const types = [
  ['chatcompletion', 'gpt-4o', '/v1'],
  ['openai', 'gpt-5.4', '/v1'],
  ['claude', 'claude-sonnet-5-5', ''],
] as const;

async function open(type: string, model: string, path: string): Promise<ModelBackend> {
  const kind = builtInBackends({ recordingsDir: '/nowhere' }).find((each) => each.type === type);
  if (kind === undefined || kind.isProgram === true) {
    throw new Error(`no model kind ${type}`);
  }
  return kind.create(
    { type, model, apiKeyName: 'TEST_KEY', options: { base_url: `${peer.url}${path}` } },
    servicesWith({ TEST_KEY: 'key-1' }),
    never,
  );
}

const said = (text: string) => requestOf({ task: text, messages: [{ role: 'user', text }] });

describe.each(types)('%s at a server of another hand', (type, model, path) => {
  it('reads text', async () => {
    const backend = await open(type, model, path);
    const parts = await collect(backend.stream(said('Say it.'), never));
    expect([textOf(parts), endOf(parts).reason]).toEqual([expected.unicode, 'stop']);
  });

  it('makes a call and goes on with its result', async () => {
    const backend = await open(type, model, path);
    const request = said('Look first.');
    const first = await collect(backend.stream(request, never));
    expect(callsOf(first)).toMatchObject([expected.call]);
    const second = await collect(backend.stream(nextRequest(request, first), never));
    expect([textOf(second), endOf(second).reason]).toEqual([expected.text, 'stop']);
  });

  it('is told to slow down', async () => {
    const backend = await open(type, model, path);
    expect(endOf(await collect(backend.stream(said('Too much.'), never)))).toMatchObject({
      error: { code: 'backend/rate-limited', retryable: true },
    });
  });
});
