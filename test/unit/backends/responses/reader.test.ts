import { afterEach, describe, expect, it } from 'vitest';
import type { BackendPart } from '../../../../src/core/ports/model-backend';
import { callsOf, endOf, textOf, thinkingOf } from '../../../contract/backend-kit';
import type { Step } from '../../../support/fake-responses/script';
import { answerOf, ask, closeAll, openBackend, serve } from './service-fixture';

const said: Step = { kind: 'text', text: 'Here it is.' };
const url = 'https://example.org/a';

afterEach(closeAll);

function errorOf(parts: readonly BackendPart[]): unknown {
  const end = endOf(parts);
  return 'error' in end ? end.error : undefined;
}

describe('the events of a response', () => {
  it.each(['items-at-the-end', 'no-deltas', 'no-arguments-in-items', 'no-indices'] as const)(
    'give everything once from a service with %s',
    async (quirk) => {
      const parts = await answerOf(
        [
          { kind: 'reasoning', summary: ['Perhaps.', 'Or not.'] },
          said,
          { kind: 'text', text: 'And more.' },
          { kind: 'tool-call', name: 'vote', arguments: { path: 'a' }, pieces: 3 },
          { kind: 'tool-call', name: 'read_file', arguments: { path: 'b' } },
        ],
        { quirk },
      );
      expect(thinkingOf(parts)).toBe('Perhaps.\n\nOr not.');
      expect(textOf(parts)).toBe('Here it is.\n\nAnd more.');
      expect(callsOf(parts)).toMatchObject([
        { name: 'vote', argumentsJson: '{"path":"a"}' },
        { name: 'read_file', argumentsJson: '{"path":"b"}' },
      ]);
      expect(endOf(parts).reason).toBe('tool-calls');
    },
  );

  it('keep calls apart whose arguments come alternately', async () => {
    const parts = await answerOf([
      {
        kind: 'interleaved',
        calls: [
          { name: 'vote', arguments: { path: 'a'.repeat(50) }, pieces: 10 },
          { name: 'read_file', arguments: { path: 'b'.repeat(90) }, pieces: 7 },
          { name: 'vote', arguments: '' },
        ],
      },
    ]);
    expect(callsOf(parts).map(({ name, argumentsJson }) => [name, argumentsJson])).toEqual([
      ['vote', `{"path":"${'a'.repeat(50)}"}`],
      ['read_file', `{"path":"${'b'.repeat(90)}"}`],
      ['vote', '{}'],
    ]);
  });

  it('may all come at once, from a service that ignores the wish for a stream', async () => {
    const content = [{ type: 'output_text', text: 'Here it is.', annotations: [] }];
    const message = { type: 'message', id: 'msg_1', role: 'assistant', content };
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'vote', arguments: '{}' };
    const usage = { input_tokens: 4, output_tokens: 2 };
    const body = { object: 'response', status: 'completed', output: [message, call], usage };
    const parts = await answerOf({ status: 200, body });
    expect(textOf(parts)).toBe('Here it is.');
    expect(callsOf(parts)).toEqual([{ id: 'c', name: 'vote', argumentsJson: '{}' }]);
    expect(endOf(parts).reason).toBe('tool-calls');
  });

  it('name each source once', async () => {
    const annotation = { type: 'url_citation', url, title: 'A', start_index: 0, end_index: 4 };
    const parts = await answerOf([
      {
        ...said,
        annotations: [
          annotation,
          annotation,
          { ...annotation, url: 'javascript:x' },
          { file_id: 'f' },
        ],
      },
    ]);
    expect(parts.filter(({ type }) => type === 'citation')).toEqual([
      { type: 'citation', citation: { url, title: 'A' } },
    ]);
  });

  it('tell what tools of the service do', async () => {
    const parts = await answerOf([
      {
        kind: 'hosted',
        item: { type: 'web_search_call', action: { type: 'search', query: 'best  parser' } },
      },
      {
        kind: 'hosted',
        item: {
          ...{ type: 'code_interpreter_call', code: 'print(1)' },
          outputs: [{ type: 'logs', logs: '1\n' }],
        },
      },
      { kind: 'hosted', item: { type: 'file_search_call', queries: ['a', 'b'], status: 'failed' } },
      { kind: 'hosted', item: { type: 'custom_tool_call', name: 'x_keyword_search', input: 'c' } },
      said,
    ]);
    const hosted = parts.flatMap((part) =>
      part.type === 'hosted-tool' ? [[part.tool, part.status, part.subject, part.preview]] : [],
    );
    expect(hosted).toEqual([
      ['web_search', 'started', '', undefined],
      ['web_search', 'done', 'best parser', undefined],
      ['code_execution', 'started', '', undefined],
      ['code_execution', 'done', 'print(1)', '1\n'],
      ['file_search', 'started', '', undefined],
      ['file_search', 'failed', 'a, b', undefined],
      ['custom_tool', 'started', '', undefined],
      ['x_keyword_search', 'done', 'c', undefined],
    ]);
    expect(endOf(parts).reason).toBe('stop');
  });

  it('are an error when the model only declines, and text when it also speaks', async () => {
    const refusal: Step = { kind: 'refusal', text: 'I will not.' };
    const alone = await answerOf([refusal]);
    expect(textOf(alone)).toBe('');
    expect(errorOf(alone)).toMatchObject({ code: 'backend/refused', retryable: false });
    expect(String(errorOf(alone))).toContain('I will not.');
    const beside = await answerOf([said, refusal]);
    expect(textOf(beside)).toBe('Here it is.I will not.');
    expect(endOf(beside).reason).toBe('stop');
  });

  it.each([
    ['server_error', 'backend/bad-response', true],
    ['rate_limit_exceeded', 'backend/rate-limited', true],
    ['insufficient_quota', 'backend/no-permission', false],
    ['context_length_exceeded', 'backend/context-overflow', false],
    ['invalid_prompt', 'backend/content-filtered', false],
    ['server_is_overloaded', 'backend/overloaded', true],
    ['nobody_knows', 'backend/bad-response', true],
  ])(
    'fail with %s as %s, in every way that a service says it',
    async (code, expected, retryable) => {
      const error = { code, message: 'So it is.', param: null };
      const usage: Step = { kind: 'usage', usage: { input_tokens: 5, output_tokens: 1 } };
      for (const last of [
        { kind: 'failed', error },
        { kind: 'error', error },
        { kind: 'error', error, isNamed: false },
        { kind: 'error', error: { error } },
        { kind: 'error', error: { error }, isNamed: false },
      ] as const) {
        const parts = await answerOf([said, usage, last]);
        expect(errorOf(parts)).toMatchObject({ code: expected, retryable });
        expect(String(errorOf(parts))).toContain('So it is.');
        expect(callsOf(parts)).toEqual([]);
        expect(parts.filter(({ type }) => type === 'usage')).toHaveLength(
          last.kind === 'failed' ? 1 : 0,
        );
      }
    },
  );

  it('fail without a reason in words of their own', async () => {
    const parts = await answerOf([{ kind: 'failed', error: null }]);
    expect(String(errorOf(parts))).toMatch(/: The response failed\.$/);
  });

  it('end with what came when the service has no more room', async () => {
    const parts = await answerOf([said, { kind: 'incomplete', reason: 'max_messages' }]);
    expect(endOf(parts)).toEqual({ type: 'end', reason: 'length' });
  });

  it('are not half an answer when they stop without the closing one', async () => {
    const parts = await answerOf([
      said,
      { kind: 'tool-call', name: 'vote', arguments: {} },
      { kind: 'end-early' },
    ]);
    expect(callsOf(parts)).toEqual([]);
    expect(errorOf(parts)).toMatchObject({ code: 'backend/network', retryable: true });
  });

  it('are given up when they have no end', async () => {
    const many = Array.from({ length: 40 }, (): Step => {
      return { kind: 'text', text: 'x'.repeat(500_000), pieces: ['x'.repeat(500_000)] };
    });
    expect(errorOf(await answerOf(many))).toMatchObject({ code: 'backend/bad-response' });
  });

  it('count what went into a cache and into thoughts', async () => {
    const parts = await answerOf([
      said,
      {
        kind: 'usage',
        usage: {
          ...{ input_tokens: 100, output_tokens: 40, total_tokens: 140 },
          input_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
          output_tokens_details: { reasoning_tokens: 25 },
        },
      },
    ]);
    expect(parts.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      usage: {
        ...{ inputTokens: 100, cachedInputTokens: 30, cacheWriteTokens: 20 },
        ...{ outputTokens: 40, reasoningTokens: 25 },
      },
    });
  });

  it('is told with its cost, the fees of tools in it, where the service states it', async () => {
    const counts = { input_tokens: 4, output_tokens: 2, cost_in_usd_ticks: 37_756_000 };
    const parts = await answerOf([said, { kind: 'usage', usage: counts }]);
    const usage = { inputTokens: 4, outputTokens: 2 };
    expect(parts).toContainEqual({ type: 'usage', usage, costUsd: 0.0037756, hasFees: false });
  });
});

