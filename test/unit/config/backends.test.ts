import { describe, expect, it } from 'vitest';
import { toJsonSchema } from '../../../src/config/json-schema';
import { createTeamLanguage } from '../../../src/config/language/team-language';
import { loadConfig } from '../../../src/config/load-config';
import type { ConfigProblem, RunConfig } from '../../../src/config/run-config';
import type { BackendKind } from '../../../src/core/ports/backend-kind';
import { kinds as plainKinds } from './backend-kinds';

const [chat, scripted] = plainKinds;
if (chat === undefined || scripted === undefined) {
  throw new Error('the kinds of these tests are missing');
}

const source = 'made up for a test';
const searching: BackendKind = {
  ...scripted,
  type: 'openai',
  title: 'OpenAI',
  hostedTools: ['web-search', 'code-execution'],
  defaultModel: 'gpt-9',
  models: [
    { id: 'gpt-9', family: 'gpt', source },
    { id: 'shared-model', family: 'other', source },
  ],
};
const moonshot: BackendKind = {
  ...scripted,
  type: 'moonshot',
  aliases: ['moon'],
  models: [{ id: 'shared-model', family: 'other', source }],
};
const program: BackendKind = {
  ...searching,
  type: 'claude_code',
  hostedTools: [],
  isProgram: true,
  commandOf: () => ['claude'],
  createIn: () => Promise.reject(new Error('a configuration is never run here')),
};
const kinds: readonly BackendKind[] = [chat, scripted, searching, moonshot, program];

const file = '/project/team.yaml';

function read(backend: string, rest = ''): ReturnType<typeof loadConfig> {
  return loadConfig(`agents:\n  - id: a\n    backend: ${backend}\n${rest}`, file, kinds);
}

function problems(backend: string, rest = ''): readonly ConfigProblem[] {
  const result = read(backend, rest);
  return result.kind === 'ok' ? result.warnings : result.problems;
}

function configOf(backend: string, rest = ''): RunConfig {
  const result = read(backend, rest);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return result.config;
}

const messages = (backend: string, rest = ''): readonly string[] =>
  problems(backend, rest).map(({ message }) => message);

describe('the type of a backend', () => {
  it.each([
    ['kimi', 'moonshot'],
    ['moon', 'moonshot'],
    ['Claude-Code', 'claude_code'],
    ['openai compatible', 'chatcompletion'],
  ])('may be written as %s', (written, type) => {
    const [agent] = configOf(`{type: "${written}", model: m}`).agents;
    expect(agent?.backend.type).toBe(type);
  });

  it.each([
    ['gpt-9', 'openai'],
    ['o4-mini', 'openai'],
    ['kimi-k3', 'moonshot'],
  ])('follows from the model %s where no type is written', (model, type) => {
    expect(configOf(`{model: ${model}}`).agents[0]?.backend).toMatchObject({ type, model });
  });

  it('is asked for, with the candidates, where several services have the model', () => {
    expect(messages('{model: shared-model}')).toEqual([
      'type is missing, and several services have shared-model; write one of openai, moonshot.',
    ]);
  });

  it('is asked for where a model is hosted by anybody', () => {
    expect(messages('{model: gpt-oss-120b}')).toEqual([
      'type is missing, and gpt-oss-120b does not tell which service is meant. Known types: chatcompletion, scripted, openai, moonshot, claude_code.',
    ]);
  });

  it.each(['ag2', 'AutoGen'])('cannot be %s, and what to use instead is said', (type) => {
    expect(messages(`{type: ${type}, agent_config: {}}`)[0]).toContain(
      'name its models as agents of their own',
    );
  });
});

describe('the model of a backend', () => {
  it("is the kind's own where none is written", () => {
    expect(configOf('{type: openai}').agents[0]?.backend.model).toBe('gpt-9');
  });

  it('is needed where the kind has none of its own', () => {
    expect(problems('{type: scripted}').map(({ code }) => code)).toEqual(['missing']);
  });

  it('brings a warning where something must be known about it', () => {
    const text = `agents: [{id: a, backend: {type: openai, model: old}}, {id: b, backend: {type: openai}}]`;
    const notice = ({ model }: { readonly model: string }): string | undefined =>
      model === 'old' ? 'old ends on 2027-01-01; use gpt-9.' : undefined;
    const result = loadConfig(text, file, kinds, { modelNotice: notice });
    expect(result.kind === 'ok' ? result.warnings : []).toMatchObject([
      {
        severity: 'warning',
        keyPath: 'agents[0].backend.model',
        message: 'old ends on 2027-01-01; use gpt-9.',
      },
    ]);
    const language = createTeamLanguage(kinds, { modelNotice: notice });
    expect(language.diagnose(text, file)).toHaveLength(1);
  });
});

