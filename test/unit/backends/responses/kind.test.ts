import { afterEach, describe, expect, it } from 'vitest';
import { createAzureKind, grokKind, openAiKind } from '../../../../src/backends/responses/index';
import type {
  BackendSettings,
  HostedToolName,
  ModelKind,
  OptionValue,
} from '../../../../src/core/ports/backend-kind';
import { endOf, requestOf, servicesWith, systemClock } from '../../../contract/backend-kit';
import { FakeClock } from '../../../support/fake-clock';
import { startFakeModelService } from '../../../support/fake-model-service/fake-model-service';
import { ask, closeAll, noticesOf, openBackend, serve } from './service-fixture';

const azureKind = createAzureKind({});
const signal = new AbortController().signal;

afterEach(closeAll);

function block(
  kind: ModelKind,
  options: Readonly<Record<string, OptionValue>> = {},
  more: { readonly model?: string; readonly hostedTools?: readonly HostedToolName[] } = {},
): BackendSettings {
  const model = more.model ?? kind.defaultModel ?? 'gpt-5';
  const { hostedTools = [] } = more;
  return { type: kind.type, model, apiKeyName: undefined, options, hostedTools };
}

describe('a block of a service for responses', () => {
  it.each([
    [openAiKind, {}, 'api.openai.com', ['OPENAI_API_KEY']],
    [
      openAiKind,
      { base_url: 'https://eu.api.openai.com/v1/' },
      'eu.api.openai.com',
      ['OPENAI_API_KEY'],
    ],
    [openAiKind, { base_url: 'https://evil.example/v1' }, 'evil.example', []],
    [openAiKind, { base_url: 'https://notopenai.com/v1' }, 'notopenai.com', []],
    [openAiKind, { base_url: 'http://127.0.0.1:9/v1' }, undefined, []],
    [grokKind, {}, 'api.x.ai', ['XAI_API_KEY']],
    [
      azureKind,
      { azure_endpoint: 'https://me.openai.azure.com/' },
      'me.openai.azure.com',
      ['AZURE_OPENAI_API_KEY'],
    ],
    [azureKind, { base_url: 'https://gate.example/x' }, 'gate.example', []],
    [azureKind, {}, undefined, []],
  ] as const)('of %o with %o goes to %s with the keys %o', (kind, options, host, keys) => {
    expect(kind.hostOf(block(kind, options))).toBe(host);
    expect(kind.keyNamesOf(block(kind, options))).toEqual(keys);
  });

  it('has a price at its maker alone', () => {
    const price = { inputUsd: 2, cachedInputUsd: 0.1, outputUsd: 10, cacheWriteUsd: 2.5 };
    expect(openAiKind.priceOf(block(openAiKind))).toMatchObject(price);
    expect(
      openAiKind.priceOf(block(openAiKind, { base_url: 'https://x.example' })),
    ).toBeUndefined();
    expect(openAiKind.priceOf(block(openAiKind, {}, { model: 'gpt-99' }))).toBeUndefined();
    const endpoint = { azure_endpoint: 'https://me.openai.azure.com' };
    expect(azureKind.priceOf(block(azureKind, endpoint, { model: 'gpt-6.2-sol' }))).toBeUndefined();
    expect(grokKind.priceOf(block(grokKind))?.above).toMatchObject({ inputTokens: 204_800 });
  });

  it('has a default model whose price and size are known', () => {
    for (const { defaultModel, models = [] } of [openAiKind, grokKind]) {
      const model = models.find(({ id }) => id === defaultModel);
      expect(model?.price).toBeDefined();
      expect(model?.contextWindowTokens).toBeGreaterThan(100_000);
    }
  });

  it('belongs to the line of its model', () => {
    expect(openAiKind.familyOf(block(openAiKind))).toBe('gpt');
    expect(grokKind.familyOf(block(grokKind))).toBe('grok');
  });

  it.each([
    [openAiKind, { base_url: 'ftp://x' }, [], 'base_url'],
    [openAiKind, { reasoning: { effort: 'huge' } }, [], 'no reasoning effort "huge"'],
    [azureKind, {}, [], 'has no address'],
    [
      grokKind,
      { extra_body: { search_parameters: { mode: 'auto' } } },
      ['web-search'],
      'both set, use one',
    ],
    [grokKind, { extra_body: { search_parameters: { mode: 'auto' } } }, [], 'older method'],
  ] as const)('of %o with %o and %o is refused: %s', (kind, options, hostedTools, said) => {
    const refusal = kind.refusalOf(block(kind, options, { hostedTools }), 'A task.');
    expect(refusal).toMatchObject({ code: 'config/invalid' });
    expect(refusal?.message).toContain(said);
    expect(refusal?.hint).toBeTruthy();
  });

  it('is not refused when it is right', () => {
    for (const kind of [openAiKind, grokKind]) {
      const options = { reasoning: { effort: 'low' }, extra_body: { seed: 1 } };
      const settings = block(kind, options, { hostedTools: ['web-search'] });
      expect(kind.refusalOf(settings, 'A task.')).toBeUndefined();
    }
  });

  it('needs its key before anything is sent', async () => {
    await expect(
      openAiKind.create(block(openAiKind), servicesWith({}), signal),
    ).rejects.toMatchObject({ code: 'config/missing-secret' });
  });

  it('lists the models of the service', async () => {
    const service = await serve([], { models: { 'gpt-5': [], 'gpt-6-sol': [] }, apiKeys: ['k'] });
    const settings = { ...block(openAiKind, { base_url: service.baseUrl }), apiKeyName: 'K' };
    const services = servicesWith({ K: 'k' });
    expect(await openAiKind.discover?.(settings, services, signal)).toEqual(['gpt-5', 'gpt-6-sol']);
    const wrong = servicesWith({ K: 'wrong' });
    await expect(openAiKind.discover?.(settings, wrong, signal)).rejects.toMatchObject({
      code: 'backend/auth',
    });
  });

  it('gives a service up that is silent for longer than its block allows', async () => {
    const clock = new FakeClock();
    const service = await serve([[{ kind: 'text', text: 'Let' }, { kind: 'hang' }]]);
    const backend = await openBackend(service, { clock, options: { timeout_seconds: 7 } });
    const parts = [];
    for await (const part of backend.stream(requestOf(), signal)) {
      parts.push(part);
      if (part.type === 'text-delta') {
        clock.advance(7000);
      }
    }
    expect(endOf(parts)).toMatchObject({ reason: 'error', error: { code: 'backend/network' } });
    await service.settled();
  });
});

