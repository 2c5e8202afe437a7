import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config';
import type { ConfigProblem, RunConfig } from '../../../src/config/run-config';
import { withoutKeys } from '../../../src/config/secret-text';
import { compatProfile, recommendedProfile } from '../../../src/run/profiles';
import { kinds } from './backend-kinds';

const file = '/project/review.massgen.yaml';
const oneAgent = 'agents:\n  - id: a\n    backend: {type: scripted, model: m}\n';

function problemsOf(text: string): readonly ConfigProblem[] {
  const result = loadConfig(text, file, kinds);
  return result.kind === 'ok' ? result.warnings : result.problems;
}

function configOf(text: string): RunConfig {
  const result = loadConfig(text, file, kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return result.config;
}

/** The parts of a problem that most tests are about. */
function brief(text: string): readonly (readonly [string, string, number])[] {
  return problemsOf(text).map(({ code, keyPath, line }) => [code, keyPath, line]);
}

describe('a good file', () => {
  it('becomes a whole configuration', () => {
    const text = `
name: Reviewers
agents:
  - id: gpt
    backend:
      type: chatcompletion
      model: gpt-5.4
      base_url: https://api.openai.com/v1
      api_key: \${OPENAI_API_KEY}
      temperature: 0.2
    system_message: Be brief.
    weight: 2
  - id: local
    backend: {type: scripted, model: m, is_loud: yes}
orchestrator:
  profile: recommended
  context_paths:
    - docs
    - path: src
      permission: write
  consensus:
    rule: supermajority
    threshold: 0.75
    tie_break: [latest]
    weights: {local: 3}
  max_new_answers_per_agent: null
  run_seed: abcd
limits:
  model_calls: 10
  cost_usd: null
  command_timeout_seconds: 5
timeout_settings:
  orchestrator_timeout_seconds: 60
  subsequent_round_timeout_seconds: 30
  round_timeout_grace_seconds: 5
`;
    expect(loadConfig(text, file, kinds)).toEqual({
      kind: 'ok',
      warnings: [],
      config: {
        name: 'Reviewers',
        file,
        agents: [
          {
            id: 'gpt',
            backend: {
              type: 'chatcompletion',
              model: 'gpt-5.4',
              apiKeyName: 'OPENAI_API_KEY',
              options: { base_url: 'https://api.openai.com/v1', temperature: 0.2 },
            },
            systemMessage: 'Be brief.',
            weight: 2,
          },
          {
            id: 'local',
            backend: {
              type: 'scripted',
              model: 'm',
              apiKeyName: undefined,
              options: { is_loud: true },
            },
            systemMessage: undefined,
            weight: 3,
          },
        ],
        contextPaths: [
          { path: 'docs', permission: 'read', protectedPaths: [] },
          { path: 'src', permission: 'write', protectedPaths: [] },
        ],
        settings: {
          ...recommendedProfile,
          rule: 'supermajority',
          threshold: 0.75,
          tieBreak: ['latest', 'seeded_hash'],
          maxNewAnswersPerAgent: null,
          softTurnMs: { first: 900_000, later: 30_000 },
          turnGraceMs: 5_000,
          runSeed: 'abcd',
        },
        caps: { durationMs: 60_000, modelCalls: 10, costUsd: null },
        capsFromFile: ['durationMs', 'modelCalls', 'costUsd'],
        commandTimeoutMs: 5_000,
        notices: [],
      },
    });
  });

  it('has the rules of MassGen and the usual caps when it says nothing about them', () => {
    const config = configOf(oneAgent);
    expect(config.settings).toEqual({ ...compatProfile, runSeed: undefined });
    expect(config.caps).toEqual({ durationMs: 1_800_000, modelCalls: 60, costUsd: 2 });
    expect(config.capsFromFile).toEqual([]);
    expect(config.commandTimeoutMs).toBe(120_000);
  });

  it('takes its name from the file when it has none', () => {
    expect(configOf(oneAgent).name).toBe('review');
    expect(loadConfig(oneAgent, '(built-in)', kinds)).toMatchObject({
      config: { file: undefined },
    });
  });

  it('may have a single agent under `agent`', () => {
    const config = configOf('agent:\n  id: solo\n  backend: {type: scripted, model: m}\n');
    expect(config.agents.map(({ id }) => id)).toEqual(['solo']);
  });

  it.each([
    ['winner_present', 'winner_present', true],
    ['winner_reuse', 'winner_reuse', undefined],
    ['null', 'winner_present', undefined],
  ])('lets a single agent present when it says so: %s', (strategy, holds, presentsAlone) => {
    const alone = 'agent:\n  id: a\n  backend: {type: scripted, model: m}\n';
    const config = configOf(`${alone}orchestrator: {final_answer_strategy: ${strategy}}\n`);
    expect(config.settings.finalAnswerStrategy).toBe(holds);
    expect(config.settings.presentsAlone).toBe(presentsAlone);
    const two =
      'agents:\n' +
      ['a', 'b'].map((id) => `  - {id: ${id}, backend: {type: scripted, model: m}}\n`).join('');
    const team = configOf(`${two}orchestrator: {final_answer_strategy: ${strategy}}\n`);
    expect(team.settings.presentsAlone).toBeUndefined();
  });

  it('may give an agent a planning mode of its own', () => {
    const modes = ['on', 'off', 'inherit'].map(
      (mode) =>
        `  - {id: a_${mode}, backend: {type: scripted, model: m, planning_mode: ${mode}}}\n`,
    );
    const config = configOf(`agents:\n${modes.join('')}`);
    expect(config.agents.map(({ planningMode }) => planningMode)).toEqual(['on', 'off', undefined]);
  });

  it('is frozen all the way down', () => {
    const config = configOf(oneAgent);
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.agents[0]?.backend.options)).toBe(true);
    expect(Object.isFrozen(config.settings.tieBreak)).toBe(true);
  });

  it('may use anchors and merge keys', () => {
    const config = configOf(`
agents:
  - id: a
    backend: &shared {type: scripted, model: m, speed: 2}
  - id: b
    backend:
      <<: *shared
      speed: 3
  - id: c
    backend: *shared
`);
    expect(config.agents.map(({ backend }) => backend.options)).toEqual([
      { speed: 2 },
      { speed: 3 },
      { speed: 2 },
    ]);
  });

  it('may be JSON, begin with a byte order mark and end its lines in CR LF', () => {
    const json = JSON.stringify({
      agents: [{ id: 'a', backend: { type: 'scripted', model: 'm' } }],
    });
    expect(configOf(json).agents).toHaveLength(1);
    expect(configOf(`\uFEFF${oneAgent.replaceAll('\n', '\r\n')}`).agents).toHaveLength(1);
  });
});

