// Keys of MassGen's team files that are read, reported, and without effect here. Never silently ignored.
import { type Field } from './spec';
import { unsupported } from './collections';

type Unsupported<K extends string> = Readonly<Record<K, Field<never>>>;

const later = 'is not supported yet and has no effect.';

function each<const K extends string>(names: readonly K[], sentence = later): Unsupported<K> {
  const fields: Record<string, Field<never>> = {};
  for (const name of names) {
    fields[name] = unsupported(sentence);
  }
  // The loop above has set exactly the names of K.
  return fields as Unsupported<K>;
}

const ignored: Field<true> = {
  spec: { shape: { kind: 'anything' }, read: () => true },
  description: 'Set by the product itself; what a file says is ignored.',
  isRequired: false,
  isUnsupported: true,
};

export const originalTopKeys = {
  ...each(['memory', 'session_id', 'hooks', 'prompt', 'checkpoint', 'permissions', 'preset']),
  ...each(['ui', 'display'], 'has no effect: each surface of this product has its own display.'),
  ...each(['version', 'defaults'], 'has no effect.'),
};

export const originalAgentKeys = {
  ...each(['memory', 'voting_sensitivity', 'subagent_agents', 'main_agent']),
  ...each(['append_system_prompt'], 'has no effect; use system_message.'),
};

const notSent = 'is not sent by this type of backend and has no effect.';

/** Parameters of services that MassGen hands on unchecked: those that a kind knows are sent, the others are named. */
const providerParameters = {
  ...each(['temperature', 'top_p', 'top_k', 'min_p', 'repetition_penalty'], notSent),
  ...each(['max_tokens', 'max_completion_tokens', 'max_output_tokens'], notSent),
  ...each(['stop', 'stop_sequences', 'seed', 'n', 'user', 'metadata', 'store', 'stream'], notSent),
  ...each(['frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs'], notSent),
  ...each(['top_logprobs', 'response_format', 'tool_choice', 'parallel_tool_calls'], notSent),
  ...each(['service_tier', 'safety_identifier', 'prompt_cache_key', 'truncation'], notSent),
  ...each(['modalities', 'prediction', 'verbosity', 'text', 'output_schema'], notSent),
  ...each(['reasoning', 'reasoning_effort', 'thinking', 'thinking_config', 'betas'], notSent),
  ...each(['max_thinking_tokens', 'safety_settings', 'candidate_count'], notSent),
  ...each(['extra_body', 'extra_headers', 'extra_query', 'chat_template_kwargs'], notSent),
  ...each(['separate_reasoning', 'search_parameters'], notSent),
  ...each(['azure_endpoint', 'api_version', 'permission_mode'], notSent),
  ...each(['disallowed_tools'], notSent),
};

export const originalBackendKeys = {
  ...providerParameters,
  ...each(['enable_image_generation', 'enable_audio_generation', 'enable_video_generation']),
  ...each(['enable_file_generation', 'media_max_file_size_mb']),
  ...each(['exclude_file_operation_mcps']),
  ...each(['context_paths', 'hooks', 'websocket_mode', 'enable_x_search']),
  ...each(['enable_programmatic_flow', 'enable_tool_search', 'enable_strict_tool_use']),
  ...each(['command_line_allowed_commands', 'command_line_blocked_commands']),
  ...each(['command_line_execution_mode', 'command_line_docker_image']),
  ...each(['command_line_docker_memory_limit', 'command_line_docker_cpu_limit']),
  ...each(['command_line_docker_network_mode', 'command_line_docker_enable_sudo']),
  ...each(['command_line_docker_credentials', 'command_line_docker_packages']),
  ...each(['command_line_srt_read_mode', 'enforce_read_before_delete']),
  ...each(['agent_config', 'group_config', 'llm_config', 'workflow']),
  ...each(
    ['provider', 'provider_name'],
    'has no effect: the name of a service follows from its address.',
  ),
  ...each(['max_mcp_message_history'], 'has no effect: what no longer fits is left out by itself.'),
  ...each(['system_prompt', 'append_system_prompt'], 'has no effect; use system_message.'),
};

/** Keys that MassGen sets itself and never sends; what a file says is told once for the whole file. */
export const internalBackendKeys = Object.fromEntries(
  [
    ...['context_write_access_enabled', 'agent_temporary_workspace', 'instance_id'],
    ...['enable_rate_limit', 'agent_id', 'session_id'],
  ].map((name): readonly [string, Field<true>] => [name, ignored]),
);

