import { describe, expect, it } from 'vitest';
import { keysWithoutEffect } from '../../../src/config/keys-without-effect';
import { loadConfig } from '../../../src/config/load-config';
import type { ConfigProblem, RunConfig } from '../../../src/config/run-config';
import { exampleKinds as kinds } from './example-files';

/** A team with one agent. `block`: keys of its backend, as flow members. `rest`: further lines of the file. */
function team(block = '', rest = ''): string {
  const inner = block === '' ? '' : `, ${block}`;
  return `agents:\n  - id: a\n    backend: {type: openai, model: gpt-6.2-sol${inner}}\n${rest}`;
}

function problemsOf(text: string): readonly ConfigProblem[] {
  const result = loadConfig(text, '/p/team.yaml', kinds);
  return result.kind === 'ok' ? result.warnings : result.problems;
}

function configOf(text: string): RunConfig {
  const result = loadConfig(text, '/p/team.yaml', kinds);
  if (result.kind !== 'ok') {
    throw new Error(result.problems.map(({ message }) => message).join('\n'));
  }
  return result.config;
}

/** Severity and place of each problem. */
function told(text: string): readonly string[] {
  return problemsOf(text).map(({ severity, keyPath }) => `${severity} ${keyPath}`);
}

describe('a key that asks for isolation, a permission or a limit', () => {
  const block = 'agents[0].backend';
  it.each([
    ['command_line_docker_memory_limit: 2g', `${block}.command_line_docker_memory_limit`],
    ['command_line_docker_cpu_limit: 2', `${block}.command_line_docker_cpu_limit`],
    ['command_line_srt_read_mode: strict', `${block}.command_line_srt_read_mode`],
    ['command_line_srt_deny_read: [~/x]', `${block}.command_line_srt_deny_read`],
    ['disallowed_tools: ["Bash(rm*)"]', `${block}.disallowed_tools`],
    ['permission_mode: plan', `${block}.permission_mode`],
    ['hooks: {PreToolUse: [{handler: a.py}]}', `${block}.hooks`],
    ['hooks: {PostToolUse: [{handler: a.py, fail_closed: true}]}', `${block}.hooks`],
  ])('is refused in a backend where nothing as strict holds: %s', (written, path) => {
    expect(told(team(written))).toEqual([`error ${path}`]);
  });

  it.each([
    ['hooks: {PreToolUse: {override: true, hooks: [{handler: a.py}]}}', 'hooks'],
    ['permissions: {deny: ["command(git push)"]}', 'permissions'],
    ['permissions: {ask: ["*"]}', 'permissions'],
    ['permissions: {policy: risk-based}', 'permissions'],
    ['permissions: {role: read-only}', 'permissions'],
    ['permissions: {max_consecutive_auto: 3}', 'permissions'],
    ['checkpoint: {gated_patterns: ["*__send"]}', 'checkpoint'],
    [
      'orchestrator: {coordination: {checkpoint_gated_patterns: [x]}}',
      'orchestrator.coordination.checkpoint_gated_patterns',
    ],
  ])('is refused for the team where nothing as strict holds: %s', (written, path) => {
    expect(told(team('', written))).toEqual([`error ${path}`]);
  });

  it.each([
    ['command_line_docker_network_mode: none', 'confined commands have no network'],
    ['command_line_docker_enable_sudo: true', 'commands never get more rights'],
    ['command_line_docker_image: x', 'no container is used'],
    ['command_line_srt_read_mode: confined', 'of your files their view alone'],
    ['permission_mode: bypassPermissions', 'agents edit their own layers'],
    ['enforce_read_before_delete: false', 'a file is read before it is deleted, always'],
    ['command_line_docker_credentials: {mount: [ssh_keys]}', 'commands get no sign-ins'],
    ['command_line_docker_packages: {preinstall: {npm: [x]}}', 'nothing is installed'],
    ['hooks: {PostToolUse: [{handler: a.py}]}', 'hooks are not run here'],
  ])('is accepted where something as strict holds, which is said: %s', (written, words) => {
    const [warning, ...others] = problemsOf(team(written));
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ severity: 'warning', code: 'not-supported' });
    expect(warning?.message).toContain(words);
  });

  it.each([
    'hooks: {PreToolUse: []}',
    'disallowed_tools: []',
    'enforce_read_before_delete: true',
    'command_line_srt_deny_read: []',
    'command_line_docker_memory_limit: null',
  ])('says nothing when it asks for nothing: %s', (written) => {
    expect(problemsOf(team(written))).toEqual([]);
  });

  it('is kept by the type that knows it', () => {
    const text =
      'agent: {id: a, backend: {type: claude_code, permission_mode: plan, disallowed_tools: [Bash]}}\n';
    expect(problemsOf(text)).toEqual([]);
    expect(configOf(text).agents[0]?.backend.options).toMatchObject({
      ...{ permission_mode: 'plan', disallowed_tools: ['Bash'] },
    });
  });
});

