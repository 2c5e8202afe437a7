// Keys of team files that this product has beside those of MassGen, so that the reference can mark them.

const ofOrchestrator = [
  ...['profile', 'consensus', 'novelty_measure', 'duplicate_considers_files', 'max_answer_chars'],
  ...['vote_invalidation', 'single_agent_vote', 'display_order', 'update_delivery'],
  ...['first_answer_protection', 'wait_for_first_rival', 'max_stale_redeliveries', 'settle_ms'],
  ...['fairness_max_wait_seconds', 'reopen_on_update', 'max_failed_turns_per_agent'],
  ...['backend_retries', 'rate_limit_max_wait', 'timeout_presentation', 'evaluator'],
  ...['workspace_after_answer', 'restart_workspace', 'repeated_effects', 'project_instructions'],
  ...['answers_budget_tokens', 'history_budget_tokens', 'memory_budget_tokens'],
  ...['max_model_calls_per_run', 'max_cost_per_run', 'timeout_with_answer_ok', 'pace_ms'],
  ...['run_seed', 'context_path_writes', 'apply'],
];

const ofTimeouts = [
  ...['hard_kill_seconds', 'presentation_timeout_seconds', 'post_evaluation_timeout_seconds'],
];

const ofBackends = [
  ...['planning_mode', 'timeout_seconds', 'takes_images', 'auth_header', 'hosts', 'credentials'],
  ...['command', 'args', 'env', 'recording', 'speed', 'protocol', 'max_turns'],
  ...['mcp_servers[].hosts', 'mcp_servers[].allow_local', 'mcp_servers[].disabled'],
  ...['custom_tools[].command', 'custom_tools[].input_schema'],
];

/** By whole path, as the reference writes it. */
export const ownKeys: ReadonlySet<string> = new Set([
  ...['name', 'checks', 'limits', 'agents[].weight'],
  ...ofOrchestrator.map((key) => `orchestrator.${key}`),
  ...ofTimeouts.map((key) => `timeout_settings.${key}`),
  ...ofBackends.map((key) => `agents[].backend.${key}`),
]);
