import { afterEach, describe, expect, it } from 'vitest';
import { callsOf, endOf, textOf, thinkingOf } from '../../../contract/backend-kit';
import type { ScriptedAnswer, Step } from '../../../support/fake-anthropic/script';
import {
  answerOf,
  ask,
  askInTurn,
  bodiesOf,
  closeAll,
  contentsOf,
  newest,
  openClaude,
  serve,
  unchanged,
} from './claude-fixture';

const words: Step = { kind: 'text', text: 'Let me see.' };
const call: Step = { kind: 'tool-call', name: 'read_file', arguments: { path: 'a' } };

describe('the end of an answer', () => {
  afterEach(closeAll);

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['something_new', 'stop'],
    ['max_tokens', 'length'],
  ])('%s is passed on as %s', async (reason, end) => {
    const parts = await answerOf([words, { kind: 'stop', reason }]);
    expect(endOf(parts)).toEqual({ type: 'end', reason: end });
    expect(textOf(parts)).toBe('Let me see.');
  });

  it.each([
    ['cyber', 'about attacks on computers: It may do harm.'],
    ['something_new', 'about something_new: It may do harm.'],
    [null, 'declined to answer: It may do harm.'],
  ])('a refusal for %s says so in words', async (category, said) => {
    const details = { type: 'refusal', category, explanation: 'It may do harm.' };
    const end = endOf(await answerOf([call, { kind: 'stop', reason: 'refusal', details }]));
    expect(end).toMatchObject({
      reason: 'error',
      error: { code: 'backend/refused', retryable: false },
    });
    expect('error' in end ? end.error.message : '').toContain(said);
  });

  it('makes no call of an answer that was refused, and counts what it took', async () => {
    const parts = await answerOf([call, { kind: 'stop', reason: 'refusal' }]);
    expect(callsOf(parts)).toEqual([]);
    expect(parts.map(({ type }) => type).slice(-2)).toEqual(['usage', 'end']);
  });

  it('tells a window that is full from an answer that is too long', async () => {
    const parts = await answerOf([
      words,
      { kind: 'stop', reason: 'model_context_window_exceeded' },
    ]);
    expect(endOf(parts)).toMatchObject({
      reason: 'error',
      error: { code: 'backend/context-overflow' },
    });
  });

  it('drops the call that the limit has cut, even if it looks whole, and keeps those before', async () => {
    const cut: Step = { kind: 'tool-call', name: 'write_file', arguments: '' };
    const service = await serve([
      { steps: [words, call, cut, { kind: 'stop', reason: 'max_tokens' }] },
      { steps: [words] },
    ]);
    const [first = [], second = []] = await askInTurn(await openClaude(service), [
      unchanged,
      unchanged,
    ]);
    expect(callsOf(first).map(({ name }) => name)).toEqual(['read_file']);
    expect(endOf(first).reason).toBe('length');
    expect(endOf(second).reason).toBe('stop');
    expect(contentsOf(bodiesOf(service)[1])[1]?.map(({ type }) => type)).toEqual([
      ...['text', 'tool_use'],
    ]);
  });

  it('drops a thought that was cut before it was signed', async () => {
    const unsigned: Step = {
      kind: 'block',
      block: { type: 'thinking', thinking: 'x', signature: '' },
    };
    const parts = await answerOf([words, unsigned, { kind: 'stop', reason: 'max_tokens' }]);
    expect(parts.find(({ type }) => type === 'verbatim')).toMatchObject({
      verbatim: { content: { blocks: [{ type: 'text', text: 'Let me see.' }] } },
    });
  });
});