describe('a request that was refused', () => {
  it('is told to be too long in the words of xAI', async () => {
    const error =
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.";
    const body = { code: 'Client specified an invalid argument', error };
    const service = await serve([{ status: 400, body }], { dialect: 'xai', model: 'grok-4.6' });
    const backend = await openBackend(service, { type: 'grok', model: 'grok-4.6' });
    expect(errorOf(await ask(backend))).toMatchObject({
      code: 'backend/context-overflow',
      retryable: false,
    });
  });

  it.each([
    [{ code: 'insufficient_quota', type: 'insufficient_quota' }, 'backend/no-permission'],
    [{ code: 'content_filter', type: null }, 'backend/content-filtered'],
    [{ code: null, type: 'invalid_request_error' }, 'backend/rate-limited'],
  ])('with 429 and %o is %s', async (said429, code) => {
    const body = { error: { message: 'No.', param: null, ...said429 } };
    const parts = await answerOf({ status: 429, body });
    const retryable = code === 'backend/rate-limited';
    expect(errorOf(parts)).toMatchObject({ code, retryable });
  });

  it('never shows the key that the service repeats', async () => {
    const body = { error: { message: 'Wrong key: key-secret-1.', code: 'invalid_api_key' } };
    const parts = await answerOf({ status: 401, body });
    expect(JSON.stringify(parts) + String(errorOf(parts))).not.toContain('key-secret-1');
  });
});
