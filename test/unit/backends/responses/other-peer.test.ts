// The adapter against a service that was written by others and knows nothing of it.
import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  callsOf,
  endOf,
  nextRequest,
  requestOf,
  textOf,
  thinkingOf,
} from '../../../contract/backend-kit';
import { ask, closeAll, openBackend } from './service-fixture';

let mock: LLMock;

beforeEach(async () => {
  mock = new LLMock({ host: '127.0.0.1', port: 0 });
  await mock.start();
});
afterEach(async () => {
  await closeAll();
  await mock.stop();
});

describe('a service for responses of somebody else', () => {
  const service = () => ({ baseUrl: `${mock.url}/v1` });

  it('is understood when it thinks and answers with text', async () => {
    const content = 'The parser stops after the first unit.';
    mock.onMessage('Fix the parser.', { content, reasoning: 'Perhaps.' });
    const parts = await ask(await openBackend(service()));
    expect([thinkingOf(parts), textOf(parts)]).toEqual(['Perhaps.', content]);
    expect(endOf(parts).reason).toBe('stop');
  });

  it('is understood when it calls two tools, and takes the results', async () => {
    const calls = [
      { name: 'read_file', arguments: '{"path":"a"}' },
      { name: 'vote', arguments: '{"path":"b"}' },
    ];
    mock.on({ hasToolResult: false }, { toolCalls: calls });
    mock.on({ hasToolResult: true }, { content: 'Done.' });
    const backend = await openBackend(service());
    const first = await ask(backend);
    expect(callsOf(first).map(({ name, argumentsJson }) => [name, argumentsJson])).toEqual([
      ['read_file', '{"path":"a"}'],
      ['vote', '{"path":"b"}'],
    ]);
    const second = await ask(backend, nextRequest(requestOf(), first));
    expect(textOf(second)).toBe('Done.');
  });

  it('is understood when it refuses', async () => {
    mock.nextRequestError(429, { message: 'Slow down.', type: 'rate_limit_error' });
    expect(endOf(await ask(await openBackend(service())))).toMatchObject({
      error: { code: 'backend/rate-limited', retryable: true },
    });
  });
});