describe('MassGen keys that mean something else here', () => {
  it('are mapped, with a sentence for each', () => {
    const config = configOf(`
agents:
  - id: a
    backend: {type: scripted, model: m, cwd: workspace1}
orchestrator:
  snapshot_storage: snapshots
  agent_temporary_workspace: temp
  disable_injection: true
  skip_final_presentation: true
  max_model_calls_per_run: 7
  timeout: {orchestrator_timeout_seconds: 9}
  coordination: {write_mode: worktree, max_orchestration_restarts: 0}
`);
    expect(config.notices).toHaveLength(3);
    expect(config.settings).toMatchObject({
      updateDelivery: 'off',
      finalAnswerStrategy: 'winner_reuse',
    });
    expect(config.caps).toMatchObject({ modelCalls: 7, durationMs: 9_000 });
  });

  it('keep protected paths of a folder and drop those that lie outside', () => {
    const text = `${oneAgent}orchestrator:
  context_paths:
    - {path: src, permission: write, protected_paths: [generated, ../other, /etc]}
    - src
`;
    expect(configOf(text).contextPaths).toEqual([
      { path: 'src', permission: 'read', protectedPaths: ['generated'] },
    ]);
    expect(brief(text)).toEqual([
      ['wrong-value', 'orchestrator.context_paths[0].protected_paths[1]', 6],
      ['wrong-value', 'orchestrator.context_paths[0].protected_paths[2]', 6],
      ['duplicate', 'orchestrator.context_paths[1]', 7],
    ]);
  });

  it('are one warning when they have no effect, which names each with its line', () => {
    const text = `${oneAgent}    memory: {enabled: true}
orchestrator:
  voting_sensitivity: checklist_gated
  dspy: {enabled: true}
  context_path_writes: presenter_only
  enable_planning_mode: true
  coordination: {planning_mode_instruction: Wait.}
ui: {display_type: simple, type: old}
`;
    expect(loadConfig(text, file, kinds).kind).toBe('ok');
    const [warning, ...others] = problemsOf(text);
    expect(others).toEqual([]);
    expect(warning).toMatchObject({
      ...{ severity: 'warning', code: 'not-supported', keyPath: 'agents[0].memory', line: 4 },
      message:
        'Accepted, have no effect yet: memory (line 4), ' +
        'voting_sensitivity (line 6; checklist_gated is not here yet, lenient is used), ' +
        'dspy (line 7), context_path_writes (line 8; presenter_only is not here yet, every agent edits its own layers), ' +
        'enable_planning_mode (line 9; it belongs under coordination), ' +
        'planning_mode_instruction (line 10; which tools must wait is enforced, whatever a prompt says), ' +
        'ui.type (line 11; display_type says it).',
    });
    expect(warning?.related?.map(({ keyPath, line }) => [keyPath, line])).toEqual([
      ['orchestrator.voting_sensitivity', 6],
      ['orchestrator.dspy', 7],
      ['orchestrator.context_path_writes', 8],
      ['orchestrator.enable_planning_mode', 9],
      ['orchestrator.coordination.planning_mode_instruction', 10],
      ['ui.type', 11],
    ]);
    expect(configOf(text).settings).toMatchObject({
      votingSensitivity: 'lenient',
      planning: 'off',
    });
  });

  it('refuses writing into the user’s files at once', () => {
    expect(brief(`${oneAgent}orchestrator: {coordination: {write_mode: legacy}}`)).toEqual([
      ['wrong-value', 'orchestrator.coordination.write_mode', 4],
    ]);
  });

  it('never lets the order of the list decide under the recommended profile', () => {
    const text = `${oneAgent}orchestrator: {profile: recommended, consensus: {tie_break: [config_order]}}`;
    expect(configOf(text).settings.tieBreak).toEqual(['seeded_hash']);
    expect(brief(text)).toEqual([['wrong-value', 'orchestrator.consensus.tie_break[0]', 4]]);
  });

  it('says that the first file format is no longer read, and nothing else', () => {
    expect(brief('models: [a]\nmax_rounds: 3\n')).toEqual([['not-supported', 'models', 1]]);
  });
});

