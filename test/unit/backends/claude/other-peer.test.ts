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
import { ask, closeAll, openClaude } from './claude-fixture';

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
  it('is understood when it thinks and answers with text', async () => {
    mock.onMessage('Fix the parser.', {
      content: 'The parser stops after the first unit.',
      reasoning: 'Perhaps the loop.',
    });
    const parts = await ask(await openClaude({ baseUrl: mock.url }));
    expect(thinkingOf(parts)).toBe('Perhaps the loop.');
    expect(textOf(parts)).toBe('The parser stops after the first unit.');
    expect(endOf(parts).reason).toBe('stop');
  });

  it('is understood when it calls tools, and takes the results', async () => {
    const call = { name: 'read_file', arguments: '{"path":"a"}' };
    mock.on({ hasToolResult: false }, { toolCalls: [call, call] });
    mock.on({ hasToolResult: true }, { content: 'Done.' });
    const backend = await openClaude({ baseUrl: mock.url });
    const first = await ask(backend);
    expect(callsOf(first).map(({ argumentsJson }) => argumentsJson)).toEqual(
      Array(2).fill('{"path":"a"}'),
    );
    const second = await ask(backend, nextRequest(requestOf(), first));
    expect(textOf(second)).toBe('Done.');
  });

  it('is understood when it refuses', async () => {
    mock.nextRequestError(529, { message: 'Too busy.', type: 'overloaded_error' });
    expect(endOf(await ask(await openClaude({ baseUrl: mock.url })))).toMatchObject({
      error: { code: 'backend/overloaded', retryable: true },
    });
  });
});
