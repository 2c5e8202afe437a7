import { describe, expect, it } from 'vitest';
import { chatCompletionKind as kind } from '../../../../src/backends/chatcompletion/index';
import { type ChatBody, toChatBody } from '../../../../src/backends/chatcompletion/request';
import { placeOf } from '../../../../src/backends/chatcompletion/place';
import { anyService } from '../../../../src/backends/chatcompletion/services';
import type { BackendSettings } from '../../../../src/core/ports/backend-kind';
import type { ModelRequest } from '../../../../src/core/ports/model-backend';
import { requestOf, servicesWith } from '../../../contract/backend-kit';

function settings(
  baseUrl?: string,
  model = 'gpt-4o',
  options: BackendSettings['options'] = {},
): BackendSettings {
  return {
    type: 'chatcompletion',
    model,
    apiKeyName: undefined,
    options: { ...(baseUrl === undefined ? {} : { base_url: baseUrl }), ...options },
  };
}

/** What is sent to a service that has refused nothing yet. */
function bodyFor(given: BackendSettings, request: ModelRequest): ChatBody {
  const { quirks, isOpenAi } = placeOf(anyService, given);
  const target = { settings: given, quirks, isOpenAi, takesImages: false, origin: 'o' };
  return toChatBody(request, target, new Set());
}

describe('where a block sends its requests', () => {
  it.each([
    [undefined, 'https://api.openai.com/v1', 'api.openai.com', 'OPENAI_API_KEY'],
    ['https://api.openai.com/v1/', 'https://api.openai.com/v1', 'api.openai.com', 'OPENAI_API_KEY'],
    [
      'https://api.groq.com/openai/v1/chat/completions',
      'https://api.groq.com/openai/v1',
      'api.groq.com',
      'GROQ_API_KEY',
    ],
    ['https://api.x.ai/v1', 'https://api.x.ai/v1', 'api.x.ai', 'XAI_API_KEY'],
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1', undefined, undefined],
    ['http://localhost:8000/v1', 'http://localhost:8000/v1', undefined, undefined],
    ['http://[::1]:8000/v1', 'http://[::1]:8000/v1', undefined, undefined],
    ['http://10.0.0.7:8000/v1', 'http://10.0.0.7:8000/v1', '10.0.0.7:8000', undefined],
    ['https://notgroq.com/v1', 'https://notgroq.com/v1', 'notgroq.com', undefined],
    [
      'https://openai.com.evil.test',
      'https://openai.com.evil.test',
      'openai.com.evil.test',
      undefined,
    ],
  ])('of base_url %s', (baseUrl, address, host, keyName) => {
    const given = settings(baseUrl);
    expect(placeOf(anyService, given).endpoint.baseUrl).toBe(address);
    expect(kind.hostOf(given)).toBe(host);
    expect(kind.keyNamesOf(given)).toEqual(keyName === undefined ? [] : [keyName]);
    expect(kind.refusalOf(given, 'any')).toBeUndefined();
  });

  it('counts a local server that is handed a key as a receiver', () => {
    const given = { ...settings('http://127.0.0.1:8000/v1'), apiKeyName: 'OPENAI_API_KEY' };
    expect(kind.hostOf(given)).toBe('127.0.0.1:8000');
  });

  it.each([
    'not an address',
    'ftp://x/v1',
    'https://me:secret@x.test/v1',
    'https://x.test/v1?key=secret',
    'localhost:1234',
  ])('refuses %s before a run', (baseUrl) => {
    const refusal = kind.refusalOf(settings(baseUrl), 'any');
    expect(refusal?.code).toBe('config/invalid');
    expect(refusal?.message).not.toContain('secret');
  });
});

describe('keys', () => {
  const create = async (key: string | undefined): Promise<unknown> =>
    kind.create(
      settings(),
      servicesWith(key === undefined ? {} : { OPENAI_API_KEY: key }),
      new AbortController().signal,
    );

  it('must be there', async () => {
    await expect(create(undefined)).rejects.toMatchObject({
      code: 'config/missing-secret',
      message: 'There is no key under the name OPENAI_API_KEY.',
    });
    await expect(create('  ')).rejects.toMatchObject({ code: 'config/missing-secret' });
  });

  it('must be one word, and are not repeated when they are not', async () => {
    const failure = create('sk-1\nsk-2');
    await expect(failure).rejects.toMatchObject({ code: 'backend/auth' });
    await expect(failure).rejects.not.toThrow('sk-1');
  });

  it('are not asked for by a local server', async () => {
    const backend = await kind.create(
      settings('http://127.0.0.1:9/v1'),
      servicesWith({}),
      new AbortController().signal,
    );
    await expect(backend.close()).resolves.toBeUndefined();
  });
});