describe('problems', () => {
  it('are all reported at once, with line, column, key path and nearest match', () => {
    const text = `agents:
  - id: a
    backend:
      type: chatcompletoin
      modle: x
  - id: a
    bakend: {}
    weight: heavy
orchestrator:
  consensus:
    rule: majorty
    quorum: 2
  context_paths:
    - {path: src, permission: wirte}
limit: {}
`;
    const found = problemsOf(text).map(
      ({ code, line, column, endColumn, keyPath, suggestion }) =>
        `${line}:${column}-${endColumn} ${code} ${keyPath} ${suggestion ?? ''}`,
    );
    expect(found).toEqual([
      '4:13-27 unknown-backend agents[0].backend.type chatcompletion',
      '5:7-12 unknown-key agents[0].backend.modle model',
      '6:5-7 missing agents[1] ',
      '6:9-10 duplicate agents[1].id ',
      '7:5-11 unknown-key agents[1].bakend backend',
      '8:13-18 wrong-type agents[1].weight ',
      '11:11-18 wrong-value orchestrator.consensus.rule majority',
      '12:13-14 wrong-value orchestrator.consensus.quorum ',
      '14:31-36 wrong-value orchestrator.context_paths[0].permission write',
      '15:1-6 unknown-key limit limits',
    ]);
    expect(problemsOf(text).every((problem) => problem.file === file)).toBe(true);
  });

  it.each([
    ['an empty file', '', 'missing'],
    ['a file with only a comment', '# nothing\n', 'missing'],
    ['a list at the top', '- a\n', 'wrong-type'],
    ['a text at the top', 'hello', 'wrong-type'],
    ['no agents', 'name: x\n', 'missing'],
    ['an empty list of agents', 'agents: []\n', 'missing'],
    ['agents without a value', 'agents:\n', 'missing'],
    [
      'both agent and agents',
      `${oneAgent}agent: {id: b, backend: {type: scripted, model: m}}`,
      'duplicate',
    ],
    ['a label as id', oneAgent.replace('id: a', 'id: agent2'), 'wrong-value'],
    ['an id of two lines', oneAgent.replace('id: a', 'id: "a\\nb"'), 'wrong-value'],
    ['an empty id', oneAgent.replace('id: a', 'id: ""'), 'wrong-value'],
    [
      'an unknown agent in the weights',
      `${oneAgent}orchestrator: {consensus: {weights: {b: 1}}}`,
      'wrong-value',
    ],
    ['only advisors', `${oneAgent}    weight: 0\n`, 'wrong-value'],
    [
      'more agreement than agents',
      `${oneAgent}orchestrator: {consensus: {min_agreement: 2}}`,
      'wrong-value',
    ],
    ['a key set twice', `${oneAgent}name: a\nname: b\n`, 'duplicate'],
    ['a second document', `${oneAgent}---\nname: b\n`, 'syntax'],
    ['a tag', `${oneAgent}name: !secret x\n`, 'syntax'],
    ['an alias without anchor', `${oneAgent}name: *x\n`, 'syntax'],
    ['a number where a text belongs', `${oneAgent}name: 4\n`, 'wrong-type'],
    ['a quoted number', `${oneAgent}limits: {model_calls: "30"}\n`, 'wrong-type'],
    ['a number with a unit', `${oneAgent}limits: {duration_minutes: 30 min}\n`, 'wrong-type'],
    ['not a number', `${oneAgent}limits: {duration_minutes: .nan}\n`, 'wrong-value'],
    ['zero calls', `${oneAgent}limits: {model_calls: 0}\n`, 'wrong-value'],
    ['half a call', `${oneAgent}limits: {model_calls: 1.5}\n`, 'wrong-value'],
    ['an empty orchestrator', `${oneAgent}orchestrator:\n`, 'missing'],
  ])('%s is one', (_what, text, code) => {
    const problems = problemsOf(text);
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(problems.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true);
  });

  it('name the whole path of a key that is set twice', () => {
    const text =
      'agents:\n  - id: a\n    backend: {type: scripted, model: m, speed: 1, speed: 2}\n';
    expect(brief(text)).toEqual([['duplicate', 'agents[0].backend.speed', 3]]);
  });

  it('count at most ten agents', () => {
    const agents = (count: number): string =>
      `agents:\n${Array.from({ length: count }, (_item, i) => `  - {id: m${i}, backend: {type: scripted, model: m}}\n`).join('')}`;
    expect(problemsOf(agents(10))).toEqual([]);
    expect(brief(agents(11))).toEqual([['wrong-value', 'agents', 2]]);
  });

  it('offer what is surely meant', () => {
    const suggestion = (text: string): string | undefined => problemsOf(text)[0]?.suggestion;
    expect(suggestion(`${oneAgent}limits: {model_calls: "30"}`)).toBe('30');
    expect(suggestion(`${oneAgent}limits: {duration_minutes: 30 min}`)).toBe('30');
    expect(suggestion(`${oneAgent}name: 4.10`)).toBe('"4.10"');
    expect(suggestion(`${oneAgent}orchestrator: {skip_voting: "true"}`)).toBe('true');
  });

  it('of a backend that MassGen has and this product does not are no typing errors', () => {
    const [problem] = problemsOf(oneAgent.replace('scripted', 'copilot'));
    expect(problem?.code).toBe('unknown-backend');
    expect(problem?.suggestion).toBeUndefined();
    expect(problem?.message).toContain('copilot is not available here.');
  });

  it.each([
    ['vscode_lm', 'only VS Code can run a team with it'],
    ['gemini_cli', 'write type: acp with command: [gemini, --acp]'],
  ])('of a type that is reached in another way say how: %s', (type, way) => {
    const [problem] = problemsOf(oneAgent.replace('scripted', type));
    expect(problem?.suggestion).toBeUndefined();
    expect(problem?.message).toContain(way);
  });

  it('after a syntax error still include what stands on its own', () => {
    expect(brief(`nmae: x\n${oneAgent}orchestrator: {consensus: [`)).toEqual([
      ['unknown-key', 'nmae', 1],
      ['syntax', '', 5],
    ]);
  });
});

