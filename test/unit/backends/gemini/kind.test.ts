import { afterEach, describe, expect, it } from 'vitest';
import { geminiKind } from '../../../../src/backends/gemini/index';
import { geminiModels, priceAt } from '../../../../src/backends/gemini/models';
import type { BackendSettings, OptionValue } from '../../../../src/core/ports/backend-kind';
import { servicesWith } from '../../../contract/backend-kit';
import { ask, closeAll, containing, openBackend, serve } from './service-fixture';

afterEach(closeAll);

function settingsOf(
  model: string,
  options: Readonly<Record<string, OptionValue>> = {},
  hostedTools: BackendSettings['hostedTools'] = [],
): BackendSettings {
  return { type: 'gemini', model, apiKeyName: undefined, options, hostedTools };
}

const signal = new AbortController().signal;
const ok = { steps: [{ kind: 'text', text: 'ok' }] } as const;

describe('the version of the interface', () => {
  it.each([
    ['gemini-3.8-flash', {}, '', '/v1/'],
    ['gemini-3.1-pro-preview', {}, '', '/v1beta/'],
    ['gemini-flash-latest', {}, '', '/v1beta/'],
    ['gemini-3.8-flash', { api_version: 'v1beta' }, '', '/v1beta/'],
    ['gemini-3.8-flash', {}, '/v1beta', '/v1beta/'],
    ['gemini-3.8-flash', {}, '/v1/models/', '/v1/'],
  ])(
    'of %s with %j at an address that ends in "%s" is %s',
    async (model, options, end, version) => {
      const service = await serve([ok], { model });
      const url = { base_url: `${service.baseUrl}${end}` };
      await ask(await openBackend(service.baseUrl, { ...options, ...url }, { model }));
      const path = `${version}models/${model}:streamGenerateContent`;
      expect(service.journal.map((entry) => [entry.path, entry.outcome])).toEqual([
        [path, 'complete'],
      ]);
    },
  );
});

describe('a request', () => {
  it('carries the settings under their names of the wire', async () => {
    const service = await serve([ok]);
    const backend = await openBackend(service.baseUrl, {
      ...{ temperature: 0.5, top_p: 0.9, top_k: 40, max_tokens: 900, stop_sequences: ['END'] },
      ...{ thinking_level: 'low', safety_settings: { harassment: 'block_only_high' } },
    });
    await ask(backend, { maxOutputTokens: 1000, tools: [] });
    expect(service.journal[0]).toMatchObject({
      outcome: 'complete',
      headers: { 'x-goog-api-key': 'key-secret-1' },
    });
    expect(service.journal[0]?.body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Fix the parser.' }] }],
      systemInstruction: { parts: [{ text: 'You are one of several agents.' }] },
      generationConfig: {
        ...{ temperature: 0.5, topP: 0.9, topK: 40, maxOutputTokens: 900, stopSequences: ['END'] },
        thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }],
    });
  });

  it('tells once that a setting is taken in another way', async () => {
    const service = await serve([ok, ok]);
    const backend = await openBackend(service.baseUrl, { thinking_budget: 3000 });
    const parts = [...(await ask(backend)), ...(await ask(backend))];
    expect(parts.filter((part) => part.type === 'notice')).toMatchObject([
      { code: 'setting-changed', message: containing('medium') },
    ]);
  });

  it('sends no header of the client library and none of the environment', async () => {
    const service = await serve([ok]);
    await ask(await openBackend(service.baseUrl));
    const names = Object.keys(service.journal[0]?.headers ?? {});
    expect(names.filter((name) => name.startsWith('x-'))).toEqual(['x-goog-api-key']);
    expect(service.journal[0]?.headers['user-agent']).toBe('massgen');
  });
});

describe('the key', () => {
  const names = ['GOOGLE_API_KEY', 'GEMINI_API_KEY'];

  it('is looked for under both usual names, in this order', async () => {
    expect(geminiKind.keyNamesOf(settingsOf(''))).toEqual(names);
    const asked: string[] = [];
    const get = async (name: string): Promise<string | undefined> => {
      asked.push(name);
      return name === 'GEMINI_API_KEY' ? 'two' : undefined;
    };
    const services = { ...servicesWith({}), secrets: { get } };
    await (await geminiKind.create(settingsOf(''), services, signal)).close();
    expect(asked).toEqual(names);
  });

  it('goes to another address than that of the maker only when the block names it', async () => {
    const service = await serve([ok, ok]);
    const services = servicesWith({ GOOGLE_API_KEY: 'one', GEMINI_API_KEY: 'two' });
    const settings = settingsOf('', { base_url: service.baseUrl });
    await ask(await geminiKind.create(settings, services, signal));
    const named = { ...settings, apiKeyName: 'GOOGLE_API_KEY' };
    await ask(await geminiKind.create(named, services, signal));
    const sent = service.journal.map(({ headers }) => headers['x-goog-api-key']);
    expect(sent).toEqual([undefined, 'one']);
  });

  it('is missed before anything is sent', async () => {
    await expect(geminiKind.create(settingsOf(''), servicesWith({}), signal)).rejects.toMatchObject(
      { code: 'config/missing-secret' },
    );
  });
});

