// The adapter against a service that was written by others and knows nothing of it.
import { LLMock } from '@copilotkit/aimock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callsOf, endOf, nextRequest, requestOf, textOf } from '../../../contract/backend-kit';
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

describe('a service of somebody else', () => {
  // It knows the early version of the interface alone.
  const early = { api_version: 'v1beta' };

  it('is understood when it answers with text', async () => {
    mock.onMessage('Fix the parser.', { content: 'The parser stops after the first unit.' });
    const parts = await ask(await openBackend(mock.url, early));
    expect(textOf(parts)).toBe('The parser stops after the first unit.');
    expect(endOf(parts).reason).toBe('stop');
  });

  it('is understood when it calls a tool, and takes the result', async () => {
    const call = { name: 'read_file', arguments: '{"path":"a"}' };
    mock.on({ hasToolResult: false }, { toolCalls: [call] });
    mock.on({ hasToolResult: true }, { content: 'Done.' });
    const backend = await openBackend(mock.url, early);
    const first = await ask(backend);
    expect(callsOf(first)).toMatchObject([{ name: 'read_file', argumentsJson: '{"path":"a"}' }]);
    const second = await ask(backend, nextRequest(requestOf(), first));
    expect(textOf(second)).toBe('Done.');
  });

  it('is understood when it refuses', async () => {
    mock.nextRequestError(429, { message: 'Slow down.', type: 'rate_limit_error' });
    expect(endOf(await ask(await openBackend(mock.url, early)))).toMatchObject({
      error: { code: 'backend/rate-limited', retryable: true },
    });
  });
});