describe('the parts of an answer', () => {
  afterEach(closeAll);

  it('hands calls without arguments on as an empty object', async () => {
    const parts = await answerOf([{ kind: 'tool-call', name: 'get_time', arguments: '' }]);
    expect(callsOf(parts)).toMatchObject([{ name: 'get_time', argumentsJson: '{}' }]);
  });

  it('gives a call a new id when its own is taken or missing', async () => {
    const steps: Step[] = [
      { ...call, id: 'a' },
      { ...call, id: '' },
    ];
    const messages = [
      { role: 'user', text: 'Fix it.' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'x', argumentsJson: '{}' }] },
      { role: 'tool', results: [{ toolCallId: 'a', name: 'x', text: '1', isError: false }] },
    ] as const;
    const ids = callsOf(await answerOf(steps, { messages })).map(({ id }) => id);
    expect(ids).toEqual(['a_2', 'call_1_1_1']);
  });

  it('names the service, the host and the model that can read its words again', async () => {
    const service = await serve([{ steps: [words] }]);
    const parts = await ask(await openClaude(service));
    expect(parts.find(({ type }) => type === 'verbatim')).toMatchObject({
      verbatim: { origin: `anthropic ${new URL(service.baseUrl).host} ${newest}` },
    });
  });

  it('keeps thoughts that come as a cipher', async () => {
    const parts = await answerOf([{ kind: 'redacted-thinking', data: 'abc' }, words]);
    expect(thinkingOf(parts)).toBe('');
    expect(parts.find(({ type }) => type === 'verbatim')).toMatchObject({
      verbatim: { content: { blocks: [{ type: 'redacted_thinking', data: 'abc' }, {}] } },
    });
  });

  it('tells sources once they are named, but only pages', async () => {
    const citations = [
      {
        ...{ type: 'web_search_result_location', url: 'https://a.example', title: 'A' },
        ...{ cited_text: 'x', encrypted_index: 'i' },
      },
      { type: 'char_location', cited_text: 'y', document_index: 0 },
      { type: 'web_search_result_location', url: 'javascript:alert(1)', cited_text: 'z' },
    ];
    const service = await serve([
      { steps: [{ kind: 'text', text: 'So it is.', citations }, call] },
      { steps: [words] },
    ]);
    const [first = [], second = []] = await askInTurn(await openClaude(service), [
      unchanged,
      unchanged,
    ]);
    expect(first.filter(({ type }) => type === 'citation')).toEqual([
      { type: 'citation', citation: { url: 'https://a.example', title: 'A' } },
    ]);
    expect(endOf(second).reason).toBe('stop');
    expect(contentsOf(bodiesOf(service)[1])[1]?.[0]).toMatchObject({ citations });
  });

  it('tells what tools of the service do, how they fail, and which came to no result', async () => {
    const use = (id: string, name: string, input: Readonly<Record<string, unknown>>): Step => ({
      ...{ kind: 'server-tool', id, name, input },
    });
    const result = (type: string, id: string, content: unknown): Step => ({
      kind: 'block',
      block: { type, tool_use_id: id, content },
    });
    const failed = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' };
    const output = { type: 'bash_code_execution_result', stdout: '42\n', stderr: '', content: [] };
    const parts = await answerOf([
      use('s1', 'web_search', { query: 'parsers\nin C' }),
      result('web_search_tool_result', 's1', failed),
      use('s2', 'bash_code_execution', { command: 'echo 42' }),
      result('bash_code_execution_tool_result', 's2', output),
      use('s3', 'code_execution', { code: 'print(1)' }),
      words,
    ]);
    const hosted = parts.filter((part) => part.type === 'hosted-tool');
    expect(
      hosted.map(({ id, subject, status, preview }) => [id, subject, status, preview]),
    ).toEqual([
      ['s1', 'parsers', 'started', undefined],
      ['s1', 'parsers', 'failed', 'max_uses_exceeded'],
      ['s2', 'echo 42', 'started', undefined],
      ['s2', 'echo 42', 'done', '42'],
      ['s3', 'print(1)', 'started', undefined],
      ['s3', 'print(1)', 'failed', undefined],
    ]);
    expect(JSON.stringify(parts.find(({ type }) => type === 'verbatim'))).not.toContain('s3');
  });

  it('counts the largest number that was said, which is the last but at some gateways', async () => {
    const counts = { input_tokens: 0, cache_read_input_tokens: null, output_tokens: 90 };
    const parts = await answerOf([words, { kind: 'usage', usage: counts }]);
    const usage = parts.find((part) => part.type === 'usage')?.usage;
    expect(usage?.outputTokens).toBe(90);
    expect(usage?.inputTokens).toBeGreaterThan(0);
    expect(usage).not.toHaveProperty('reasoningTokens');
  });

  it('reads events without a name, and a whole message in place of a stream', async () => {
    const message = {
      ...{ type: 'message', role: 'assistant', stop_reason: 'tool_use' },
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'a' } },
      ],
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    const nameless: ScriptedAnswer = {
      steps: [
        {
          kind: 'event',
          name: null,
          data: {
            type: 'content_block_start',
            index: 7,
            content_block: { type: 'text', text: '' },
          },
        },
        {
          kind: 'event',
          name: null,
          data: {
            type: 'content_block_delta',
            index: 7,
            delta: { type: 'text_delta', text: 'Hi' },
          },
        },
      ],
    };
    const whole = await answerOf({ status: 200, body: message });
    expect(textOf(whole)).toBe('Let me see.');
    expect(callsOf(whole)).toEqual([{ id: 'a', name: 'read_file', argumentsJson: '{"path":"a"}' }]);
    expect(endOf(whole).reason).toBe('tool-calls');
    expect(textOf(await answerOf(nameless))).toBe('Hi');
  });

  it('gives up an answer without end', async () => {
    const huge = 'x'.repeat(9 * 1024 * 1024);
    const parts = await answerOf([
      { kind: 'text', text: huge, pieces: [huge] },
      { kind: 'text', text: huge, pieces: [huge] },
    ]);
    expect(endOf(parts)).toMatchObject({
      reason: 'error',
      error: { code: 'backend/bad-response' },
    });
  });
});
