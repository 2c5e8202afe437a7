import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments';
import { dispatch } from '../../../src/cli/dispatch';
import { failureOf } from '../../../src/cli/failure';
import { projectRoot } from '../../support/built-cli';
import { startFakeModelService } from '../../support/fake-model-service/fake-model-service';

let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'massgen-models-'));
});
afterAll(() => rmSync(home, { recursive: true }));

/** What a person reads: standard output, or the sentence of the failure. */
async function massgen(...args: readonly string[]): Promise<string> {
  let output = '';
  try {
    const invocation = parseArguments(args);
    await dispatch(invocation, {
      ...{ args, cwd: home, home, platform: 'linux', installDir: projectRoot, version: '0.0.0' },
      environment: { DEEPSEEK_API_KEY: 'key-1' },
      output: { write: (text) => (output += text), hasColor: false, width: 120 },
      notes: { write: () => undefined, hasColor: false, width: 120 },
      input: { stream: process.stdin, isInteractive: false },
      interrupted: new AbortController().signal,
    });
    return output;
  } catch (error) {
    const { message, hint } = failureOf(error);
    return `${message}\n${hint ?? ''}`;
  }
}

it('lists the known models of a type with price, end and source', async () => {
  const lines = (await massgen('models', 'claude')).split('\n');
  const ending = lines.find((line) => line.includes('claude-opus-4-5'));
  expect(ending).toMatch(/claude +claude-opus-4-5 +200k +5 \/ 0\.5 \/ 25 +2027-01-22, then \S+ +/);
});

it('lists the models of all types, and knows further names of a type', async () => {
  const all = await massgen('models');
  expect(all).toContain('deepseek-v4-pro');
  expect(all).toContain('gemini-');
  expect(await massgen('models', 'kimi')).toContain('kimi-k2.6');
  expect(await massgen('models', ' Azure OpenAI')).toBe(await massgen('models', 'azure_openai'));
});

it('writes one JSON value for scripts', async () => {
  const rows: unknown = JSON.parse(await massgen('models', 'deepseek', '--json'));
  expect(rows).toContainEqual({
    type: 'deepseek',
    model: 'deepseek-v4-pro',
    context_tokens: 1_000_000,
    max_output_tokens: 384_000,
    price_usd_per_million: { input: 0.435, cached_input: 0.0036, cache_write: null, output: 0.87 },
    price_until: null,
    retires: null,
    successor: null,
    source: 'models.dev, July 2026',
  });
});

it('asks the service when it is told to', async () => {
  const service = await startFakeModelService({ models: { 'big-1': { answers: [] } } });
  try {
    const listed = await massgen('models', 'vllm', '--refresh', '--base-url', service.baseUrl);
    expect(listed).toMatch(/vllm +big-1 +- +- +- +-/);
    expect(service.journal[0]?.path).toBe('/v1/models');
  } finally {
    await service.close();
  }
});

it('keeps the key of a service away from another address', async () => {
  const service = await startFakeModelService({ models: { m: { answers: [] } } });
  try {
    await massgen('models', 'deepseek', '--refresh', '--base-url', service.baseUrl);
    expect(JSON.stringify(service.journal)).not.toContain('key-1');
    expect(service.journal).toHaveLength(1);
  } finally {
    await service.close();
  }
});

it.each([
  [['models', 'depseek'], 'Did you mean deepseek?'],
  [['models', '--refresh'], '--refresh needs a type.'],
  [['models', 'groq'], 'massgen models groq --refresh asks it'],
  [['models', 'groq', '--refresh'], 'There is no key under the name GROQ_API_KEY.'],
  [['models', 'a', 'b'], 'massgen models does not take b.'],
])('answers %j with %j', async (args, said) => {
  expect(await massgen(...args)).toContain(said);
});
