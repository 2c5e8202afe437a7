import { afterEach, describe, expect, it } from 'vitest';
import { MassGenError } from '../../../../src/core/errors';
import type { BackendPart } from '../../../../src/core/ports/model-backend';
import { collect, endOf, nextRequest, requestOf, textOf } from '../../../contract/backend-kit';
import { FakeClock } from '../../../support/fake-clock';
import { answerOf, callsOf, closeAll, openBackend, serve } from './service-fixture';

const never = new AbortController().signal;

afterEach(closeAll);

describe('what is sent', () => {
  it('writes a whole turn in the form that the service takes', async () => {
    const service = await serve([{ steps: [{ kind: 'text', text: 'ok' }] }], {
      apiKeys: ['key-secret-1'],
    });
    const backend = await openBackend(service.baseUrl, { temperature: 0.2, max_tokens: 900 });
    const request = requestOf({
      messages: [
        { role: 'user', text: 'Fix it.' },
        {
          role: 'assistant',
          text: '',
          toolCalls: [
            { id: 'a', name: 'read_file', argumentsJson: '{"path":"x"}' },
            { id: 'b', name: 'read_file', argumentsJson: '{"path":' },
          ],
        },
        {
          role: 'tool',
          results: [
            { toolCallId: 'a', name: 'read_file', text: '', isError: false },
            { toolCallId: 'b', name: 'read_file', text: 'Not JSON.', isError: true },
          ],
        },
        { role: 'user', text: 'Go on.' },
      ],
    });
    const parts = await collect(backend.stream(request, never));
    expect(endOf(parts).reason).toBe('stop');
    expect(service.journal[0]?.body).toMatchObject({
      model: 'model-x',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 900,
      messages: [
        { role: 'system', content: request.system },
        { role: 'user', content: 'Fix it.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { arguments: '{"path":"x"}' } },
            { id: 'b', type: 'function', function: { arguments: '{"malformed":"{\\"path\\":"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: '(empty)' },
        { role: 'tool', tool_call_id: 'b', content: 'Not JSON.' },
        { role: 'user', content: 'Go on.' },
      ],
    });
  });

  it('sends the key and nothing else that could tell who asks', async () => {
    const service = await serve([{ steps: [] }]);
    const backend = await openBackend(service.baseUrl);
    await collect(backend.stream(requestOf(), never));
    const names = Object.keys(service.journal[0]?.headers ?? {});
    expect(service.journal[0]?.headers['authorization']).toBe('Bearer key-secret-1');
    expect(service.journal[0]?.headers['user-agent']).toBe('massgen');
    expect(names.filter((name) => /^(x-|openai-)/.test(name))).toEqual([]);
  });

  it.each([
    ['stream_options', {}],
    ['temperature', { temperature: 0.5 }],
    ['reasoning_effort', { reasoning_effort: 'low' }],
  ])('leaves %s out once the service has refused it', async (name, options) => {
    const steps = [{ kind: 'text', text: 'ok' }] as const;
    const service = await serve([{ steps }, { steps }], { refusedParameters: [name] });
    const backend = await openBackend(service.baseUrl, options);
    const first = await collect(backend.stream(requestOf(), never));
    const second = await collect(backend.stream(requestOf(), never));
    expect([textOf(first), textOf(second)]).toEqual(['ok', 'ok']);
    expect(service.journal.map((entry) => entry.outcome)).toEqual([
      'refused',
      'complete',
      'complete',
    ]);
  });

  it('takes the newer name of the length limit when the older one is refused', async () => {
    const service = await serve([{ steps: [{ kind: 'text', text: 'ok' }] }], {
      refusedParameters: ['max_tokens'],
    });
    const backend = await openBackend(service.baseUrl, { max_tokens: 50 });
    expect(endOf(await collect(backend.stream(requestOf(), never))).reason).toBe('stop');
    expect(service.journal[1]?.body).toMatchObject({ max_completion_tokens: 50 });
  });
});

describe('thinking that comes as reasoning_content', () => {
  const thinkAndCall = [
    { kind: 'thinking', text: 'I must ' },
    { kind: 'thinking', text: 'look.' },
    { kind: 'tool-call', name: 'read_file', arguments: { path: 'x' }, id: 'a' },
  ] as const;
  it('goes back with the call that it led to', async () => {
    const service = await serve([{ steps: thinkAndCall }, { steps: [] }]);
    const backend = await openBackend(service.baseUrl);
    const first = await collect(backend.stream(requestOf(), never));
    await collect(backend.stream(nextRequest(requestOf(), first), never));
    expect(service.journal[1]?.body).toMatchObject({
      messages: [
        { role: 'system' },
        { role: 'user' },
        { role: 'assistant', reasoning_content: 'I must look.' },
        { role: 'tool' },
      ],
    });
  });

  it('stays away from a service that does not want it back', async () => {
    const service = await serve([{ steps: thinkAndCall }, { steps: [] }], {
      refusedParameters: ['reasoning_content'],
    });
    const backend = await openBackend(service.baseUrl);
    const first = await collect(backend.stream(requestOf(), never));
    const next = nextRequest(requestOf(), first);
    expect(endOf(await collect(backend.stream(next, never))).reason).toBe('stop');
    expect(JSON.stringify(service.journal.at(-1)?.body)).not.toContain('reasoning_content');
  });
});

describe('what is read', () => {
  it('takes the usage apart', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 12 },
    };
    expect(await answerOf([{ kind: 'usage', usage }])).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 100, cachedInputTokens: 64, outputTokens: 20, reasoningTokens: 12 },
    });
  });

  it('says nothing about usage when the service does not', async () => {
    const service = await serve([{ steps: [{ kind: 'text', text: 'ok' }] }], { hidesUsage: true });
    const backend = await openBackend(service.baseUrl);
    const parts = await collect(backend.stream(requestOf(), never));
    expect(parts.map((part) => part.type)).toEqual(['text-delta', 'end']);
  });

  it('passes over comments, empty choices and chunks of unknown shape', async () => {
    const parts = await answerOf([
      { kind: 'comment', text: 'PROCESSING' },
      { kind: 'empty-choices' },
      { kind: 'chunk', data: { choices: [{ delta: { content: 7 } }] } },
      { kind: 'chunk', data: { choices: 'none' } },
      { kind: 'text', text: 'ok' },
    ]);
    expect(textOf(parts)).toBe('ok');
    expect(endOf(parts).reason).toBe('stop');
  });

  it.each(['reasoning_content', 'reasoning'])('shows %s as thinking', async (member) => {
    const parts = await answerOf([
      { kind: 'thinking', text: 'hm', member },
      { kind: 'text', text: 'ok' },
    ]);
    expect(parts.slice(0, 2)).toEqual([
      { type: 'thinking-delta', text: 'hm' },
      { type: 'text-delta', text: 'ok' },
    ]);
  });

  it('passes malformed arguments on as they are', async () => {
    const parts = await answerOf([
      { kind: 'tool-call', name: 'read_file', arguments: '{"path": oops', id: 'a' },
    ]);
    expect(callsOf(parts)).toEqual([
      { id: 'a', name: 'read_file', argumentsJson: '{"path": oops' },
    ]);
    expect(endOf(parts).reason).toBe('tool-calls');
  });

  it('reports calls although the service says that it just stopped', async () => {
    const parts = await answerOf([
      { kind: 'tool-call', name: 'read_file', arguments: {}, id: 'a' },
      { kind: 'finish', reason: 'stop' },
    ]);
    expect(callsOf(parts)).toEqual([{ id: 'a', name: 'read_file', argumentsJson: '{}' }]);
    expect(endOf(parts).reason).toBe('tool-calls');
  });

  it('holds back a call that the length limit has cut, and says so', async () => {
    const parts = await answerOf([
      { kind: 'tool-call', name: 'read_file', arguments: { path: 'x' }, id: 'a' },
      { kind: 'tool-call', name: 'write_file', arguments: '{"path":"y","content":"ha', id: 'b' },
      { kind: 'finish', reason: 'length' },
    ]);
    expect(callsOf(parts)).toEqual([{ id: 'a', name: 'read_file', argumentsJson: '{"path":"x"}' }]);
    expect(endOf(parts)).toEqual({ type: 'end', reason: 'length' });
  });

  it('gives a call a new id when the conversation has its id already', async () => {
    const parts = await answerOf(
      [
        { kind: 'tool-call', name: 'read_file', arguments: {}, id: 'same' },
        { kind: 'tool-call', name: 'read_file', arguments: {}, id: '' },
      ],
      {
        messages: [
          { role: 'user', text: 'Go.' },
          {
            role: 'assistant',
            text: '',
            toolCalls: [{ id: 'same', name: 'read_file', argumentsJson: '{}' }],
          },
          {
            role: 'tool',
            results: [{ toolCallId: 'same', name: 'read_file', text: 'x', isError: false }],
          },
        ],
      },
    );
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call.id] : []));
    expect(new Set([...ids, 'same']).size).toBe(3);
    expect(ids.every((id) => /^[a-z0-9]{9}$/.test(id))).toBe(true);
  });

  it('ends an answer that a content filter held back as an error', async () => {
    const parts = await answerOf([
      { kind: 'text', text: 'Well' },
      { kind: 'finish', reason: 'content_filter' },
    ]);
    expect(endOf(parts)).toMatchObject({
      reason: 'error',
      error: { code: 'backend/content-filtered', retryable: false },
    });
  });

  it('keeps a finished answer although the connection breaks after it', async () => {
    const parts = await answerOf([
      { kind: 'text', text: 'done' },
      { kind: 'finish', reason: 'stop' },
      { kind: 'cut' },
    ]);
    expect(textOf(parts)).toBe('done');
    expect(endOf(parts)).toEqual({ type: 'end', reason: 'stop' });
  });
});