describe('what is known of models', () => {
  it.each([
    ['gpt-5.4-mini', 'gpt'],
    ['openai/gpt-oss-120b', 'gpt-oss'],
    ['o3', 'gpt'],
    ['anthropic/claude-opus-5', 'claude'],
    ['accounts/fireworks/models/deepseek-v4', 'deepseek'],
    ['Qwen3-Coder', 'qwen'],
    ['llama3.3:70b', 'llama'],
    ['model-x', ''],
  ])('%s is of the family "%s"', (model, family) => {
    expect(kind.familyOf(settings(undefined, model))).toBe(family);
  });

  it.each([
    [undefined, 'gpt-5.4', 2.5],
    [undefined, 'gpt-5.4-2026-03-05', 2.5],
    [undefined, 'gpt-77', undefined],
    ['https://openrouter.ai/api/v1', 'openai/gpt-5.4', undefined],
    ['http://127.0.0.1:11434/v1', 'llama3.3', 0],
    ['http://127.0.0.1:11434/v1', 'gpt-oss:120b-cloud', undefined],
    ['http://127.0.0.1:4000/v1', 'gpt-5.4', undefined],
    ['no address', 'gpt-5.4', undefined],
  ])('at %s the price of %s per million input tokens is %s', (baseUrl, model, price) => {
    expect(kind.priceOf(settings(baseUrl, model))?.inputUsd).toBe(price);
  });
});

describe('parameters that differ between services', () => {
  const bodyOf = (
    baseUrl: string | undefined,
    model: string,
    options: BackendSettings['options'] = {},
  ): object => bodyFor(settings(baseUrl, model, options), requestOf({ maxOutputTokens: 100 }));

  it('names the length limit as each service does', () => {
    expect(bodyOf(undefined, 'gpt-4o')).toMatchObject({ max_completion_tokens: 100 });
    expect(bodyOf('http://127.0.0.1:1234/v1', 'x')).toMatchObject({ max_tokens: 100 });
  });

  it('takes the smaller of two length limits', () => {
    expect(bodyOf(undefined, 'gpt-4o', { max_tokens: 40 })).toMatchObject({
      max_completion_tokens: 40,
    });
  });

  it('leaves sampling to models that refuse it', () => {
    const sampled = { temperature: 0.1, top_p: 0.5 };
    expect(bodyOf(undefined, 'gpt-5.4', sampled)).not.toHaveProperty('temperature');
    expect(bodyOf(undefined, 'gpt-4o', sampled)).toMatchObject(sampled);
    expect(bodyOf('https://x.test/v1', 'gpt-5.4', sampled)).toMatchObject(sampled);
  });

  it.each([
    ['gpt-5.4', {}, 'none'],
    ['gpt-5.4', { reasoning_effort: 'high' }, 'high'],
    ['gpt-6.2-astra', {}, undefined],
    ['gpt-5.2', {}, undefined],
    ['gpt-4o', {}, undefined],
  ])('asks %s with %j for reasoning effort %s when tools are offered', (model, options, effort) => {
    expect(Reflect.get(bodyOf(undefined, model, options), 'reasoning_effort')).toBe(effort);
  });

  it('strips what a schema says about itself and repairs names that a model made up', () => {
    const body = bodyFor(
      settings(),
      requestOf({
        tools: [
          {
            name: 't',
            description: 'd',
            inputSchema: { $schema: 'x', type: 'object', properties: {} },
          },
        ],
        messages: [
          {
            role: 'assistant',
            text: 'Hm',
            toolCalls: [{ id: 'a', name: '9 lives!', argumentsJson: '{}' }],
          },
        ],
      }),
    );
    expect(body).toMatchObject({
      tools: [{ function: { parameters: { type: 'object', properties: {} } } }],
    });
    expect(JSON.stringify(body)).not.toContain('$schema');
    expect(body.messages[1]).toMatchObject({
      content: 'Hm',
      tool_calls: [{ function: { name: '_9_lives_' } }],
    });
  });
});