export const originalOrchestratorKeys = {
  ...each(['dspy', 'voting_threshold', 'checks']),
  ...each(['allow_midstream_peer_updates_before_checklist_submit', 'gap_report_mode']),
  ...each(['max_checklist_calls_per_round', 'checklist_first_answer']),
  ...each(['checklist_require_gap_report', 'enable_multimodal_tools', 'multimodal_config']),
  ...each(['image_generation_backend', 'audio_generation_backend', 'video_generation_backend']),
  ...each(['enable_nlip', 'nlip_config', 'interactive_mode', 'max_turns', 'docker']),
  ...each(['skills_directory', 'use_two_tier_workspace']),
  ...each(
    ['enable_planning_mode', 'planning_mode_instruction', 'max_orchestration_restarts'],
    'has no effect here; it belongs under coordination.',
  ),
  ...each(
    ['enable_agent_task_planning', 'max_tasks_per_plan', 'enable_memory_filesystem_mode'],
    'has no effect here; it belongs under coordination.',
  ),
  ...each(['session_storage'], 'has no effect.'),
};

export const originalCoordinationKeys = {
  ...each(['plan_depth', 'plan_target_steps', 'plan_target_chunks']),
  ...each(['use_skills', 'massgen_skills', 'skills_directory', 'load_previous_session_skills']),
  ...each(['broadcast', 'broadcast_sensitivity', 'broadcast_timeout', 'response_depth']),
  ...each(['broadcast_wait_by_default', 'max_broadcasts_per_agent', 'enable_subagents']),
  ...each(['subagent_default_timeout', 'subagent_min_timeout', 'subagent_max_timeout']),
  ...each(['subagent_max_concurrent', 'subagent_round_timeouts', 'subagent_runtime_mode']),
  ...each(['subagent_runtime_fallback_mode', 'subagent_host_launch_prefix', 'subagent_types']),
  ...each(['subagent_orchestrator', 'background_subagents', 'task_decomposer']),
  ...each(['use_two_tier_workspace', 'enable_changedoc']),
  ...each(['gap_report_mode']),
  ...each(['persona_generator', 'evaluation_criteria_generator', 'prompt_improver']),
  ...each(['checkpoint_enabled', 'checkpoint_mode', 'checkpoint_guidance', 'gated_patterns']),
  ...each(['checkpoint_gated_patterns', 'standalone_checkpoint', 'resume_from_log']),
  ...each(['learning_capture_mode', 'compression_target_ratio', 'checklist_criteria_preset']),
  ...each(['checklist_criteria_inline', 'criteria_mode', 'bootstrap_max_per_agent_per_round']),
  ...each(['bootstrap_max_total', 'evolving_criteria', 'improvements', 'novelty_injection']),
  ...each(['enable_quality_rethink_on_iteration', 'enable_novelty_on_iteration']),
  ...each(['enable_execution_trace_analyzer', 'enable_evaluator_personas']),
  ...each(['fast_iteration_mode', 'max_verifications_per_round', 'max_internal_fix_loops']),
  ...each(['skip_redundant_scaffolding', 'web_review']),
};

/** A file with any of these is of MassGen's first format, which MassGen itself refuses too. */
export const firstFormatKeys: readonly string[] = [
  ...['models', 'model_configs', 'num_agents', 'max_rounds'],
  ...['consensus_threshold', 'voting_enabled', 'enable_voting'],
];

/** Variables that are proposed where a key is to be named. */
export const usualKeyNames: readonly string[] = [
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'XAI_API_KEY'],
  ...['AZURE_OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'CEREBRAS_API_KEY', 'TOGETHER_API_KEY'],
  ...['FIREWORKS_API_KEY', 'GROQ_API_KEY', 'MOONSHOT_API_KEY', 'NEBIUS_API_KEY', 'POE_API_KEY'],
  ...['QWEN_API_KEY', 'ZAI_API_KEY', 'NVIDIA_API_KEY', 'DEEPSEEK_API_KEY', 'MISTRAL_API_KEY'],
];

/** Types of MassGen that are not here, so that a message can tell them from a typing error. */
export const otherOriginalTypes: readonly string[] = [...['copilot', 'antigravity_cli', 'uitars']];

/** Types that will not come as they are, each with what to use instead. */
export const refusedTypes: Readonly<Record<string, string>> = {
  ag2: frameworkRefusal('ag2'),
  autogen: frameworkRefusal('autogen'),
  gemini_cli:
    'gemini_cli is no type of its own here; write type: acp with command: [gemini, --acp].',
  // Only the editor brings this type along.
  vscode_lm:
    'vscode_lm is a model of the editor: only VS Code can run a team with it. Run it there, or take this agent out.',
};

function frameworkRefusal(type: string): string {
  return `${type} is a framework inside of MassGen itself and is not available here; name its models as agents of their own, or reach a program that speaks the Agent Client Protocol through type acp.`;
}