describe('keys in clear text', () => {
  it.each([
    ['xoxb-1234567890-abcdefghij'],
    ['ASIAABCDEFGHIJKLMNOP'],
    [`r8_${'a1'.repeat(15)}`],
    [`glpat-${'a1'.repeat(10)}`],
    [`npm_${'a1'.repeat(18)}`],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N'],
    ['-----BEGIN RSA PRIVATE KEY-----'],
  ])('are known by their beginning: %s', (key) => {
    expect(withoutKeys(`use ${key} here`)).toBe('use (a key) here');
  });

  const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
  const withKey = (key: string): string =>
    `agents:\n  - id: a\n    backend:\n      type: chatcompletion\n      model: m\n      api_key: ${key}\n`;

  it.each([
    ['as the key', withKey(secret)],
    ['as the key, in quotes', withKey(`"${secret}"`)],
    ['as a key of unusual form', withKey('hunter2hunter2')],
    ['as a number', withKey('123456')],
    ['as a list', withKey(`[${secret}]`)],
    [
      'in the address',
      `${withKey('${OPENAI_API_KEY}')}      base_url: https://me:hunter2hunter2@host/v1\n`,
    ],
    [
      'in the system message',
      `${withKey('${OPENAI_API_KEY}')}    system_message: Use ${secret} please.\n`,
    ],
    [
      'below an unknown name',
      `${withKey('${OPENAI_API_KEY}')}headers: {Authorization: Bearer ${secret}}\n`,
    ],
    ['as a name', `${withKey('${OPENAI_API_KEY}')}${secret}: 1\n`],
    ['for an unknown backend', withKey(secret).replace('chatcompletion', 'mystery')],
    ['after a syntax error', `${withKey(secret)}      - : : ${secret} [\n`],
    [
      'as the value of a choice',
      `${withKey('${OPENAI_API_KEY}')}orchestrator: {profile: ${secret}}\n`,
    ],
  ])('%s are refused and never repeated', (_where, text) => {
    const result = loadConfig(text, file, kinds);
    expect(result.kind).toBe('problems');
    const problems = problemsOf(text);
    expect(problems.some(({ code }) => code === 'literal-key' || code === 'syntax')).toBe(true);
    expect(JSON.stringify(result)).not.toMatch(/abcdefghijklmnop|hunter2|123456/);
  });

  it.each([
    ['as the key', withKey('hunter2hunter2')],
    ['as a number', withKey('12345678')],
    ['in a comment', `${withKey('${OPENAI_API_KEY}')}# ${secret}\n`],
    [
      'for a server',
      `${withKey('${OPENAI_API_KEY}')}      mcp_servers: {a: {command: x, env: {DB: "pg://me:hunter2hunter2@db/x"}}}\n`,
    ],
    [
      'in headers',
      `${withKey('${OPENAI_API_KEY}')}      mcp_servers: {a: {url: "https://a.example", headers: {Cookie: hunter2hunter2}}}\n`,
    ],
  ])(
    '%s are a warning where they can be kept, and the configuration holds none',
    (_where, text) => {
      const kept: string[] = [];
      const keepKey = (value: string, of: string): string => {
        kept.push(`${of} ${value}`);
        return 'KEPT';
      };
      const result = loadConfig(text, file, kinds, { keepKey });
      expect(result.kind === 'ok' && result.warnings.map(({ code }) => code)).toEqual([
        'literal-key',
      ]);
      expect(JSON.stringify(result)).not.toMatch(/abcdefghijklmnop|hunter2|12345678/);
      expect(kept.every((one) => one.startsWith(`${file} `))).toBe(true);
      expect(JSON.stringify(result).includes('KEPT')).toBe(kept.length > 0);
    },
  );

  it('are no keys when no service would look at them', () => {
    const result = loadConfig(withKey('EMPTY'), file, kinds, { keepKey: () => 'KEPT' });
    expect(result).toMatchObject({
      ...{ kind: 'ok', warnings: [] },
      config: { agents: [{ backend: { apiKeyName: 'KEPT' } }] },
    });
  });

  it('are replaced by the name of the usual variable', () => {
    expect(problemsOf(withKey(secret))[0]?.suggestion).toBe('${OPENAI_API_KEY}');
    expect(problemsOf(withKey('XAI_API_KEY'))[0]?.suggestion).toBe('${XAI_API_KEY}');
    const elsewhere = `${withKey(secret)}      base_url: https://api.groq.com/openai/v1\n`;
    expect(problemsOf(elsewhere)[0]?.suggestion).toBe('${GROQ_API_KEY}');
  });
});