describe('what goes wrong', () => {
  it.each([
    ['cut', 'broke'],
    ['end-early', 'in the middle'],
  ] as const)('takes a stream with a sudden end (%s) for a network error', async (kind, said) => {
    const parts = await answerOf([{ kind: 'text', text: 'Half an' }, { kind }]);
    expect(textOf(parts)).toBe('Half an');
    const end = endOf(parts);
    expect(end).toMatchObject({ error: { code: 'backend/network', retryable: true } });
    expect('error' in end ? end.error.message : '').toContain(said);
  });

  it.each([
    [{ message: 'Overloaded', type: 'overloaded_error' }, 'backend/overloaded', true],
    [{ message: 'Upstream is busy', code: 429 }, 'backend/rate-limited', true],
    [{ message: 'Something broke' }, 'backend/bad-response', true],
  ] as const)('reads an error inside the stream: %j', async (error, code, retryable) => {
    const parts = await answerOf([
      { kind: 'text', text: 'Half' },
      { kind: 'error', error },
    ]);
    const end = endOf(parts);
    expect(end).toMatchObject({ error: { code, retryable } });
    expect('error' in end ? end.error.message : '').toContain(error.message);
  });

  it('says where nothing answers', async () => {
    const service = await serve([]);
    await service.close();
    const backend = await openBackend(service.baseUrl);
    expect(endOf(await collect(backend.stream(requestOf(), never)))).toMatchObject({
      error: {
        code: 'backend/network',
        message: `Nothing answers at ${service.baseUrl}.`,
        retryable: true,
      },
    });
  });

  it('gives a silent service up after timeout_seconds', async () => {
    const clock = new FakeClock();
    const service = await serve([
      {
        steps: [{ kind: 'text', text: 'Let me' }, { kind: 'comment', text: 'x' }, { kind: 'hang' }],
      },
    ]);
    const backend = await openBackend(service.baseUrl, { timeout_seconds: 30 }, clock);
    const parts: BackendPart[] = [];
    for await (const part of backend.stream(requestOf(), never)) {
      parts.push(part);
      if (textOf(parts) === 'Let me') {
        setImmediate(() => clock.advance(30_000));
      }
    }
    expect(endOf(parts)).toMatchObject({ error: { code: 'backend/network', retryable: true } });
    await service.settled();
    expect(service.journal[0]?.outcome).toBe('client-closed');
  });

  it('never takes the key to where a redirect points', async () => {
    const other = await serve([{ steps: [] }]);
    const service = await serve([
      { status: 307, headers: { location: `${other.baseUrl}/chat/completions` }, body: {} },
    ]);
    const backend = await openBackend(service.baseUrl);
    const end = endOf(await collect(backend.stream(requestOf(), never)));
    expect(end).toMatchObject({ error: { code: 'backend/bad-request', retryable: false } });
    expect(other.journal).toEqual([]);
  });

  it('takes the key out of what the service says about it', async () => {
    const parts = await answerOf({
      status: 401,
      body: { error: { message: 'Incorrect API key provided: key-secret-1.' } },
    });
    const end = endOf(parts);
    const message = 'error' in end ? end.error.message : '';
    expect(message).toContain('Incorrect API key provided: ***.');
    expect(end).toMatchObject({ error: { hint: 'Check the key stored as TEST_KEY.' } });
  });

  it('hears a service that answers with a page and status 502', async () => {
    const parts = await answerOf({ status: 502, body: '<html><h1>Bad gateway</h1></html>' });
    const end = endOf(parts);
    expect(end).toMatchObject({ error: { code: 'backend/bad-response', retryable: true } });
    expect('error' in end ? end.error.message : '').not.toContain('<');
  });
});