describe('what cannot be run', () => {
  const refusalOf = (...settings: Parameters<typeof settingsOf>): string | undefined =>
    geminiKind.refusalOf(settingsOf(...settings), '')?.code;

  it.each([
    ['../../secret', {}],
    ['a?b', {}],
    ['', { base_url: 'ftp://x' }],
  ] as const)('is refused: %s %j', (model, options) => {
    expect(refusalOf(model, options)).toBe('config/invalid');
  });

  it.each([
    ['', {}, ['web-search', 'code-execution']],
    ['gemini-4-argon', {}, ['web-search']],
    ['gemini-2.5-flash', {}, []],
    ['models/gemini-3.8-flash', {}, []],
  ] as const)('does not include %s %j %j', (model, options, hosted) => {
    expect(refusalOf(model, options, hosted)).toBeUndefined();
  });
});

describe('tools of the service that a model takes only without functions', () => {
  it.each([
    ['gemini-2.5-flash', ['web-search'], 'gemini-2.5-flash takes web-search only without'],
    ['house-model', ['code-execution'], 'house-model takes code-execution only without'],
    ['gemini-3.8-flash', ['web-search'], undefined],
    ['gemini-2.5-flash', [], undefined],
  ] as const)('are told when a file is checked: %s %j', (model, hosted, words) => {
    const said = geminiKind.leftOutOf?.(settingsOf(model, {}, hosted));
    expect(said?.slice(0, words?.length)).toBe(words);
  });

  it('do not keep a run from beginning', () => {
    expect(geminiKind.refusalOf(settingsOf('gemini-2.5-flash', {}, ['web-search']), '')).toBe(
      undefined,
    );
  });
});

describe('what is known of models', () => {
  it('has a price at the maker alone', () => {
    expect(geminiKind.priceOf(settingsOf('gemini-4-neon'))).toMatchObject({ inputUsd: 3 });
    expect(geminiKind.priceOf(settingsOf('gemini-2.5-pro'))).toMatchObject({
      above: {
        inputTokens: 200_000,
        price: { inputUsd: 2.5, cachedInputUsd: 0.25, outputUsd: 15 },
      },
    });
    expect(geminiKind.priceOf(settingsOf('gemini-77'))).toBeUndefined();
    const elsewhere = { base_url: 'https://gateway.example/gemini' };
    expect(geminiKind.priceOf(settingsOf('gemini-4-neon', elsewhere))).toBeUndefined();
  });

  it.each([
    ['gemini-4-argon', '2026-11-30T23:59:59Z', 2],
    ['gemini-4-argon', '2026-12-01T00:00:00Z', 4],
    ['gemini-3.8-flash', '2026-12-31T23:59:59Z', 0.75],
    ['gemini-3.8-flash', '2027-01-01T00:00:00Z', undefined],
    ['gemini-2.5-flash', '2030-01-01T00:00:00Z', 0.3],
  ])('charges %s at %s with %s', (model, at, inputUsd) => {
    expect(priceAt(model, Date.parse(at))?.inputUsd).toBe(inputUsd);
  });

  it('says until when a price holds, and where each fact is from', () => {
    const dated = geminiModels.filter(({ priceUntil }) => priceUntil !== undefined);
    expect(dated.map(({ id, priceUntil }) => [id, priceUntil])).toEqual([
      ['gemini-4-argon', '2026-12-01'],
      ['gemini-3.8-flash', '2027-01-01'],
    ]);
    expect(geminiModels.filter(({ source }) => source === '')).toEqual([]);
    expect(geminiModels.map(({ id }) => id)).toContain(geminiKind.defaultModel);
  });

  it('can be asked of the service', async () => {
    const service = await serve([], { apiKeys: ['key-1'] });
    const settings = { ...settingsOf('', { base_url: service.baseUrl }), apiKeyName: 'K' };
    const names = await geminiKind.discover?.(settings, servicesWith({ K: 'key-1' }), signal);
    expect(names).toEqual(['gemini-3.8-flash']);
    await expect(
      geminiKind.discover?.(settings, servicesWith({ K: 'other' }), signal),
    ).rejects.toMatchObject({ code: 'backend/auth' });
  });
});
