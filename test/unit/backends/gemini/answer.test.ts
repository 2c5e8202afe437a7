import { afterEach, describe, expect, it } from 'vitest';
import { callsOf, endOf, nextRequest, requestOf, textOf } from '../../../contract/backend-kit';
import type { Step } from '../../../support/fake-gemini/script';
import type { BackendPart } from '../../../../src/core/ports/model-backend';
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

const text = (words: string): Step => ({ kind: 'text', text: words, pieces: [words] });
const call = (name: string, id?: string): Step => ({
  ...{ kind: 'call', name, args: { path: 'a' } },
  ...(id === undefined ? {} : { id }),
});
const finish = (reason: string): Step => ({ kind: 'finish', reason });

function ofType<T extends BackendPart['type']>(
  parts: readonly BackendPart[],
  type: T,
): Extract<BackendPart, { type: T }>[] {
  return parts.filter((part): part is Extract<BackendPart, { type: T }> => part.type === type);
}

describe('an answer', () => {
  it('keeps what the model wrote for the next request, without its thoughts', async () => {
    const parts = await stepsOf(
      { kind: 'thought', text: 'Hm.' },
      text('One '),
      text('two.'),
      call('read_file', 'svc-1'),
      call('vote'),
      { kind: 'signed-end' },
    );
    const [kept] = ofType(parts, 'verbatim');
    expect(kept?.verbatim).toMatchObject({
      origin: containing('gemini-3.8-flash'),
      content: {
        parts: [
          { text: 'One two.' },
          {
            functionCall: { id: 'svc-1', name: 'read_file' },
            thoughtSignature: containing(''),
          },
          { functionCall: { name: 'vote' } },
          { text: '', thoughtSignature: containing('') },
        ],
      },
    });
  });

  it('goes back so that the service takes its own signatures, step after step', async () => {
    const service = await serve([
      { steps: [{ kind: 'thought', text: 'Hm.' }, call('read_file', 'x'), call('vote', 'x')] },
      { steps: [call('read_file', 'x')] },
      { steps: [text('Done.')] },
    ]);
    const backend = await openBackend(service.baseUrl);
    const first = await ask(backend);
    const request2 = nextRequest(requestOf(), first);
    const second = await ask(backend, request2);
    const third = await ask(backend, nextRequest(request2, second));
    expect(textOf(third)).toBe('Done.');
    const ids = [...callsOf(first), ...callsOf(second)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('is taken from another model with calls of its own', async () => {
    const service = await serve([{ steps: [text('Done.')] }]);
    const toolCalls = [{ id: 'toolu_1', name: 'read.file', argumentsJson: '{"path":"a"}' }];
    const parts = await ask(await openBackend(service.baseUrl), {
      messages: [
        { role: 'user', text: 'Go.' },
        { role: 'assistant', text: '', toolCalls },
        {
          role: 'tool',
          results: [{ toolCallId: 'toolu_1', name: 'read.file', text: 'x', isError: false }],
        },
      ],
    });
    expect(endOf(parts).reason).toBe('stop');
  });

  it('names calls that the service has not named', async () => {
    const parts = await stepsOf({ kind: 'call', name: 'vote' }, { kind: 'call', name: 'vote' });
    const calls = callsOf(parts);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(calls.map(({ argumentsJson }) => argumentsJson)).toEqual(['{}', '{}']);
  });
});

describe('the end of an answer', () => {
  it.each([
    ['SAFETY', 'backend/content-filtered', false],
    ['RECITATION', 'backend/content-filtered', false],
    ['LANGUAGE', 'backend/content-filtered', false],
    ['BLOCKLIST', 'backend/content-filtered', false],
    ['PROHIBITED_CONTENT', 'backend/content-filtered', false],
    ['SPII', 'backend/content-filtered', false],
    ['IMAGE_SAFETY', 'backend/content-filtered', false],
    ['MISSING_THOUGHT_SIGNATURE', 'backend/bad-request', false],
    ['MALFORMED_FUNCTION_CALL', 'backend/bad-response', true],
    ['UNEXPECTED_TOOL_CALL', 'backend/bad-response', true],
    ['TOO_MANY_TOOL_CALLS', 'backend/bad-response', true],
    ['MALFORMED_RESPONSE', 'backend/bad-response', true],
    ['CONTINUATION', 'backend/bad-response', true],
    ['OTHER', 'backend/bad-response', true],
    ['NEVER_HEARD_OF', 'backend/bad-response', true],
  ])('%s is %s', async (reason, code, retryable) => {
    const parts = await stepsOf(text('Let me'), call('read_file'), finish(reason));
    expect(endOf(parts)).toMatchObject({ reason: 'error', error: { code, retryable } });
    expect(endOf(parts)).toMatchObject({ error: { message: containing(reason) } });
    expect(callsOf(parts)).toEqual([]);
    expect(ofType(parts, 'usage')).toHaveLength(1);
  });

  it('comes with the calls that were whole when the length limit came', async () => {
    const parts = await stepsOf(call('read_file'), finish('MAX_TOKENS'));
    expect(callsOf(parts)).toHaveLength(1);
    expect(endOf(parts).reason).toBe('length');
  });

  it('tells a prompt that the service does not answer', async () => {
    const parts = await stepsOf({ kind: 'block', reason: 'PROHIBITED_CONTENT' });
    expect(endOf(parts)).toMatchObject({
      error: {
        code: 'backend/content-filtered',
        retryable: false,
        message: containing('PROHIBITED_CONTENT'),
      },
    });
  });
});

describe('an empty answer', () => {
  it('is asked for once more, and both are paid', async () => {
    const usage = { promptTokenCount: 10, candidatesTokenCount: 1 };
    const parts = await answerOf([
      { steps: [{ kind: 'usage', usage }] },
      { steps: [{ kind: 'usage', usage }, text('Here.')] },
    ]);
    expect(textOf(parts)).toBe('Here.');
    expect(ofType(parts, 'usage')).toMatchObject([{ usage: { inputTokens: 20, outputTokens: 2 } }]);
    expect(endOf(parts).reason).toBe('stop');
  });
});

describe('an answer that the service interrupts', () => {
  const pause = (token: string): Step => ({
    kind: 'candidate',
    members: { finishReason: 'CONTINUATION', continuationToken: token },
  });

  it('goes on at the place that the service names', async () => {
    const service = await serve([
      { steps: [text('One '), pause('t1'), { kind: 'end-early' }] },
      { steps: [text('two '), pause('t2'), { kind: 'end-early' }] },
      { steps: [text('three.')] },
    ]);
    const parts = await ask(await openBackend(service.baseUrl));
    expect(textOf(parts)).toBe('One two three.');
    expect(endOf(parts).reason).toBe('stop');
    expect(service.journal.map(({ body }) => body)).toMatchObject([
      {},
      { continuationToken: 't1' },
      { continuationToken: 't2' },
    ]);
    expect(ofType(parts, 'verbatim')).toMatchObject([
      { verbatim: { content: { parts: [{ text: 'One two three.' }] } } },
    ]);
  });
});

describe('tools of the service', () => {
  const web = { googleSearch: {} };
  const tools = [{ name: 'read_file', description: 'd', inputSchema: { type: 'object' } }] as const;

  it('are told with what they act on and what came of them, and go back', async () => {
    const service = await serve([
      {
        steps: [
          {
            kind: 'part',
            part: {
              toolCall: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['a', 'b'] } },
            },
          },
          {
            kind: 'part',
            part: {
              toolResponse: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', response: { hits: 2 } },
            },
          },
          { kind: 'part', part: { executableCode: { language: 'PYTHON', code: 'print(1)\nx' } } },
          {
            kind: 'part',
            part: { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'no' } },
          },
          call('read_file'),
        ],
      },
      { steps: [text('Done.')] },
    ]);
    const hostedTools = ['web-search', 'code-execution'] as const;
    const backend = await openBackend(service.baseUrl, {}, { hostedTools });
    const first = await ask(backend, { tools });
    expect(ofType(first, 'hosted-tool')).toMatchObject([
      { tool: 'web-search', subject: 'a; b', status: 'started' },
      { tool: 'web-search', subject: 'a; b', status: 'done', preview: '{"hits":2}' },
      { tool: 'code-execution', subject: 'print(1)', status: 'started' },
      { tool: 'code-execution', status: 'failed', preview: 'no' },
    ]);
    const [started, done] = ofType(first, 'hosted-tool');
    expect(started?.id).toBe(done?.id);
    expect(textOf(await ask(backend, nextRequest(requestOf({ tools }), first)))).toBe('Done.');
    expect(service.journal[1]?.body).toMatchObject({
      tools: [{}, web, { codeExecution: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
      contents: [
        {},
        { parts: [{ toolCall: {} }, { toolResponse: {} }, { executableCode: {} }, {}, {}] },
        {},
      ],
    });
  });

  it('are told by the sources of an answer where it has no parts for them', async () => {
    const members = {
      groundingMetadata: {
        webSearchQueries: ['parsers'],
        groundingChunks: [
          { web: { uri: 'https://example.com/a', title: 'A' } },
          { web: { uri: 'javascript:alert(1)', title: 'B' } },
        ],
      },
      citationMetadata: { citationSources: [{ uri: 'http://example.com/c' }] },
    };
    const parts = await stepsOf(text('Parsers.'), { kind: 'candidate', members });
    expect(ofType(parts, 'hosted-tool')).toMatchObject([
      { tool: 'web-search', subject: 'parsers', status: 'done' },
    ]);
    expect(ofType(parts, 'citation').map(({ citation }) => citation)).toEqual([
      { url: 'https://example.com/a', title: 'A' },
      { url: 'http://example.com/c', title: '' },
    ]);
  });
});

it('counts thoughts as output and what tools have read as input, by the last chunk', async () => {
  const parts = await stepsOf(
    { kind: 'usage', usage: { promptTokenCount: 100 } },
    text('a'),
    {
      kind: 'usage',
      usage: {
        ...{ promptTokenCount: 100, cachedContentTokenCount: 60, toolUsePromptTokenCount: 7 },
        ...{ candidatesTokenCount: 20, thoughtsTokenCount: 5, totalTokenCount: 132 },
      },
    },
    text('b'),
  );
  expect(ofType(parts, 'usage')).toEqual([
    {
      type: 'usage',
      usage: { inputTokens: 107, cachedInputTokens: 60, outputTokens: 25, reasoningTokens: 5 },
    },
  ]);
});

it('gives an answer up that has no end', async () => {
  const mebibyte = 'x'.repeat(1024 * 1024);
  const parts = await stepsOf(...Array.from({ length: 17 }, () => text(mebibyte)));
  expect(endOf(parts)).toMatchObject({ error: { code: 'backend/bad-response' } });
});
