// Keys of MassGen about the run that have no effect here.
import { isScalar } from 'yaml';
import { either, list, mapping, nullable } from './collections';
import { anyMapping, textOrTexts } from './open-values';
import { checkpointGates } from './permission-blocks';
import { boolean, integer, number, oneOf, text } from './scalars';
import { field } from './spec';
import { each, unless, withoutEffect } from './without-effect';

const count = nullable(integer({ minimum: 0 }));
const seconds = nullable(number({ minimum: 0 }));
const share = number({ minimum: 0, maximum: 1 });
const below = 'it belongs under coordination';
const paraphrasing = mapping(
  {
    enabled: field(boolean(), 'Whether the task is put in other words for each agent.'),
    backend: field(anyMapping(), 'Model that does it.'),
    num_variants: field(integer({ minimum: 1 }), 'How many.'),
    strategy: field(oneOf('balanced', 'diverse', 'conservative', 'adaptive'), 'How far apart.'),
    cache_enabled: field(boolean(), 'Whether they are kept.'),
    semantic_threshold: field(share, 'How close to the task.'),
    temperature_range: field(list(number({ minimum: 0, maximum: 2 })), 'Lowest and highest.'),
    use_chain_of_thought: field(boolean(), 'Whether it thinks first.'),
    validate_semantics: field(boolean(), 'Whether the meaning is compared.'),
  },
  'warning',
);

export const originalOrchestratorKeys = {
  dspy: withoutEffect('prompts', paraphrasing),
  voting_threshold: withoutEffect('decision', number({ minimum: 0, maximum: 10 })),
  ...each(
    'decision',
    ['allow_midstream_peer_updates_before_checklist_submit', 'checklist_first_answer'],
    nullable(boolean()),
  ),
  ...each('decision', ['checklist_require_gap_report'], boolean()),
  ...each('decision', ['gap_report_mode'], oneOf('changedoc', 'separate', 'none')),
  ...each('decision', ['max_checklist_calls_per_round'], count),
  ...each('media', ['enable_multimodal_tools'], boolean()),
  ...each('media', ['multimodal_config']),
  ...each('media', [
    'image_generation_backend',
    'audio_generation_backend',
    'video_generation_backend',
  ]),
  ...each('other', ['enable_nlip'], boolean()),
  ...each('other', ['nlip_config']),
  ...each('display', ['interactive_mode']),
  ...each('display', ['max_turns'], count),
  docker: withoutEffect(
    'container',
    either(isScalar, boolean(), anyMapping()),
    'commands are confined by this machine, or asked about',
  ),
  ...each('skills', ['skills_directory'], text()),
  ...each('other', ['use_two_tier_workspace'], boolean(), 'use write_mode'),
  ...each(
    'planning',
    [
      ...(['enable_planning_mode', 'planning_mode_instruction'] as const),
      ...(['max_orchestration_restarts', 'enable_agent_task_planning'] as const),
      ...(['max_tasks_per_plan', 'enable_memory_filesystem_mode'] as const),
    ],
    undefined,
    below,
  ),
  ...each('other', ['session_storage'], undefined, 'sessions are kept by the product'),
};

const skills = {
  ...each('skills', ['use_skills', 'load_previous_session_skills'], boolean()),
  ...each('skills', ['massgen_skills'], textOrTexts()),
  ...each('skills', ['skills_directory'], text()),
};

const planning = {
  plan_depth: withoutEffect('planning', oneOf('dynamic', 'shallow', 'medium', 'deep')),
  ...each('planning', ['plan_target_steps', 'plan_target_chunks'], count),
  planning_mode_instruction: withoutEffect(
    'planning',
    text(),
    'which tools must wait is enforced, whatever a prompt says',
  ),
};

const broadcast = {
  broadcast: unless<unknown>(
    false,
    'other',
    either(
      (node) => isScalar(node) && typeof node.value === 'boolean',
      boolean(),
      oneOf('agents', 'human'),
    ),
    '',
  ),
  broadcast_sensitivity: withoutEffect('other', oneOf('low', 'medium', 'high')),
  response_depth: withoutEffect('other', oneOf('low', 'medium', 'high')),
  ...each('other', ['broadcast_timeout'], seconds),
  ...each('other', ['broadcast_wait_by_default'], boolean()),
  ...each('other', ['max_broadcasts_per_agent'], count),
};

const subagents = {
  enable_subagents: unless(false, 'subagents', boolean(), ''),
  ...each(
    'subagents',
    ['subagent_default_timeout', 'subagent_min_timeout', 'subagent_max_timeout'],
    seconds,
  ),
  ...each('subagents', ['subagent_max_concurrent'], count),
  ...each('subagents', ['subagent_round_timeouts'], anyMapping()),
  subagent_runtime_mode: withoutEffect('subagents', oneOf('isolated', 'inherited', 'delegated')),
  subagent_runtime_fallback_mode: withoutEffect('subagents', nullable(oneOf('inherited'))),
  ...each('subagents', ['subagent_host_launch_prefix', 'subagent_types'], textOrTexts()),
  ...each('subagents', ['subagent_orchestrator', 'background_subagents'], anyMapping()),
};

const evaluation = {
  ...each(
    'evaluation',
    ['persona_generator', 'evaluation_criteria_generator', 'prompt_improver'],
    anyMapping(),
  ),
  ...each('evaluation', ['task_decomposer'], anyMapping()),
  ...each('evaluation', ['checklist_criteria_preset'], text()),
  ...each('evaluation', ['checklist_criteria_inline']),
  criteria_mode: withoutEffect(
    'evaluation',
    oneOf('static', 'bootstrap_inline', 'bootstrap_subagent'),
  ),
  ...each('evaluation', ['bootstrap_max_per_agent_per_round', 'bootstrap_max_total'], count),
  ...each('evaluation', ['evolving_criteria*', 'improvements', 'round_evaluator_*']),
  novelty_injection: withoutEffect('evaluation', oneOf('none', 'gentle', 'moderate', 'aggressive')),
  ...each('evaluation', ['orchestrator_managed_round_evaluator'], boolean()),
  ...each(
    'evaluation',
    [
      ...(['enable_quality_rethink_on_iteration', 'enable_novelty_on_iteration'] as const),
      ...(['enable_execution_trace_analyzer', 'enable_evaluator_personas'] as const),
    ],
    boolean(),
  ),
  ...each('evaluation', ['fast_iteration_mode', 'skip_redundant_scaffolding'], boolean()),
  ...each('evaluation', ['max_verifications_per_round', 'max_internal_fix_loops'], count),
  ...each('evaluation', ['web_review']),
};

const checkpoints = {
  ...each('checkpoints', ['checkpoint_enabled'], boolean()),
  ...each('checkpoints', ['checkpoint_mode'], oneOf('conversation', 'task')),
  ...each('checkpoints', ['checkpoint_guidance'], text()),
  ...{ gated_patterns: checkpointGates, checkpoint_gated_patterns: checkpointGates },
  ...each('checkpoints', ['standalone_checkpoint', 'resume_from_log']),
};

export const originalCoordinationKeys = {
  ...{ ...skills, ...planning, ...broadcast, ...subagents, ...evaluation, ...checkpoints },
  learning_capture_mode: withoutEffect(
    'memory',
    oneOf('round', 'verification_and_final_only', 'final_only'),
  ),
  compression_target_ratio: withoutEffect('memory', share),
  ...each('other', ['use_two_tier_workspace'], boolean(), 'use write_mode'),
  ...each('decision', ['enable_changedoc'], boolean()),
  ...each('decision', ['gap_report_mode'], oneOf('changedoc', 'separate', 'none')),
};
