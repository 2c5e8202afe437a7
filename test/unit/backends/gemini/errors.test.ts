import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { endOf } from '../../../contract/backend-kit';
import type { ScriptedAnswer } from '../../../support/fake-gemini/script';
import {
  containing,
  answerOf,
  ask,
  closeAll,
  openBackend,
  serve,
  stepsOf,
} from './service-fixture';

afterEach(closeAll);

function refusal(code: number, message: string, ...details: readonly unknown[]): ScriptedAnswer {
  return { status: code, body: { error: { code, message, status: 'X', details } } };
}

async function errorOf(answer: ScriptedAnswer): Promise<unknown> {
  const end = endOf(await answerOf([answer]));
  return 'error' in end ? end.error : undefined;
}

describe('a refusal', () => {
  it('tells a key that is not valid, although it comes as a wrong request', async () => {
    const service = await serve([], { apiKeys: ['another'] });
    const parts = await ask(await openBackend(service.baseUrl));
    expect(endOf(parts)).toMatchObject({
      error: { code: 'backend/auth', retryable: false, hint: containing('TEST_KEY') },
    });
    expect(JSON.stringify(parts)).not.toContain('key-secret-1');
  });

  it.each([
    ['7s', 7000],
    ['0.5s', 500],
    ['soon', undefined],
  ])('takes the wait from the details: %s', async (retryDelay, retryAfterMs) => {
    expect(await errorOf(refusal(429, 'Slow down.', { retryDelay }))).toMatchObject({
      ...{ code: 'backend/rate-limited', retryable: true, retryAfterMs },
    });
  });

  it('does not wait for a quota that is used up for the day', async () => {
    const violations = [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }];
    const error = await errorOf(refusal(429, 'Quota.', { violations }, { retryDelay: '9s' }));
    expect(error).toMatchObject({ code: 'backend/no-permission', retryable: false });
  });

  it.each([
    [
      'The input token count (9) exceeds the maximum number of tokens allowed (8).',
      'context-overflow',
    ],
    ['Request payload size exceeds the limit: 20971520 bytes.', 'context-overflow'],
    ['Request contains an invalid argument.', 'bad-request'],
  ])('tells too long a conversation from other faults: %s', async (message, code) => {
    expect(await errorOf(refusal(400, message))).toMatchObject({ code: `backend/${code}` });
  });

  it('can be a list, a page or nothing', async () => {
    const list: ScriptedAnswer = { status: 403, body: [{ error: { message: 'Not you.' } }] };
    expect(await errorOf(list)).toMatchObject({
      ...{ code: 'backend/no-permission', message: containing('Not you.') },
    });
    const page = await errorOf({ status: 502, body: '<html>Bad gateway</html>' });
    expect(page).toMatchObject({ code: 'backend/bad-response', retryable: true });
    expect(JSON.stringify(page)).not.toContain('html');
    expect(await errorOf({ status: 504, body: '' })).toMatchObject({ retryable: true });
  });

  it('is a redirect as well, and the key goes nowhere else', async () => {
    const hits: unknown[] = [];
    const other = createServer((request, response) => {
      hits.push(request.headers);
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const headers = { location: `http://127.0.0.1:${port}/` };
      const error = await errorOf({ status: 307, headers, body: '' });
      expect(error).toMatchObject({
        ...{ code: 'backend/bad-request', hint: containing('Redirects') },
      });
      expect(hits).toEqual([]);
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });
});

describe('an error in the middle of a stream', () => {
  it.each([
    [{ code: 429, message: 'Slow down.', details: [{ retryDelay: '3s' }] }, 'rate-limited', 3000],
    [{ code: 503, message: 'Busy.' }, 'overloaded', undefined],
    [{ message: 'No code.' }, 'bad-response', undefined],
  ])('carries what the service says: %j', async (error, code, retryAfterMs) => {
    const parts = await stepsOf({ kind: 'text', text: 'Let me' }, { kind: 'error', error });
    expect(endOf(parts)).toMatchObject({
      error: { code: `backend/${code}`, retryable: true, retryAfterMs },
    });
  });
});

it('tells a service that cannot be reached', async () => {
  const service = await serve([]);
  const backend = await openBackend(service.baseUrl);
  await service.close();
  expect(endOf(await ask(backend))).toMatchObject({
    error: { code: 'backend/network', message: containing('Nothing answers') },
  });
});

describe('a member that the service does not take', () => {
  it.each([
    ['parametersJsonSchema', {}, 0],
    ['topK', { top_k: 3 }, 1],
    ['thinkingConfig', { thinking_level: 'low' }, 1],
    ['safetySettings', { safety_settings: { harassment: 'block_none' } }, 1],
  ] as const)('is left out from then on: %s', async (member, options, notices) => {
    const answer = { steps: [{ kind: 'text', text: 'ok' }] } as const;
    const service = await serve([answer, answer], { unknownMembers: [member] });
    const backend = await openBackend(service.baseUrl, options);
    const first = await ask(backend);
    const second = await ask(backend);
    expect([endOf(first).reason, endOf(second).reason]).toEqual(['stop', 'stop']);
    expect(first.filter((part) => part.type === 'notice')).toHaveLength(notices);
    expect(service.journal).toHaveLength(3);
    expect(JSON.stringify(service.journal[2]?.body)).not.toContain(member);
  });
});