describe('tools of a service', () => {
  it.each([
    ['enable_web_search', ['web-search']],
    ['enable_code_interpreter', ['code-execution']],
    ['enable_code_execution', ['code-execution']],
  ])('are switched on by %s', (key, expected) => {
    expect(configOf(`{type: openai, ${key}: true}`).agents[0]?.backend.hostedTools).toEqual(
      expected,
    );
  });

  it('stay off unless they are wanted', () => {
    const [agent] = configOf('{type: openai, enable_web_search: false}').agents;
    expect(agent?.backend.hostedTools).toBeUndefined();
  });

  it('are refused where the service has none, with the types that do', () => {
    expect(problems('{type: scripted, model: m, enable_web_search: true}')).toMatchObject([
      {
        severity: 'error',
        message:
          'scripted has no web search of its own; remove this key. Types that have one: openai.',
      },
    ]);
  });

  it('may be switched off anywhere', () => {
    expect(problems('{type: scripted, model: m, enable_code_execution: false}')).toEqual([]);
  });

  it('are a program’s own business', () => {
    expect(problems('{type: claude_code, enable_web_search: true}')).toMatchObject([
      { severity: 'warning', code: 'no-effect' },
    ]);
  });
});

describe('tools of an agent', () => {
  it('are its servers, limited by the lists of the block where a server has none', () => {
    const servers = '{one: {command: one}, two: {command: two, allowed_tools: [b]}}';
    const block = `{type: scripted, model: m, mcp_servers: ${servers}, allowed_tools: a, exclude_tools: [x]}`;
    expect(configOf(block).agents[0]?.tools?.servers).toMatchObject([
      { name: 'one', allowedTools: ['a'], excludedTools: ['x'] },
      { name: 'two', allowedTools: ['b'], excludedTools: ['x'] },
    ]);
  });

  it('are absent where the block names none', () => {
    expect(configOf('{type: scripted, model: m, mcp_servers: []}').agents[0]?.tools).toBe(
      undefined,
    );
  });
});

describe('files for the model', () => {
  it('are read with their kinds', () => {
    const uploads = '[{image_path: a.png}, {file_path: "https://example.org/x.pdf"}]';
    const [agent] = configOf(`{type: scripted, model: m, upload_files: ${uploads}}`).agents;
    expect(agent?.tools?.uploads).toEqual([
      { kind: 'image', source: 'a.png' },
      { kind: 'document', source: 'https://example.org/x.pdf' },
    ]);
  });

  it.each([
    ['[{}]', 'missing'],
    ['[{image_path: a, file_path: b}]', 'duplicate'],
    ['[{image_path: "http://example.org/a.png"}]', 'wrong-value'],
    ['[{picture: a}]', 'unknown-key'],
    ['[a.png]', 'wrong-type'],
  ])('are refused as %s', (written, code) => {
    const found = problems(`{type: scripted, model: m, upload_files: ${written}}`);
    expect(found[0]).toMatchObject({ severity: 'error', code });
    expect(found[0]?.keyPath).toMatch(/^agents\[0\]\.backend\.upload_files\[0\]/);
  });
});

describe('keys that a kind does not have', () => {
  it('are named as not sent when they are parameters of services', () => {
    expect(problems('{type: scripted, model: m, frequency_penalty: 0.5}')).toMatchObject([
      {
        severity: 'warning',
        keyPath: 'agents[0].backend.frequency_penalty',
        message:
          'Accepted, has no effect: backend.frequency_penalty (line 3; this type of backend does not send it).',
      },
    ]);
  });

  it('are told once when the product sets them itself', () => {
    const internal = '{type: scripted, model: m, agent_id: x, session_id: y}';
    const config = configOf(internal, `  - id: b\n    backend: ${internal}\n`);
    expect(config.notices).toEqual([
      'agent_id, session_id are set by the product itself; what the file says is ignored.',
    ]);
  });

  it('are errors when nobody knows them', () => {
    expect(problems('{type: scripted, model: m, sped: 1}')).toMatchObject([
      { severity: 'error', code: 'unknown-key', suggestion: 'speed' },
    ]);
  });
});

describe('a judge', () => {
  it.each([
    'orchestrator: {consensus: {judge: a, on_split: judge}}',
    'orchestrator: {consensus: {judge: {type: claude_code}, on_split: judge}}',
  ])('cannot be an agent program: %s', (rest) => {
    const other = '  - id: b\n    backend: {type: scripted, model: m}\n';
    expect(messages('{type: claude_code}', other + rest)).toContain(
      'An agent program cannot be the judge; name a model.',
    );
  });
});

describe('many kinds of backend', () => {
  const many = Array.from({ length: 25 }, (_, index): BackendKind => ({
    ...chat,
    type: `service_${index}`,
    // Some differ in a key of their own.
    keys:
      index % 5 === 0
        ? [
            ...chat.keys,
            { name: `own_${index}`, type: 'string', isRequired: false, description: 'Own.' },
          ]
        : chat.keys,
  }));

  it('make a schema that is hardly larger than that of one', () => {
    const sizeOf = (all: readonly BackendKind[]): number =>
      JSON.stringify(toJsonSchema(all, { openTypes: [] })).length;
    expect(sizeOf(many)).toBeLessThan(2 * sizeOf([chat]));
  });

  it('offer the keys of the one that is named', () => {
    const language = createTeamLanguage(many);
    const text = 'agents:\n  - id: a\n    backend:\n      type: service_5\n      own';
    const labels = language.complete(text, text.length).map(({ label }) => label);
    expect(labels).toContain('own_5');
    expect(labels).not.toContain('own_10');
  });
});