describe('commands in a team file', () => {
  it.each(['docker', 'srt'])('are kept apart for %s, and the file is told how', (mode) => {
    const config = configOf(team(`command_line_execution_mode: ${mode}`));
    expect(config.agents[0]?.commandRules).toEqual({
      ...{ mustBeConfined: true, allowed: [], blocked: [] },
    });
    expect(config.notices.join()).toContain('confined by this machine instead of in a container');
  });

  it('run by the rules of every run where the file asks for nothing more', () => {
    expect(configOf(team('command_line_execution_mode: local')).agents[0]?.commandRules).toBe(
      undefined,
    );
  });

  it('carry what is allowed and blocked', () => {
    const written =
      'command_line_allowed_commands: ["git .*"], command_line_blocked_commands: [rm]';
    expect(configOf(team(written)).agents[0]?.commandRules).toEqual({
      ...{ mustBeConfined: false, allowed: ['git .*'], blocked: ['rm'] },
    });
  });

  it.each(['["("]', '["(?i)rm"]', `["${'a'.repeat(501)}"]`])(
    'are not held to what is no usable expression: %s',
    (written) => {
      expect(told(team(`command_line_blocked_commands: ${written}`))).toEqual([
        'error agents[0].backend.command_line_blocked_commands[0]',
      ]);
    },
  );

  it('of a program cannot be chosen, because it runs them by itself', () => {
    const text =
      'agent: {id: a, backend: {type: claude_code, command_line_blocked_commands: [rm]}}\n';
    expect(told(text)).toEqual(['error agent.backend.command_line_blocked_commands']);
  });
});

describe('a key without effect', () => {
  it.each([
    ['memory: {enabled: "true"}', 'memory.enabled', 'must be true or false'],
    [
      'memory: {compression: {trigger_threshold: 2}}',
      'memory.compression.trigger_threshold',
      '2 is not a number of at least 0 and of at most 1.',
    ],
    [
      'memory: {persistent_memory: {qdrant: {port: 0}}}',
      'memory.persistent_memory.qdrant.port',
      '0 is not an integer of at least 1 and of at most 65535.',
    ],
    [
      'ui: {display_type: rich}',
      'ui.display_type',
      'rich is not one of rich_terminal, textual_terminal, terminal, simple, silent.',
    ],
    [
      'orchestrator: {dspy: {num_variants: "3"}}',
      'orchestrator.dspy.num_variants',
      'must be an integer of at least 1',
    ],
    [
      'orchestrator: {coordination: {broadcast_timeout: 30s}}',
      'orchestrator.coordination.broadcast_timeout',
      'must be a number of at least 0',
    ],
    [
      'hooks: {PostToolUse: [{timeout: 5}]}',
      'hooks.PostToolUse[0]',
      'handler is missing: Function or script that is asked.',
    ],
  ])('is checked like any other: %s', (written, keyPath, words) => {
    const errors = problemsOf(team('', written)).filter(({ severity }) => severity === 'error');
    expect(errors.map((error) => error.keyPath)).toEqual([keyPath]);
    expect(errors[0]?.message).toContain(words);
  });

  it('stands for all that begin like it where MassGen has many of a kind', () => {
    const text = team('', 'orchestrator: {coordination: {round_evaluator_refine: true}}\n');
    expect(told(text)).toEqual(['warning orchestrator.coordination.round_evaluator_refine']);
  });

  it('is found with its sentence in the table of all', () => {
    const table = new Map(keysWithoutEffect(kinds).map((key) => [key.path, key]));
    expect(table.get('memory')).toMatchObject({ group: 'memory', sentence: 'Has no effect yet.' });
    expect(table.get('agents[].backend.command_line_docker_memory_limit')).toMatchObject({
      ...{ group: 'container', sentence: 'Refused.' },
    });
    expect(table.get('ui.type')?.sentence).toBe('Has no effect: display_type says it.');
    expect(table.get('permissions')?.sentence).toMatch(/^Refused: ask, deny.* Otherwise: has no/);
    // Some types send it.
    expect(table.has('agents[].backend.temperature')).toBe(false);
    expect(table.size).toBeGreaterThan(100);
  });
});