describe('a resource at Azure', () => {
  it.each(['', '/', '/openai', '/openai/v1/', '/openai/v1/responses', '/openai/deployments/d/x'])(
    'is reached by its address with "%s" at the end',
    async (end) => {
      const service = await serve([[{ kind: 'text', text: 'Hi.' }]], {
        ...{ dialect: 'azure', model: 'deployed', apiKeys: ['key-secret-1'] },
      });
      const backend = await openBackend(service, {
        ...{ type: 'azure_openai', model: 'deployed' },
        options: { azure_endpoint: `${service.baseUrl}${end}`, api_version: 'preview' },
      });
      expect(endOf(await ask(backend)).reason).toBe('stop');
      expect(service.journal[0]?.headers['api-key']).toBe('key-secret-1');
      expect(service.journal[0]?.headers).not.toHaveProperty('authorization');
      expect(service.queries).toEqual(['?api-version=preview']);
    },
  );

  it('is found by the variable of the process when the block names none', () => {
    const kind = createAzureKind({ AZURE_OPENAI_ENDPOINT: 'https://env.openai.azure.com' });
    expect(kind.hostOf(block(kind))).toBe('env.openai.azure.com');
    const own = { azure_endpoint: 'https://own.openai.azure.com' };
    expect(kind.hostOf(block(kind, own))).toBe('own.openai.azure.com');
  });

  it('needs no dated version, and says so', async () => {
    const service = await serve([[{ kind: 'text', text: 'Hi.' }]], { dialect: 'azure' });
    const options = { base_url: service.baseUrl, api_version: '2024-12-01-preview' };
    const parts = await ask(await openBackend(service, { type: 'azure_openai', options }));
    expect(noticesOf(parts).join()).toContain('2024-12-01-preview');
    expect(service.queries).toEqual(['']);
  });

  it('speaks chat completions where the block asks for it', async () => {
    const service = await startFakeModelService({
      models: { deployed: { answers: [{ steps: [{ kind: 'text', text: 'Hi.' }] }] } },
    });
    const { origin } = new URL(service.baseUrl);
    const backend = await azureKind.create(
      block(azureKind, { protocol: 'chat', base_url: origin }, { model: 'deployed' }),
      servicesWith({}, systemClock),
      signal,
    );
    await ask(backend);
    expect(service.journal.map(({ path }) => path)).toEqual(['/openai/v1/chat/completions']);
    await service.close();
  });
});
