// Keys of a backend block of MassGen that have no effect here, or none for most types of backend.
import { list } from './collections';
import { commandKeysWithoutEffect } from './command-keys';
import { anyMapping, textOrTexts } from './open-values';
import { hooks } from './permission-blocks';
import { boolean, integer, oneOf, text } from './scalars';
import { field, type Field } from './spec';
import { anything, demand, each, unless, withoutEffect } from './without-effect';

const notSent = 'this type of backend does not send it';

/** Parameters of services that MassGen hands on unchecked: those that a kind knows are sent, the others are named. */
const providerParameters = each(
  'service',
  [
    ...(['temperature', 'top_p', 'top_k', 'min_p', 'repetition_penalty'] as const),
    ...(['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const),
    ...(['stop', 'stop_sequences', 'seed', 'n', 'user', 'metadata', 'store', 'stream'] as const),
    ...(['frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs'] as const),
    ...(['top_logprobs', 'response_format', 'tool_choice', 'parallel_tool_calls'] as const),
    ...(['service_tier', 'safety_identifier', 'prompt_cache_key', 'truncation'] as const),
    ...(['modalities', 'prediction', 'verbosity', 'text'] as const),
    ...(['reasoning', 'reasoning_effort', 'thinking', 'thinking_config', 'betas'] as const),
    ...(['max_thinking_tokens', 'safety_settings', 'candidate_count'] as const),
    ...(['extra_body', 'extra_headers', 'extra_query', 'chat_template_kwargs'] as const),
    ...(['separate_reasoning', 'search_parameters', 'azure_endpoint', 'api_version'] as const),
  ],
  anything(),
  notSent,
);

/** What an agent program may do by itself; other types have no tools of their own. */
const programPermissions = {
  permission_mode: demand(
    'permissions',
    oneOf('default', 'acceptEdits', 'bypassPermissions', 'plan'),
    {
      reason: 'agents edit their own layers, and commands are confined or asked about',
      refused: 'plan, for types other than claude_code',
      refusalOf: (mode) =>
        mode === 'plan'
          ? 'plan allows no changes, which this type of backend cannot keep; write permission: read at context_paths instead.'
          : undefined,
    },
  ),
  disallowed_tools: demand('permissions', list(text()), {
    reason: '',
    refused: 'any tool, for types other than claude_code',
    isIdle: (tools) => tools.length === 0,
    refusalOf: () =>
      'disallowed_tools are tools of Claude Code, which this type of backend does not keep from its agent; use exclude_tools for tools of servers, and command_line_blocked_commands.',
  }),
};

const notGenerated = 'no media are made here; agents write text files';

/** Later switches for one service each. */
const serviceSwitches = {
  ...each('service', ['websocket_mode', 'enable_x_search'], boolean()),
  ...each('service', ['enable_programmatic_flow', 'enable_tool_search'], boolean()),
  ...each('service', ['enable_strict_tool_use'], boolean()),
  output_schema: withoutEffect('service', anyMapping()),
};

export const originalBackendKeys = {
  ...providerParameters,
  ...programPermissions,
  ...commandKeysWithoutEffect,
  ...serviceSwitches,
  ...each(
    'media',
    [
      ...(['enable_image_generation', 'enable_audio_generation'] as const),
      ...(['enable_video_generation', 'enable_file_generation'] as const),
    ],
    boolean(),
    notGenerated,
  ),
  ...each('service', ['agent_config', 'group_config', 'llm_config', 'workflow']),
  ...{ hooks },
  exclude_file_operation_mcps: unless(
    false,
    'other',
    boolean(),
    'every agent has the tools for files',
  ),
  ...each(
    'other',
    ['use_code_based_tools', 'auto_discover_custom_tools'],
    boolean(),
    'tools are called by name, those of custom_tools and mcp_servers alone',
  ),
  exclude_custom_tools: withoutEffect(
    'other',
    textOrTexts(),
    'no tools are discovered, so an agent has those that its file names alone',
  ),
  direct_mcp_servers: withoutEffect('other', textOrTexts(), 'all servers are called by name'),
  ...each(
    'service',
    ['provider', 'provider_name'],
    text(),
    'the name of a service follows from its address',
  ),
  max_mcp_message_history: withoutEffect(
    'other',
    integer({ minimum: 1 }),
    'what no longer fits is left out by itself',
  ),
  ...{ system_prompt: refusedPrompt(), append_system_prompt: refusedPrompt() },
};

/** MassGen refuses them as well: an agent would work without its instructions. */
function refusedPrompt(): Field<never> {
  return {
    spec: {
      shape: { kind: 'anything' },
      read: (_node, context) => {
        const message = 'Instructions stand in system_message, beside backend.';
        context.report(undefined, { code: 'not-supported', message });
        return undefined;
      },
    },
    description: 'Known from MassGen, which refuses it too; use system_message of the agent.',
    isRequired: false,
    isUnsupported: true,
    effect: { group: 'prompts', reason: 'use system_message of the agent', refused: 'always' },
  };
}

/** Keys that MassGen sets itself and never sends; what a file says is told once for the whole file. */
export const internalBackendKeys = Object.fromEntries(
  [
    ...['context_write_access_enabled', 'agent_temporary_workspace', 'instance_id'],
    ...['enable_rate_limit', 'agent_id', 'session_id'],
  ].map((name): readonly [string, Field<true>] => [
    name,
    {
      ...field(anything(), 'Set by the product itself; what a file says is ignored.'),
      isUnsupported: true,
    },
  ]),
);
