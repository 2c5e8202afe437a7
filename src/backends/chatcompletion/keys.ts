// Keys of a block of this protocol in a team file.
import type { BackendKey } from '../../core/ports/backend-kind';
import { reasoningEfforts } from './effort';
import type { ChatService } from './services';

function optional(
  name: string,
  type: BackendKey['type'],
  description: string,
  bounds: Pick<BackendKey, 'minimum' | 'maximum' | 'values'> = {},
): BackendKey {
  return { name, type, isRequired: false, description, ...bounds };
}

const sampling: readonly BackendKey[] = [
  optional(
    'temperature',
    'number',
    'Sampling temperature; models that reason refuse it and get none.',
    { minimum: 0, maximum: 2 },
  ),
  optional('top_p', 'number', 'Share of the probability mass to sample from.', {
    ...{ minimum: 0, maximum: 1 },
  }),
  optional('max_tokens', 'integer', 'Longest answer of one call in tokens.', { minimum: 1 }),
  optional('stop', 'strings', 'Texts at which an answer ends.'),
  optional('seed', 'integer', 'Number that makes sampling repeatable where the service can.'),
  optional('frequency_penalty', 'number', 'Makes repetition less likely.', {
    ...{ minimum: -2, maximum: 2 },
  }),
  optional('presence_penalty', 'number', 'Makes new subjects more likely.', {
    ...{ minimum: -2, maximum: 2 },
  }),
  optional('reasoning_effort', 'string', 'How much a model that reasons may think.', {
    values: reasoningEfforts,
  }),
  optional('parallel_tool_calls', 'boolean', 'Whether a model may make several calls at once.'),
];

const openSampling: readonly BackendKey[] = [
  optional('top_k', 'integer', 'Number of tokens to sample from.', { minimum: -1 }),
  optional('min_p', 'number', 'Least probability of a token, as a share of the likeliest.', {
    ...{ minimum: 0, maximum: 1 },
  }),
  optional('repetition_penalty', 'number', 'Makes repetition less likely; 1 is neutral.', {
    minimum: 0,
  }),
  optional(
    'chat_template_kwargs',
    'mapping',
    'Arguments of the chat template, e.g. `{enable_thinking: true}`.',
  ),
  optional('separate_reasoning', 'boolean', 'Whether the server keeps thinking apart.'),
];

const connection: readonly BackendKey[] = [
  optional(
    'extra_body',
    'mapping',
    'Further members of every request; cannot replace the model, messages, tools or stream.',
  ),
  optional(
    'extra_headers',
    'mapping',
    'Further headers of every request; keys of services do not belong here.',
  ),
  optional('takes_images', 'boolean', 'Whether the model sees pictures; absent: by its name.'),
  optional(
    'timeout_seconds',
    'number',
    'Longest silence of the service before a call is given up; 300 when absent.',
    { minimum: 1, maximum: 3600 },
  ),
];

export function keysOf(service: ChatService): readonly BackendKey[] {
  const usualKey = service.keyNames.join(', then ') || 'none';
  return [
    {
      ...{ name: 'model', type: 'string', isRequired: service.defaultModel === undefined },
      description: 'Name of the model as the service knows it.',
    },
    {
      ...{ name: 'base_url', type: 'url', isRequired: service.baseUrl === undefined },
      description: addressWords(service),
    },
    optional(
      'api_key',
      'secret',
      service.type === 'chatcompletion'
        ? 'Variable that holds the key, as `${NAME}`; absent: the usual one of a known service, none otherwise.'
        : `Variable that holds the key, as \`\${NAME}\`; absent: ${usualKey}.`,
    ),
    ...sampling,
    ...(service.quirks.takesOpenSampling === true ? openSampling : []),
    ...connection,
  ];
}

function addressWords({ type, baseUrl }: ChatService): string {
  if (type === 'chatcompletion') {
    return "Address of the service, without `/chat/completions`; absent: OpenAI's own.";
  }
  return baseUrl === undefined
    ? 'Address of the server, without `/chat/completions`.'
    : `Address of the service, without \`/chat/completions\`; absent: ${baseUrl}.`;
}
