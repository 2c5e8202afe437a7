import { afterEach, describe, expect, it } from 'vitest';
import { claudeKind } from '../../../../src/backends/claude/index';
import { claudeKeys } from '../../../../src/backends/claude/keys';
import { findModel } from '../../../../src/backends/catalog/lookup';
import { loadConfig } from '../../../../src/config/load-config';
import { endOf, requestOf, servicesWith } from '../../../contract/backend-kit';
import type { FakeAnthropic } from '../../../support/fake-anthropic/fake-anthropic';
import { FakeClock } from '../../../support/fake-clock';
import {
  ask,
  closeAll,
  newest,
  openClaude,
  serve,
  serveAlways,
  settingsOf,
} from './claude-fixture';

const atHome = { type: 'claude', model: newest, apiKeyName: undefined, options: {} } as const;
const signal = new AbortController().signal;

async function headersOf(
  overrides: Parameters<typeof settingsOf>[1],
): Promise<Readonly<Record<string, string>>> {
  const service = await serveAlways([{ kind: 'text', text: 'Done.' }]);
  expect(endOf(await ask(await openClaude(service, overrides))).reason).toBe('stop');
  return service.journal[0]?.headers ?? {};
}

describe('the headers of a request', () => {
  afterEach(closeAll);

  it('name the version of the protocol and carry the key as x-api-key', async () => {
    const headers = await headersOf({});
    expect(headers).toMatchObject({
      'anthropic-version': '2023-06-01',
      'x-api-key': 'key-secret-1',
      'user-agent': 'massgen',
    });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('anthropic-beta');
  });

  it('carry the key as a bearer for gateways that look for it there', async () => {
    const service = await serve([{ steps: [] }], {
      ...{ apiKeys: ['key-secret-1'], keyHeader: 'authorization' },
    });
    const parts = await ask(await openClaude(service, { options: { auth_header: 'bearer' } }));
    expect(endOf(parts).reason).toBe('stop');
    expect(service.journal[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('have the trial features and the further headers of the team file', async () => {
    const headers = await headersOf({
      options: { betas: ['one-2026-01-01', 'two'], extra_headers: { 'X-Team': 'blue', 'x-no': 3 } },
    });
    expect(headers).toMatchObject({
      'anthropic-beta': 'one-2026-01-01,two',
      'x-team': 'blue',
      'x-no': '3',
    });
  });

  it.each([
    ...['Authorization', 'x-api-key', 'X-Goog-Api-Key', 'cookie', 'x-auth-token', 'my_access_key'],
    ...['cf-aig-authorization', 'Ocp-Apim-Subscription-Key', 'apikey'],
    ...['anthropic-version', 'Anthropic-Beta', 'content-type', 'host', 'a b'],
  ])('must not be given as %s by a team file', (name) => {
    const settings = { ...atHome, options: { extra_headers: { [name]: 'x' } } };
    expect(claudeKind.refusalOf(settings, 'task')).toMatchObject({ code: 'config/invalid' });
  });

  it('must be one line', () => {
    const lines = 'b\nauthorization: c';
    for (const options of [{ extra_headers: { 'x-a': lines } }, { betas: [lines] }]) {
      const settings = { ...atHome, options };
      expect(claudeKind.refusalOf(settings, 'task')).toMatchObject({ code: 'config/invalid' });
    }
  });
});

describe('the kind claude', () => {
  afterEach(closeAll);

  it('asks Anthropic, with its key, unless told otherwise', () => {
    expect(claudeKind.hostOf(atHome)).toBe('api.anthropic.com');
    expect(claudeKind.keyNamesOf(atHome)).toEqual(['ANTHROPIC_API_KEY']);
    expect(claudeKind.refusalOf(atHome, 'task')).toBeUndefined();
  });

  it('hands the key of Anthropic to nobody else', () => {
    const elsewhere = { ...atHome, options: { base_url: 'https://gateway.example/anthropic' } };
    expect(claudeKind.hostOf(elsewhere)).toBe('gateway.example');
    expect(claudeKind.keyNamesOf(elsewhere)).toEqual([]);
    const local = { ...atHome, options: { base_url: 'http://127.0.0.1:9' } };
    expect(claudeKind.hostOf(local)).toBeUndefined();
    expect(claudeKind.hostOf({ ...local, apiKeyName: 'KEY' })).toBe('127.0.0.1:9');
  });

  it.each(['', '/', '/v1', '/v1/', '/v1/messages'])(
    'takes an address that ends in "%s"',
    async (end) => {
      const service = await serveAlways([{ kind: 'text', text: 'Done.' }]);
      const backend = await openClaude({ baseUrl: `${service.baseUrl}${end}` });
      expect(endOf(await ask(backend)).reason).toBe('stop');
      expect(service.journal[0]?.path).toBe('/v1/messages');
    },
  );

  it('refuses an address that cannot be used before a run starts', () => {
    const wrong = { ...atHome, options: { base_url: 'ftp://x' } };
    expect(claudeKind.refusalOf(wrong, 'task')).toMatchObject({ code: 'config/invalid' });
    expect(claudeKind.hostOf(wrong)).toBeUndefined();
    expect(claudeKind.priceOf(wrong)).toBeUndefined();
  });

  it('says which key is missing', async () => {
    await expect(claudeKind.create(atHome, servicesWith({}), signal)).rejects.toMatchObject({
      code: 'config/missing-secret',
      message: 'There is no key under the name ANTHROPIC_API_KEY.',
    });
  });

  it('knows list prices at Anthropic alone, also by a dated name', () => {
    const priceAt = (model: string, base_url?: string) =>
      claudeKind.priceOf({
        ...atHome,
        model,
        options: base_url === undefined ? {} : { base_url },
      });
    expect(priceAt('claude-haiku-4-5-20251001')).toMatchObject({ inputUsd: 1, outputUsd: 5 });
    expect(priceAt('claude-opus-5-5', 'https://gateway.example')).toBeUndefined();
    expect(priceAt('claude-fable-5-2')).toBeUndefined();
    expect(priceAt('')).toMatchObject({ inputUsd: 2, outputUsd: 10 });
  });

  it('falls back on a model that is known, priced, and does not end soon', async () => {
    const model = findModel(claudeKind.models ?? [], claudeKind.defaultModel ?? '');
    expect(model).toMatchObject({ price: {}, contextWindowTokens: 1_000_000 });
    expect(model).not.toHaveProperty('retires');
    const service = await serveAlways([{ kind: 'text', text: 'Done.' }], claudeKind.defaultModel);
    expect(endOf(await ask(await openClaude(service, { model: '' }))).reason).toBe('stop');
  });

  it('names a successor that it knows for every model that ends', () => {
    const models = claudeKind.models ?? [];
    for (const { retires, successor } of models.filter((one) => one.retires !== undefined)) {
      expect(retires).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(models.find(({ id }) => id === successor)?.retires).toBeUndefined();
      expect(successor).toBeDefined();
    }
  });

  it('is as large as the model is', async () => {
    const service = await serveAlways([]);
    const { capabilities } = await openClaude(service, { model: 'claude-haiku-4-5' });
    expect(capabilities).toMatchObject({
      ...{ contextWindowTokens: 200_000, maxOutputTokens: 64_000, media: ['image', 'document'] },
    });
  });

  it('gives silence up after the time of the team file', async () => {
    const service = await serve([{ steps: [{ kind: 'text', text: 'Hm' }, { kind: 'hang' }] }]);
    const clock = new FakeClock();
    const backend = await openClaude(service, { options: { timeout_seconds: 20 } }, clock);
    const stream = backend.stream(requestOf(), signal);
    let last = '';
    for await (const part of stream) {
      last = part.type === 'end' && 'error' in part ? part.error.message : last;
      if (part.type === 'text-delta') {
        clock.advance(20_000);
      }
    }
    expect(last).toContain('silent for 20 seconds');
  });
});

describe('a team file', () => {
  it('may have every key of the kind', () => {
    const text = [
      'agents:',
      '  - id: one',
      '    backend:',
      '      type: claude',
      '      model: claude-haiku-4-5',
      '      api_key: ${MY_KEY}',
      '      base_url: https://gateway.example/anthropic',
      '      auth_header: bearer',
      '      temperature: 0.5',
      '      top_p: 0.9',
      '      top_k: 40',
      '      max_tokens: 4096',
      '      thinking: { type: enabled, budget_tokens: 2048 }',
      '      effort: high',
      '      stop_sequences: [STOP]',
      '      betas: one-2026-01-01',
      '      extra_headers: { x-team: blue }',
      '      timeout_seconds: 60',
    ].join('\n');
    const result = loadConfig(text, '(test)', [claudeKind]);
    expect(result).toMatchObject({ kind: 'ok', warnings: [] });
    const backend = result.kind === 'ok' ? result.config.agents[0]?.backend : undefined;
    const written = claudeKeys.map(({ name }) => name).filter((name) => !isNamed.has(name));
    expect(Object.keys(backend?.options ?? {}).toSorted()).toEqual(written.toSorted());
  });
});

/** Keys that have a member of their own in the settings. */
const isNamed: ReadonlySet<string> = new Set(['model', 'api_key']);

describe('the models that the service offers', () => {
  afterEach(closeAll);

  async function discover(service: FakeAnthropic, key: string): Promise<readonly string[]> {
    const found = claudeKind.discover?.(
      settingsOf(service.baseUrl),
      servicesWith({ TEST_KEY: key }),
      signal,
    );
    return found ?? [];
  }

  it('are asked for with one request', async () => {
    const service = await serve([], { apiKeys: ['k'] });
    expect(await discover(service, 'k')).toEqual([newest]);
    expect(service.journal.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/models',
    ]);
  });

  it('cannot be asked for with a wrong key, which is said plainly', async () => {
    const service = await serve([], { apiKeys: ['k'] });
    await expect(discover(service, 'wrong')).rejects.toMatchObject({
      code: 'backend/auth',
      hint: 'Check the key stored as TEST_KEY.',
    });
  });
});
