import { describe, expect, it } from 'vitest';
import { builtInBackends } from '../../../src/backends/registry';
import { loadConfig } from '../../../src/config/load-config';
import type { RunConfig } from '../../../src/config/run-config';
import type { BackendKind } from '../../../src/core/ports/backend-kind';
import {
  keyNamesOf,
  keyTitles,
  knownServices,
  type Member,
  membersAt,
  mixedTeam,
  teamText,
} from '../../../src/app/services-table';

const kinds = builtInBackends({ recordingsDir: '/nowhere' });
const today = Date.UTC(2026, 11, 1);
const services = knownServices(kinds, today);

function teamOf(members: readonly Member[]): RunConfig {
  const result = loadConfig(teamText('A team', members), '(test)', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  expect(result.warnings).toEqual([]);
  return result.config;
}

describe('teams made from a key', () => {
  it.each(services)('a team at $name is a team file without problems', (service) => {
    const { type, keyNames, models } = service;
    const { agents } = teamOf(membersAt({ type, keyName: keyNames[0] }, models));
    const expected = models.length === 1 ? [models[0], models[0], models[0]] : models;
    expect(agents.map(({ backend }) => backend.model)).toEqual(expected);
    expect(agents.map(({ backend }) => backend.apiKeyName)).toEqual(
      expected.map(() => keyNames[0]),
    );
  });

  it('know every service with a key of its own', () => {
    const types = services.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['openai', 'claude', 'gemini', 'grok', 'openrouter', 'deepseek']),
    );
    expect(types).not.toContain('chatcompletion');
    expect(types).not.toContain('offline');
  });

  it('are offered in the order in which people look for them: makers first', () => {
    expect(services.slice(0, 3).map(({ type }) => type)).toEqual(['openai', 'claude', 'gemini']);
  });

  it('carry their name, whatever it is', () => {
    const [service] = services;
    const members = membersAt({ type: service?.type ?? '' }, service?.models ?? []);
    const text = teamText('Mine: "the" #1', members);
    const result = loadConfig(text, '(test)', kinds);
    expect(result.kind === 'ok' ? result.config.name : result.problems).toBe('Mine: "the" #1');
  });

  it('hold no model that ends soon', () => {
    const [first] = kinds;
    const kind: BackendKind = {
      ...(first ?? fail()),
      type: 'ending',
      defaultModel: 'old',
      models: [
        { id: 'old', family: 'f', source: 'a test', retires: '2026-12-15' },
        { id: 'new', family: 'f', source: 'a test' },
      ],
    };
    expect(knownServices([kind], today).map(({ models }) => models)).toEqual([['new']]);
  });

  it('a team at a local server needs no key, and odd model names stay as they are', () => {
    const models = ['qwen3:8b', 'a "quoted" name'];
    const place = { type: 'chatcompletion', baseUrl: 'http://127.0.0.1:11434/v1' };
    const { agents } = teamOf(membersAt(place, models));
    expect(agents.map(({ backend }) => backend.model)).toEqual(models);
    expect(agents.map(({ backend }) => backend.apiKeyName)).toEqual([undefined, undefined]);
  });

  it('a team of all keys has one model of each maker, those who only host models last', () => {
    const wanted = ['openrouter', 'gemini', 'openai', 'claude', 'grok'];
    const { agents } = teamOf(mixedTeam(services.filter(({ type }) => wanted.includes(type))));
    expect(agents.map(({ id }) => id)).toEqual(['openai', 'claude', 'gemini', 'grok']);
    const families = agents.map(({ backend }) =>
      kinds.find(({ type }) => type === backend.type)?.familyOf(backend),
    );
    expect(new Set(families).size).toBe(4);
  });
});

describe('the names of keys', () => {
  it('each have the service that they belong to', () => {
    const titles = keyTitles(kinds);
    const wanted = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'KIMI_API_KEY'];
    expect(wanted.map((name) => titles.get(name))).toEqual([
      ...['OpenAI', 'Anthropic Claude', 'Google Gemini', 'Moonshot AI (Kimi)'],
    ]);
  });

  it('are those of every kind, each once', () => {
    const names = keyNamesOf(kinds);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_API_KEY', 'GEMINI_API_KEY'],
        ...['XAI_API_KEY', 'AZURE_OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'MOONSHOT_API_KEY'],
        ...['KIMI_API_KEY', 'QWEN_API_KEY', 'ZAI_API_KEY', 'MISTRAL_API_KEY'],
      ]),
    );
  });
});

function fail(): never {
  throw new Error('there is no kind of backend');
}
