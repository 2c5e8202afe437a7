import { afterEach, describe, expect, it } from 'vitest';
import { chatCompletionKinds } from '../../../../src/backends/chatcompletion/index';
import { placeOf } from '../../../../src/backends/chatcompletion/place';
import { type ChatBody, toChatBody } from '../../../../src/backends/chatcompletion/request';
import { chatServices } from '../../../../src/backends/chatcompletion/services';
import type { BackendSettings, ModelKind } from '../../../../src/core/ports/backend-kind';
import type { ModelRequest } from '../../../../src/core/ports/model-backend';
import { collect, endOf, requestOf, servicesWith } from '../../../contract/backend-kit';
import { closeAll, serve } from './service-fixture';

const never = new AbortController().signal;

afterEach(closeAll);

function kindOf(type: string): ModelKind {
  const kind = chatCompletionKinds.find((each) => each.type === type);
  if (kind === undefined) {
    throw new Error(`no kind ${type}`);
  }
  return kind;
}

function block(
  type: string,
  options: BackendSettings['options'] = {},
  model = 'm',
): BackendSettings {
  return { type, model, apiKeyName: undefined, options };
}

function bodyOf(
  type: string,
  options: BackendSettings['options'] = {},
  request: Partial<ModelRequest> = {},
): ChatBody {
  const service = chatServices.find((each) => each.type === type);
  if (service === undefined) {
    throw new Error(`no service ${type}`);
  }
  const settings = block(type, options);
  const { quirks, isOpenAi } = placeOf(service, settings);
  const target = { settings, quirks, isOpenAi, takesImages: false, origin: 'o' };
  return toChatBody(requestOf(request), target, new Set());
}

