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

/** Every key that MassGen documents, by the block that it stands in. */
const documented: Readonly<Record<string, string>> = {
  '': 'agents agent orchestrator timeout_settings ui memory session_id hooks prompt checkpoint permissions display version defaults name',
  agents:
    'id backend system_message memory append_system_prompt voting_sensitivity subtask subagent_agents main_agent',
  'agents.backend':
    'type model api_key base_url provider provider_name azure_endpoint api_version temperature top_p top_k repetition_penalty max_tokens reasoning text thinking betas extra_headers stop_sequences max_thinking_tokens extra_body chat_template_kwargs separate_reasoning enable_web_search enable_code_interpreter enable_code_execution enable_image_generation enable_audio_generation enable_video_generation enable_file_generation upload_files media_max_file_size_mb allowed_tools exclude_tools disallowed_tools permission_mode mcp_servers custom_tools max_mcp_message_history cwd context_paths enable_mcp_command_line command_line_execution_mode command_line_allowed_commands command_line_blocked_commands command_line_docker_image command_line_docker_memory_limit command_line_docker_cpu_limit command_line_docker_network_mode command_line_docker_enable_sudo command_line_docker_credentials command_line_docker_packages enforce_read_before_delete context_write_access_enabled agent_temporary_workspace instance_id enable_rate_limit agent_id session_id enable_x_search enable_programmatic_flow enable_tool_search enable_strict_tool_use output_schema websocket_mode hooks command_line_srt_read_mode command_line_srt_allow_read command_line_srt_deny_read command_line_srt_network_allowed_domains command_line_srt_allow_unix_sockets agent_config group_config system_prompt append_system_prompt command_line_docker_mount_ssh_keys command_line_docker_pass_env_vars command_line_docker_auto_install_deps use_code_based_tools auto_discover_custom_tools exclude_custom_tools direct_mcp_servers',
  orchestrator:
    'snapshot_storage agent_temporary_workspace context_paths coordination voting_sensitivity max_new_answers_per_agent answer_novelty_requirement timeout skip_coordination_rounds debug_final_answer dspy session_storage enable_planning_mode voting_threshold max_new_answers_global fairness_enabled fairness_lead_cap_answers max_midstream_injections_per_round defer_peer_updates_until_restart allow_midstream_peer_updates_before_checklist_submit defer_voting_until_all_answered disable_injection skip_voting skip_final_presentation coordination_mode presenter_agent final_answer_strategy max_checklist_calls_per_round checklist_first_answer checklist_require_gap_report gap_report_mode enable_multimodal_tools multimodal_config image_generation_backend audio_generation_backend video_generation_backend enable_nlip nlip_config interactive_mode max_turns docker skills_directory max_orchestration_restarts',
  'orchestrator.coordination':
    'enable_planning_mode planning_mode_instruction max_orchestration_restarts enable_agent_task_planning max_tasks_per_plan task_planning_filesystem_mode enable_memory_filesystem_mode use_skills massgen_skills skills_directory plan_depth plan_target_steps plan_target_chunks broadcast broadcast_sensitivity broadcast_timeout broadcast_wait_by_default max_broadcasts_per_agent response_depth learning_capture_mode compression_target_ratio persona_generator evaluation_criteria_generator prompt_improver enable_subagents subagent_default_timeout subagent_min_timeout subagent_max_timeout subagent_max_concurrent subagent_round_timeouts subagent_runtime_mode subagent_runtime_fallback_mode subagent_host_launch_prefix subagent_types subagent_orchestrator background_subagents task_decomposer write_mode drift_conflict_policy enable_changedoc checklist_criteria_preset checklist_criteria_inline criteria_mode bootstrap_max_per_agent_per_round bootstrap_max_total evolving_criteria evolving_criteria_x improvements novelty_injection round_evaluator_x enable_quality_rethink_on_iteration enable_novelty_on_iteration enable_execution_trace_analyzer enable_evaluator_personas checkpoint_enabled checkpoint_mode checkpoint_guidance checkpoint_gated_patterns standalone_checkpoint resume_from_log fast_iteration_mode max_verifications_per_round max_internal_fix_loops skip_redundant_scaffolding load_previous_session_skills web_review use_two_tier_workspace',
  timeout_settings:
    'orchestrator_timeout_seconds initial_round_timeout_seconds subsequent_round_timeout_seconds round_timeout_grace_seconds',
  ui: 'display_type logging_enabled use_orchestrator_for_single_agent type automation_mode debug',
  memory: 'enabled conversation_memory persistent_memory compression recording retrieval',
  'agents.backend.mcp_servers.x':
    'name type command args env cwd url headers timeout http_read_timeout allowed_tools exclude_tools security description enabled',
};

/** A file in which this key stands, with a value that says nothing. */
function fileWith(block: string, key: string): string {
  const [first = '', ...inner] = block.split('.').filter((part) => part !== '');
  const nested = (parts: readonly string[]): string =>
    parts.reduceRight((inside, part) => `{${part}: ${inside}}`, `{${key}: null}`);
  if (first === 'agents') {
    return `agents: [${nested(inner)}]\n`;
  }
  return first === '' ? `${key}: null\n` : `${first}: ${nested(inner)}\n`;
}

describe('every documented key', () => {
  it.each(
    Object.entries(documented).flatMap(([block, keys]) =>
      keys.split(' ').map((key) => [block, key] as const),
    ),
  )('is known in its block: %s %s', (block, key) => {
    const codes = problemsOf(fileWith(block, key))
      .filter(({ keyPath }) => keyPath.endsWith(key))
      .map(({ code }) => code);
    expect(codes).not.toContain('unknown-key');
  });

  it('and no other: the check of this list can fail', () => {
    expect(told(fileWith('ui', 'colour'))).toContain('warning ui.colour');
    expect(problemsOf(fileWith('ui', 'colour')).map(({ code }) => code)).toContain('unknown-key');
  });
});

describe('what a backend block says of files', () => {
  it('opens its context paths in a team of one', () => {
    const text = team('context_paths: [docs, {path: src, permission: write}]');
    expect(configOf(text).contextPaths.map(({ path, permission }) => [path, permission])).toEqual([
      ['docs', 'read'],
      ['src', 'write'],
    ]);
  });

  it('gives nobody else access to them', () => {
    const text = `${team('context_paths: [docs]')}  - {id: b, backend: {type: openai}}\n`;
    expect(configOf(text).contextPaths).toEqual([]);
    expect(problemsOf(text)[0]?.message).toContain('only in a team of one');
  });

  it('limits media that are uploaded, documents not', () => {
    const text = team(
      'media_max_file_size_mb: 1, upload_files: [{image_path: a.png}, {file_path: b.pdf}]',
    );
    expect(configOf(text).agents[0]?.tools?.uploads).toEqual([
      { kind: 'image', source: 'a.png', maxBytes: 1_000_000 },
      { kind: 'document', source: 'b.pdf' },
    ]);
  });
});