describe('a key beside backend that belongs inside it', () => {
  it('is read as if it stood there, and told in one notice', () => {
    const config = configOf(
      'agents:\n  - id: a\n    cwd: work\n    temperature: 0.2\n    backend: {type: openai, model: gpt-4o}\n',
    );
    expect(config.agents[0]?.backend.options['temperature']).toBe(0.2);
    expect(config.notices).toContain(
      'cwd, temperature stand beside backend and are read as if they stood in it.',
    );
  });

  it('makes the block where there is none', () => {
    const config = configOf('agent:\n  id: a\n  type: openai\n  model: gpt-4o\n');
    expect(config.agents[0]?.backend).toMatchObject({ type: 'openai', model: 'gpt-4o' });
  });

  it('is checked where it stands', () => {
    const text = 'agents:\n  - id: a\n    temperature: hot\n    backend: {type: openai}\n';
    expect(problemsOf(text)).toMatchObject([{ severity: 'error', line: 3, code: 'wrong-type' }]);
  });

  it('is refused when both places have it', () => {
    const text = 'agents:\n  - id: a\n    model: x\n    backend: {type: openai, model: gpt-4o}\n';
    expect(told(text)).toEqual(['error agents[0].model']);
  });
});

describe('keys for the command line', () => {
  it('are in the configuration: task, session and display', () => {
    const rest = 'prompt: Do it.\nsession_id: s1\nui: {display_type: simple}\n';
    expect(configOf(team('', rest))).toMatchObject({
      ...{ prompt: 'Do it.', sessionId: 's1', display: 'simple' },
    });
  });

  it('let an agent that works alone answer directly', () => {
    const rest = 'ui: {use_orchestrator_for_single_agent: false}\n';
    expect(configOf(team('', rest)).settings.singleAgentVote).toBe(false);
  });
});

describe('how critical an agent is', () => {
  it('can be said for each agent', () => {
    const text = 'agent: {id: a, backend: {type: openai}, voting_sensitivity: strict}\n';
    expect(configOf(text).agents[0]?.votingSensitivity).toBe('strict');
  });

  it('is that of the team where its word is not here yet, which is told', () => {
    const text = 'agent: {id: a, backend: {type: openai}, voting_sensitivity: roi}\n';
    expect(configOf(text).agents[0]?.votingSensitivity).toBe(undefined);
    expect(problemsOf(text)[0]?.message).toContain('roi is not here yet, that of the team is used');
  });
});

describe('a main agent', () => {
  it('can be one alone', () => {
    const agent = (id: string): string =>
      `  - {id: ${id}, backend: {type: openai}, main_agent: true}\n`;
    expect(told(`agents:\n${agent('a')}`)).toEqual(['warning agents[0].main_agent']);
    expect(told(`agents:\n${agent('a')}${agent('b')}`)).toContain('error agents[1].main_agent');
  });
});

describe('instructions inside of a backend block', () => {
  it.each(['system_prompt', 'append_system_prompt'])('%s are refused, as by MassGen', (key) => {
    expect(problemsOf(team(`${key}: Be nice.`))).toMatchObject([
      { severity: 'error', message: 'Instructions stand in system_message, beside backend.' },
    ]);
  });
});

describe('an id that looks like an anonymous label', () => {
  it('is accepted with a warning', () => {
    const text = 'agent: {id: agent1, backend: {type: openai}}\n';
    expect(told(text)).toEqual(['warning agent.id']);
    expect(configOf(text).agents[0]?.id).toBe('agent1');
  });
});
