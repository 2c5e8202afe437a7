import { describe, expect, it } from 'vitest';
import { toMassGenError } from '../../../../src/backends/wire/errors';
import { refusedParameterOf } from '../../../../src/backends/wire/refused-parameter';
import type { WireFault } from '../../../../src/backends/wire/wire-fault';

const now = Date.parse('2026-11-20T10:00:00Z');
const context = {
  host: 'models.example.com',
  baseUrl: 'https://models.example.com/v1',
  model: 'model-x',
  keyName: 'EXAMPLE_KEY',
  apiKey: 'key-secret-1',
  now,
};

function fault(
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  text = '',
): WireFault {
  return { kind: 'status', status, body, text, header: (name) => headers[name] };
}

describe('a status', () => {
  it.each([
    [400, {}, 'backend/bad-request', false],
    [400, { code: 'context_length_exceeded' }, 'backend/context-overflow', false],
    [400, { type: 'exceed_context_size_error' }, 'backend/context-overflow', false],
    [400, { code: 'content_filter' }, 'backend/content-filtered', false],
    [401, {}, 'backend/auth', false],
    [402, {}, 'backend/no-permission', false],
    [403, {}, 'backend/no-permission', false],
    [404, {}, 'backend/not-found', false],
    [405, {}, 'backend/bad-request', false],
    [408, {}, 'backend/bad-response', true],
    [409, {}, 'backend/bad-response', true],
    [413, {}, 'backend/context-overflow', false],
    [422, {}, 'backend/bad-request', false],
    [429, {}, 'backend/rate-limited', true],
    [429, { code: 'insufficient_quota' }, 'backend/no-permission', false],
    [500, {}, 'backend/bad-response', true],
    [503, {}, 'backend/overloaded', true],
    [529, {}, 'backend/overloaded', true],
  ] as const)('%i with %j is %s (retryable: %s)', (status, body, code, retryable) => {
    expect(toMassGenError(fault(status, body), context)).toMatchObject({ code, retryable });
  });

  it('obeys a service that says whether to retry', () => {
    const isRetried = (status: number, value: string): boolean =>
      toMassGenError(fault(status, {}, { 'x-should-retry': value }), context).retryable;
    expect([isRetried(500, 'false'), isRetried(400, 'true')]).toEqual([false, true]);
  });

  it.each([
    [401, {}],
    [403, {}],
    [429, { code: 'insufficient_quota' }],
    [400, { code: 'context_length_exceeded' }],
    [400, { code: 'content_filter' }],
  ])('%i with %j is not asked again, whatever a header says', (status, body) => {
    const asked = fault(status, body, { 'x-should-retry': 'true' });
    expect(toMassGenError(asked, context).retryable).toBe(false);
  });

  it.each([
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after-ms': ' ', 'retry-after': '2' }, 2000],
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{}, undefined],
  ])('with %j asks for a wait of %s ms', (headers, waitMs) => {
    expect(toMassGenError(fault(429, {}, headers), context).retryAfterMs).toBe(waitMs);
  });

  it.each([
    [{ message: 'No  such\nmodel.' }, '', 'models.example.com (404): No such model.'],
    ['model not found', '', 'models.example.com (404): model not found'],
    [{ detail: 'Not here.' }, '', 'models.example.com (404): Not here.'],
    [{ reason: 7 }, '', 'models.example.com (404): {"reason":7}'],
    [undefined, 'plain text', 'models.example.com (404): plain text'],
    [undefined, '<html>', 'models.example.com (404) gave no reason.'],
    [undefined, '', 'models.example.com (404) gave no reason.'],
    [{ message: 'key-secret-1 is wrong' }, '', 'models.example.com (404): *** is wrong'],
  ])('repeats the sentence of %j', (body, text, message) => {
    expect(toMassGenError(fault(404, body, {}, text), context).message).toBe(message);
  });

  it('tells what to do about a missing key', () => {
    const error = toMassGenError(fault(401, {}), { ...context, keyName: undefined });
    expect(error.hint).toContain('api_key');
  });
});

describe('a connection', () => {
  const caused = (code: string): WireFault => ({
    kind: 'connection',
    cause: new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) }),
  });

  it.each([
    ['ECONNREFUSED', 'Nothing answers at https://models.example.com/v1.', true],
    ['ENOTFOUND', 'models.example.com cannot be found.', true],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'The certificate of models.example.com is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT).',
      false,
    ],
    ['UND_ERR_SOCKET', 'The connection to models.example.com broke (UND_ERR_SOCKET).', true],
  ])('that fails with %s says so in words', (code, message, retryable) => {
    expect(toMassGenError(caused(code), context)).toMatchObject({
      code: 'backend/network',
      message,
      retryable,
    });
  });

  it('is understood although all addresses of a name were tried', () => {
    const each = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    const cause = new TypeError('fetch failed', { cause: new AggregateError([each]) });
    expect(toMassGenError({ kind: 'connection', cause }, context).message).toContain('Nothing');
  });

  it('to a port that is never connected to is told with what to do, and not tried again', async () => {
    const baseUrl = 'http://127.0.0.1:6000/v1';
    const cause: unknown = await fetch(baseUrl).catch((error: unknown) => error);
    expect(toMassGenError({ kind: 'connection', cause }, { ...context, baseUrl })).toMatchObject({
      code: 'backend/network',
      retryable: false,
      message: expect.stringContaining(baseUrl) as unknown,
      hint: 'Let the model server listen on another port, and correct base_url.',
    });
  });

  it('to a name that is not known is told with what decides about names', () => {
    expect(toMassGenError(caused('ENOTFOUND'), context).hint).toBe(
      'Check the network, its DNS and proxy settings, and base_url.',
    );
  });

  it('is named even when its error says nothing', () => {
    expect(toMassGenError({ kind: 'connection', cause: 'x' }, context).message).toBe(
      'The connection to models.example.com broke.',
    );
  });
});

describe('a refused parameter', () => {
  const candidates = new Set(['temperature', 'stream_options']);

  it.each([
    [fault(400, { param: 'temperature' }), 'temperature'],
    [fault(422, { message: "property 'stream_options' is unsupported" }), 'stream_options'],
    [fault(400, { message: 'The temperature outside is low.' }), undefined],
    [fault(400, { param: 'messages' }), undefined],
    [
      fault(422, { detail: [{ loc: ['body', 'temperature'], msg: 'Extra inputs', input: 1 }] }),
      'temperature',
    ],
    [
      fault(422, {
        message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'temperature'] }] },
      }),
      'temperature',
    ],
    [fault(422, { detail: [{ loc: ['body', 'x'], input: { loc: ['temperature'] } }] }), undefined],
    [fault(400, { code: 'context_length_exceeded', message: 'Lower stream_options.' }), undefined],
    [fault(400, { message: 'No my_stream_options here.' }), undefined],
    [fault(500, { param: 'temperature' }), undefined],
  ])('of %j is %s', (given, name) => {
    expect(refusedParameterOf(given, candidates)).toBe(name);
  });
});
