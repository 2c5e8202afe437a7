import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInBackends } from '../../../src/backends/registry';
import { loadConfig } from '../../../src/config/load-config';
import { type QuickTeam, quickTeam } from '../../../src/config/quick-team';
import type { RunConfig } from '../../../src/config/run-config';
import { projectRoot } from './backend-kinds';

const kinds = builtInBackends({ recordingsDir: join(projectRoot, 'media', 'offline') });

function configOf(wish: QuickTeam): RunConfig {
  const made = quickTeam(wish, kinds);
  if (made.kind !== 'ok') {
    throw new Error(made.problems.join('\n'));
  }
  const result = loadConfig(made.text, '(quick)', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return result.config;
}

/** `id type model` of each agent. */
function agents(wish: QuickTeam): readonly string[] {
  return configOf(wish).agents.map(({ id, backend: { type, model } }) => `${id} ${type} ${model}`);
}

function problems(wish: QuickTeam): readonly string[] {
  const made = quickTeam(wish, kinds);
  return made.kind === 'ok' ? [] : made.problems;
}

describe('the service of a model', () => {
  it.each([
    ['gpt-5.4', 'openai', 'gpt-5.4'],
    ['GPT-9', 'openai', 'GPT-9'],
    ['gpt-5-codex', 'openai', 'gpt-5-codex'],
    ['gpt-4.1-nano', 'openai', 'gpt-4.1-nano'],
    ['o3', 'openai', 'o3'],
    ['o4-mini-high', 'openai', 'o4-mini-high'],
    ['o4', 'openai', 'o4'],
    ['claude-haiku-4-5', 'claude', 'claude-haiku-4-5'],
    ['claude-3-5-sonnet-latest', 'claude', 'claude-3-5-sonnet-latest'],
    ['gemini-2.0-flash-exp', 'gemini', 'gemini-2.0-flash-exp'],
    ['gemini-2.5-pro', 'gemini', 'gemini-2.5-pro'],
    ['grok-4-fast', 'grok', 'grok-4-fast'],
    ['glm-4.5-air', 'zai', 'glm-4.5-air'],
    ['openai/gpt-5', 'openai', 'gpt-5'],
    ['groq/llama-3.3-70b-versatile', 'groq', 'llama-3.3-70b-versatile'],
    ['openrouter/openai/gpt-5', 'openrouter', 'openai/gpt-5'],
    ['anthropic/claude-opus-4-6', 'claude', 'claude-opus-4-6'],
    ['google/gemini-2.5-pro', 'gemini', 'gemini-2.5-pro'],
    ['xai/grok-4', 'grok', 'grok-4'],
    ['kimi/kimi-k3', 'moonshot', 'kimi-k3'],
    ['ollama/qwen3:8b', 'ollama', 'qwen3:8b'],
  ])('%s is %s with %s', (written, type, model) => {
    const [agent] = configOf({ models: [written] }).agents;
    expect(agent?.backend).toMatchObject({ type, model });
  });

  it.each([
    ['openai', 'openai/gpt-5', 'gpt-5'],
    ['openrouter', 'openai/gpt-5', 'openai/gpt-5'],
    ['openrouter', 'openrouter/openai/gpt-5', 'openai/gpt-5'],
    ['together', 'openai/gpt-oss-120b', 'openai/gpt-oss-120b'],
    ['LM Studio', 'local-model', 'local-model'],
  ])('is %s where that is said, and %s stands for %s', (backend, written, model) => {
    expect(configOf({ models: [written], backend }).agents[0]?.backend.model).toBe(model);
  });

  it('may be named alone where it has a model to fall back on', () => {
    const kind = kinds.find(({ type }) => type === 'claude');
    expect(agents({ models: [], backend: 'claude' })).toEqual([
      `claude claude ${kind?.defaultModel ?? ''}`,
    ]);
  });
});

describe('a quick team', () => {
  it('has one agent for each model, whose names differ', () => {
    expect(agents({ models: ['gpt-5.4', 'claude-opus-4-6', 'openai/gpt-5.4'] })).toEqual([
      'gpt-5.4 openai gpt-5.4',
      'claude-opus-4-6 claude claude-opus-4-6',
      'gpt-5.4-2 openai gpt-5.4',
    ]);
  });

  it('has as many agents as are asked for, in turns', () => {
    expect(agents({ models: ['gpt-5.4', 'gemini-2.5-pro'], agents: 3 })).toEqual([
      'gpt-5.4 openai gpt-5.4',
      'gemini-2.5-pro gemini gemini-2.5-pro',
      'gpt-5.4-2 openai gpt-5.4',
    ]);
  });

  it('takes the address and the text for its agents', () => {
    const [agent] = configOf({
      models: ['m'],
      backend: 'vllm',
      baseUrl: 'http://gpu.example:8000/v1',
      systemMessage: 'Be brief: "yes" or\nno.',
    }).agents;
    expect(agent?.backend.options['base_url']).toBe('http://gpu.example:8000/v1');
    expect(agent?.systemMessage).toBe('Be brief: "yes" or\nno.');
  });

  it('follows the rules that the product recommends', () => {
    expect(configOf({ models: ['gpt-5.4'] }).settings.profile).toBe('recommended');
  });

  it.each([
    [{ models: [] }, 'Neither a model nor a type of backend is named.'],
    [
      { models: ['llama-99'] },
      /^No service is named, and llama-99 does not tell which service is meant\. Known types: openai, claude, .* For example: openrouter\/llama-99\.$/,
    ],
    [
      { models: ['gpt-oss-120b'] },
      /^No service is named, and several services have gpt-oss-120b; write one of .*cerebras.*\. For example: [a-z]+\/gpt-oss-120b\.$|^No service is named, and gpt-oss-120b does not tell/,
    ],
    [
      { models: ['m'], backend: 'opnai' },
      /^opnai is not a type of backend\. Did you mean openai\? Known types: /,
    ],
    [{ models: ['m'], backend: 'ag2' }, /^ag2 is a framework inside of MassGen itself/],
    [{ models: [], backend: 'lmstudio' }, 'lmstudio needs the name of a model.'],
    [{ models: ['openai/'] }, undefined],
    [{ models: ['openrouter/'] }, 'openrouter needs the name of a model.'],
    [{ models: ['gpt-5.4'], agents: 11 }, 'A team has one to 10 agents, not 11.'],
    [{ models: ['gpt-5.4'], agents: 0 }, 'A team has one to 10 agents, not 0.'],
    [{ models: ['gpt-5.4', 'o3'], agents: 1 }, '2 models need at least as many agents, not 1.'],
  ] as const)('%j says what is wrong', (wish, message) => {
    const [first] = problems(wish);
    if (message instanceof RegExp) {
      expect(first).toMatch(message);
    } else {
      expect(first).toBe(message);
    }
  });

  it('tells everything that is wrong at once', () => {
    expect(problems({ models: ['llama-99', 'claude-opus-4-6', 'openrouter/'] })).toHaveLength(2);
  });

  it('is a valid file or says why not, whatever the words are', () => {
    const word = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('gpt-5', 'a/b', '', '/'));
    const wish = fc.record(
      {
        models: fc.array(word, { maxLength: 4 }),
        backend: word,
        systemMessage: word,
        agents: fc.integer({ min: -1, max: 12 }),
      },
      { requiredKeys: ['models'] },
    );
    fc.assert(
      fc.property(wish, (words) => {
        const made = quickTeam(words, kinds);
        if (made.kind === 'problems') {
          expect(made.problems.length).toBeGreaterThan(0);
          return;
        }
        const { agents: count = Math.max(1, words.models.length) } = words;
        const result = loadConfig(made.text, '(quick)', kinds);
        if (result.kind === 'ok') {
          expect(result.config.agents).toHaveLength(count);
        } else {
          // Only what was given can be wrong, never the form of the text.
          expect(result.problems.map(({ code }) => code)).not.toContain('unknown-key');
          expect(result.problems.map(({ code }) => code)).not.toContain('duplicate');
        }
      }),
      { seed: 20_261_130, numRuns: 300 },
    );
  });
});