describe('the table of services', () => {
  it('names every type and every further name once', () => {
    const names = chatServices.flatMap(({ type, aliases = [] }) => [type, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['qwen', ['QWEN_API_KEY', 'DASHSCOPE_API_KEY']],
    ['zai', ['ZAI_API_KEY', 'ZHIPU_API_KEY']],
    ['moonshot', ['MOONSHOT_API_KEY', 'KIMI_API_KEY']],
    ['groq', ['GROQ_API_KEY']],
    ['nvidia', ['NVIDIA_API_KEY', 'NGC_API_KEY']],
    ['vllm', []],
    ['ollama', []],
  ])('asks %s for the keys %j', (type, names) => {
    expect(kindOf(type).keyNamesOf(block(type))).toEqual(names);
  });

  it('sends a usual key to the hosts of its service alone', () => {
    const elsewhere = block('groq', { base_url: 'https://gateway.example/v1' });
    expect(kindOf('groq').keyNamesOf(elsewhere)).toEqual([]);
    const mirror = block('moonshot', { base_url: 'https://api.moonshot.cn/v1' });
    expect(kindOf('moonshot').keyNamesOf(mirror)).toContain('MOONSHOT_API_KEY');
  });

  it('takes the second name of a key when the first is not set', async () => {
    const keys = servicesWith({ DASHSCOPE_API_KEY: 'key-2' });
    const backend = await kindOf('qwen').create(block('qwen'), keys, never);
    await expect(backend.close()).resolves.toBeUndefined();
  });

  it('wants an address where there is no usual one', () => {
    expect(kindOf('inference').refusalOf(block('inference'), 't')?.message).toContain('no address');
  });

  it.each([
    ['ollama', {}, 0],
    ['vllm', {}, 0],
    ['vllm', { base_url: 'http://10.0.0.7:8000/v1' }, undefined],
    ['openrouter', {}, undefined],
  ])('knows of %s %j that input costs %s', (type, options, usd) => {
    expect(kindOf(type).priceOf(block(type, options))?.inputUsd).toBe(usd);
  });
});

describe('the key of a server on this machine', () => {
  it.each([
    [{ VLLM_API_KEY: 'key-local-1' }, 'Bearer key-local-1'],
    [{}, undefined],
  ])('is sent when it is set: %j', async (keys, header) => {
    const service = await serve([{ steps: [] }]);
    const settings = block('vllm', { base_url: service.baseUrl }, 'model-x');
    const backend = await kindOf('vllm').create(settings, servicesWith(keys), never);
    expect(endOf(await collect(backend.stream(requestOf(), never))).reason).toBe('stop');
    expect(service.journal[0]?.headers['authorization']).toBe(header);
  });
});

describe('what differs from service to service', () => {
  it.each([
    ['groq', { reasoning_effort: 'low' }],
    ['openrouter', { reasoning: { effort: 'low' } }],
    ['deepseek', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['moonshot', { thinking: { type: 'enabled' } }],
    ['qwen', { enable_thinking: true }],
    ['together', { reasoning: { enabled: true } }],
  ])('%s is asked to think a little by %j', (type, members) => {
    expect(bodyOf(type, { reasoning_effort: 'low' })).toMatchObject(members);
  });

  it('says nothing of thinking to a server that has no word for it', () => {
    expect(bodyOf('lmstudio', { reasoning_effort: 'low' })).not.toHaveProperty('reasoning_effort');
  });

  const call = { id: 'functions.read:0', name: 'read_file', argumentsJson: '{}' };
  const origin = 'o';
  const messages: ModelRequest['messages'] = [
    { role: 'user', text: 'Go.' },
    {
      ...{ role: 'assistant', text: '', toolCalls: [call] },
      verbatim: {
        origin,
        content: {
          reasoningContent: 'Hm.',
          reasoningDetails: [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }],
          marks: { [call.id]: { google: { thought_signature: 'sig' } } },
        },
      },
    },
    {
      role: 'tool',
      results: [{ toolCallId: call.id, name: 'read_file', text: 'x', isError: false }],
    },
  ];
  const assistantOf = (type: string, given = messages): unknown =>
    bodyOf(type, {}, { messages: given }).messages[2];

  it('gives thinking back under the name that the service wants', () => {
    expect(assistantOf('deepseek')).toHaveProperty('reasoning_content', 'Hm.');
    expect(assistantOf('openrouter')).toHaveProperty('reasoning_details');
    expect(assistantOf('openrouter')).not.toHaveProperty('reasoning_content');
    expect(assistantOf('groq')).not.toHaveProperty('reasoning_content');
  });

  it('gives marks on calls back', () => {
    expect(assistantOf('openrouter')).toMatchObject({
      tool_calls: [{ extra_content: { google: { thought_signature: 'sig' } } }],
    });
  });

  it('invents empty thinking for calls of another model where a service refuses calls without', () => {
    const foreign = messages.map((message) =>
      message.role === 'assistant'
        ? { ...message, verbatim: { origin: 'x', content: {} } }
        : message,
    );
    expect(assistantOf('moonshot', foreign)).toHaveProperty('reasoning_content', '');
  });

  it('gives calls ids of nine letters and digits where nothing else is taken', () => {
    const body = JSON.stringify(bodyOf('mistral', {}, { messages }).messages);
    const ids = [...body.matchAll(/"(?:id|tool_call_id)":"([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(ids[1]).toBe(ids[0]);
  });
});

describe('what a block adds', () => {
  it('goes into the body as it is written', () => {
    const options = {
      ...{ top_k: 40, repetition_penalty: 1.1, chat_template_kwargs: { enable_thinking: true } },
      extra_body: { guided_json: { type: 'object' } },
    };
    const { extra_body: extra, ...rest } = options;
    expect(bodyOf('vllm', options)).toMatchObject({ ...rest, ...extra });
    expect(bodyOf('vllm', options)).not.toHaveProperty('extra_body');
  });

  it.each([
    { extra_body: { messages: [] } },
    { extra_body: { model: 'other' } },
    { extra_headers: { Authorization: 'Bearer x' } },
    { extra_headers: { 'x-api-key': 'x' } },
    { extra_headers: { 'x-title': 'two\nlines' } },
  ])('must not be %j', (options) => {
    const kind = kindOf('openrouter');
    expect(kind.refusalOf(block('openrouter', options), 't')?.code).toBe('config/invalid');
  });

  it('takes other headers along', async () => {
    const service = await serve([{ steps: [] }]);
    const options = { base_url: service.baseUrl, extra_headers: { 'X-Title': 'Mine' } };
    const settings = block('vllm', options, 'model-x');
    const backend = await kindOf('vllm').create(settings, servicesWith({}), never);
    await collect(backend.stream(requestOf(), never));
    expect(service.journal[0]?.headers['x-title']).toBe('Mine');
  });
});

describe('thinking and tools at once in chats of OpenAI', () => {
  const kind = kindOf('chatcompletion');
  it.each([
    ['gpt-6.2-astra', {}, true],
    ['gpt-5.4', { reasoning_effort: 'high' }, true],
    ['gpt-5.4', {}, false],
    ['gpt-5.4', { reasoning_effort: 'none' }, false],
    ['gpt-5.2', { reasoning_effort: 'high' }, false],
  ])('with %s %j are refused: %s', (model, options, isRefused) => {
    const refusal = kind.refusalOf(block('chatcompletion', options, model), 't');
    expect(refusal?.hint).toBe(
      isRefused ? 'Write type: openai instead of type: chatcompletion.' : undefined,
    );
  });
});