describe('hostile files', () => {
  it.each([
    ['a large one', `# ${'x'.repeat(300_000)}`],
    ['thousands of open brackets', '['.repeat(100_000)],
    ['thousands of dashes', '- '.repeat(100_000)],
    ['thousands of question marks', '? '.repeat(100_000)],
    ['deep indentation', Array.from({ length: 600 }, (_l, i) => `${' '.repeat(i)}a:`).join('\n')],
    [
      'aliases that multiply',
      `a: &a [x,x]\n${Array.from({ length: 60 }, (_l, i) => `k${i}: &k${i} [*a,*a]`).join('\n')}`,
    ],
  ])('%s is refused before it is parsed', (_what, text) => {
    expect(problemsOf(text).map(({ code }) => code)).toEqual(['too-large']);
  });

  it('a mapping that merges itself ends', () => {
    const text = `${oneAgent}orchestrator: &o\n  <<: *o\n`;
    expect(problemsOf(text).map(({ code }) => code)).toContain('too-large');
  });

  it('a few aliases that multiply end', () => {
    const layers = Array.from({ length: 12 }, (_l, i) => `  - &l${i + 1} {<<: [*l${i}, *l${i}]}`);
    const text = `agents:\n  - &l0 {id: a}\n${layers.join('\n')}\n`;
    expect(problemsOf(text).map(({ code }) => code)).toContain('too-large');
  });
});