describe('stopping', () => {
  it('closes the connection in the middle of a stream', async () => {
    const service = await serve([{ steps: [{ kind: 'text', text: 'Let me' }, { kind: 'hang' }] }]);
    const backend = await openBackend(service.baseUrl);
    const abort = new AbortController();
    for await (const part of backend.stream(requestOf(), abort.signal)) {
      if (part.type === 'text-delta') {
        abort.abort(new MassGenError('cancelled/user', 'Stopped.'));
      }
    }
    await service.settled();
    expect(service.journal[0]?.outcome).toBe('client-closed');
  });

  it('closes the connection while the service has not said anything', async () => {
    const service = await serve([{ steps: [{ kind: 'wait', ms: 600_000 }] }]);
    const backend = await openBackend(service.baseUrl);
    const abort = new AbortController();
    const parts = collect(backend.stream(requestOf(), abort.signal));
    await service.arrived(1);
    abort.abort(new MassGenError('cancelled/shutdown', 'Closing.'));
    expect(endOf(await parts)).toMatchObject({ error: { code: 'cancelled/shutdown' } });
    await service.settled();
    expect(service.journal[0]?.outcome).toBe('client-closed');
  });

  it('closes the connection when the reader leaves', async () => {
    const service = await serve([{ steps: [{ kind: 'text', text: 'Let me' }, { kind: 'hang' }] }]);
    const backend = await openBackend(service.baseUrl);
    for await (const part of backend.stream(requestOf(), never)) {
      expect(part.type).toBe('text-delta');
      break;
    }
    await service.settled();
    expect(service.journal[0]?.outcome).toBe('client-closed');
  });
});
