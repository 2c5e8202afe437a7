import { afterEach, describe, expect, it } from 'vitest';
import type { ChatMessage, ModelRequest } from '../../../../src/core/ports/model-backend';
import { callsOf, endOf, nextRequest, requestOf } from '../../../contract/backend-kit';
import type { Step } from '../../../support/fake-responses/script';
import { ask, closeAll, inputOf, openBackend, serve } from './service-fixture';

const said: Step = { kind: 'text', text: 'Done.' };
const thought: Step = { kind: 'reasoning', summary: ['Perhaps.'] };
const call: Step = { kind: 'tool-call', name: 'vote', arguments: { path: 'a' } };

afterEach(closeAll);

/** Plays an answer and then a second request with it; the service refuses whatever does not fit. */
async function twice(
  first: readonly Step[],
  change: (request: ModelRequest) => ModelRequest = (r) => r,
) {
  const service = await serve([first, [said]]);
  const backend = await openBackend(service);
  const parts = await ask(backend);
  const next = change(nextRequest(requestOf(), parts));
  const end = endOf(await ask(backend, next));
  return { parts, end, types: inputOf(service).map(({ type }) => type), input: inputOf(service) };
}

describe('what the model has said before', () => {
  it('goes back as the service wrote it, in its order, with thoughts, ids and phases', async () => {
    const { end, input } = await twice([
      thought,
      { kind: 'text', text: 'Let me look.', phase: 'commentary' },
      { kind: 'reasoning', summary: ['And', 'then.'] },
      call,
      { ...call, name: 'read_file' },
    ]);
    expect(end.reason).toBe('stop');
    expect(input.map(({ type }) => type)).toEqual([
      ...['message', 'reasoning', 'message', 'reasoning', 'function_call', 'function_call'],
      ...['function_call_output', 'function_call_output'],
    ]);
    expect(input[1]).toMatchObject({ summary: [{ text: 'Perhaps.' }] });
    expect(input[2]).toMatchObject({ phase: 'commentary', role: 'assistant' });
    expect(input.slice(1, 6).every(({ id }) => typeof id === 'string')).toBe(true);
  });

  it('goes back without thoughts and ids when another model said it', async () => {
    const { end, input, types } = await twice([thought, said, call], (request) => ({
      ...request,
      messages: request.messages.map((message) =>
        message.role === 'assistant' && message.verbatim !== undefined
          ? { ...message, verbatim: { ...message.verbatim, origin: 'responses x gpt-4' } }
          : message,
      ),
    }));
    expect(end.reason).toBe('stop');
    expect(types).toEqual(['message', 'message', 'function_call', 'function_call_output']);
    expect(input.some(({ id }) => id !== undefined)).toBe(false);
  });

  it('goes back in plain form when its calls are not those of the conversation', async () => {
    const { end, types } = await twice([thought, call, call], (request) => ({
      ...request,
      messages: request.messages.map((message): ChatMessage => {
        switch (message.role) {
          case 'assistant':
            return { ...message, toolCalls: message.toolCalls.slice(0, 1) };
          case 'tool':
            return { ...message, results: message.results.slice(0, 1) };
          case 'user':
            return message;
        }
      }),
    }));
    expect(end.reason).toBe('stop');
    expect(types).toEqual(['message', 'function_call', 'function_call_output']);
  });

  it('leaves out a call that was cut, and the thought that led to it', async () => {
    const { parts, end, types } = await twice([
      ...[thought, call, thought],
      { kind: 'tool-call', name: 'vote', arguments: '{"pa', status: 'incomplete' },
      { kind: 'incomplete', reason: 'max_output_tokens' },
    ]);
    expect(callsOf(parts)).toHaveLength(1);
    expect(end.reason).toBe('stop');
    expect(types).toEqual(['message', 'reasoning', 'function_call', 'function_call_output']);
  });

  it.each([
    ['the first of two', ['incomplete', 'completed']],
    ['the second of two', ['completed', 'incomplete']],
  ] as const)('keeps the thought of a call beside %s that was cut', async (_which, statuses) => {
    const { parts, end, types } = await twice([
      ...[thought, thought],
      ...statuses.map((status): Step => ({ ...call, name: 'read_file', status })),
    ]);
    expect(callsOf(parts)).toHaveLength(1);
    expect(end.reason).toBe('stop');
    expect(types).toEqual([
      ...['message', 'reasoning', 'reasoning', 'function_call', 'function_call_output'],
    ]);
  });

  it('has no ids where one of several thoughts came without encrypted content', async () => {
    const lost: Step = { kind: 'reasoning', summary: ['Perhaps.'], encrypted: false };
    for (const thoughts of [
      [lost, thought],
      [thought, lost],
    ]) {
      const { end, input } = await twice([...thoughts, call]);
      expect(end.reason).toBe('stop');
      expect(input.map(({ type }) => type)).toEqual([
        ...['message', 'reasoning', 'function_call', 'function_call_output'],
      ]);
      expect(input[2]).not.toHaveProperty('id');
    }
  });

  it('leaves out a thought that led to nothing', async () => {
    const service = await serve([
      [thought, { kind: 'incomplete', reason: 'max_output_tokens' }],
      [said],
    ]);
    const backend = await openBackend(service);
    const parts = await ask(backend);
    expect(parts.map(({ type }) => type)).not.toContain('verbatim');
    expect(endOf(parts).reason).toBe('length');
  });

  it('leaves out thoughts that came without encrypted content', async () => {
    const { end, input, types } = await twice([
      { kind: 'reasoning', summary: ['Perhaps.'], encrypted: false },
      call,
    ]);
    expect(end.reason).toBe('stop');
    expect(types).toEqual(['message', 'function_call', 'function_call_output']);
    expect(input[1]).not.toHaveProperty('id');
  });

  it('goes back in plain form once the service cannot read its own thoughts any more', async () => {
    const { end, types } = await twice([thought, call], (request) => ({
      ...request,
      messages: request.messages.map((message) =>
        message.role === 'assistant' && message.verbatim !== undefined
          ? { ...message, verbatim: damaged(message.verbatim) }
          : message,
      ),
    }));
    expect(end.reason).toBe('stop');
    expect(types).toEqual(['message', 'function_call', 'function_call_output']);
  });

  it('gives every call an id of its own, although the service repeats one', async () => {
    const repeated: Step = { ...call, callId: 'call_same' };
    const service = await serve([[repeated, repeated], [repeated], [said]]);
    const backend = await openBackend(service);
    const first = await ask(backend);
    const next = nextRequest(requestOf(), first);
    const second = await ask(backend, next);
    const third = await ask(backend, nextRequest(next, second));
    expect(endOf(third).reason).toBe('stop');
    const ids = [...callsOf(first), ...callsOf(second)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('takes calls of other services with ids that are too long or not unique', async () => {
    const long = 'x'.repeat(90);
    const round = (id: string): readonly ChatMessage[] => [
      {
        role: 'assistant',
        text: ' ',
        toolCalls: [{ id, name: 'weird name!', argumentsJson: '{"a' }],
      },
      { role: 'tool', results: [{ toolCallId: id, name: 'x', text: '', isError: true }] },
    ];
    const service = await serve([[said]]);
    const messages = [...requestOf().messages, ...round(long), ...round('a'), ...round('a')];
    expect(endOf(await ask(await openBackend(service), { messages })).reason).toBe('stop');
    expect(inputOf(service)[1]).toMatchObject({
      ...{ name: 'weird_name_', arguments: '{"malformed":"{\\"a"}' },
    });
  });

  it('holds over many rounds of any answers', async () => {
    const answers: Step[][] = Array.from({ length: 24 }, (_unused, i) => [
      ...(i % 3 === 0 ? [] : [thought]),
      ...(i % 4 === 1 ? [thought] : []),
      ...(i % 2 === 0 ? [{ ...said, phase: 'commentary' } as const] : []),
      ...(i % 5 === 2 ? [{ kind: 'hosted', item: { type: 'web_search_call' } } as const] : []),
      ...(i % 7 === 3 ? [thought] : []),
      { ...call, callId: `call_${i % 6}` },
      ...(i % 3 === 1 ? [call] : []),
      ...(i % 6 === 5
        ? [thought, { kind: 'incomplete', reason: 'max_output_tokens' } as const]
        : []),
    ]);
    const service = await serve(answers);
    const backend = await openBackend(service);
    let request = requestOf();
    for (const _answer of answers) {
      const parts = await ask(backend, request);
      expect(['tool-calls', 'length']).toContain(endOf(parts).reason);
      request = nextRequest(request, parts);
    }
    expect(service.journal.every(({ outcome }) => outcome === 'complete')).toBe(true);
  });
});

function damaged(verbatim: { readonly origin: string; readonly content: unknown }) {
  const text = JSON.stringify(verbatim.content).replaceAll('gAAAA', 'gAAAB');
  const content: unknown = JSON.parse(text);
  return { ...verbatim, content };
}
