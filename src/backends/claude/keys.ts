import type { BackendKey } from '../../core/ports/backend-kind';
import { efforts } from './generation';
import { defaultClaudeModel } from './models';

/** Keys of a `claude` block. */
export const claudeKeys: readonly BackendKey[] = [
  {
    ...{ name: 'model', type: 'string', isRequired: false },
    description: `Name of the model; ${defaultClaudeModel} when absent.`,
  },
  {
    ...{ name: 'base_url', type: 'url', isRequired: false },
    description:
      "Address of a gateway that speaks this protocol, without `/v1/messages`; absent: Anthropic's own.",
  },
  {
    ...{ name: 'api_key', type: 'secret', isRequired: false },
    description:
      'Variable that holds the key, as `${NAME}`; absent: `ANTHROPIC_API_KEY` at Anthropic, none elsewhere.',
  },
  {
    ...{ name: 'auth_header', type: 'string', isRequired: false },
    values: ['x-api-key', 'bearer'],
    description:
      'Header that carries the key; `x-api-key` when absent, which Anthropic and nearly all gateways take.',
  },
  {
    ...{ name: 'temperature', type: 'number', isRequired: false, minimum: 0, maximum: 1 },
    description: 'Sampling temperature; models from Opus 4.7 on refuse it and get none.',
  },
  {
    ...{ name: 'top_p', type: 'number', isRequired: false, minimum: 0, maximum: 1 },
    description: 'Share of the probability mass to sample from; not beside temperature.',
  },
  {
    ...{ name: 'top_k', type: 'integer', isRequired: false, minimum: 0 },
    description: 'Number of the most likely tokens to sample from.',
  },
  {
    ...{ name: 'max_tokens', type: 'integer', isRequired: false, minimum: 1 },
    description:
      "Longest answer of one call in tokens; when absent a fifth of the model's window, at most 64000.",
  },
  {
    ...{ name: 'thinking', type: 'mapping', isRequired: false },
    description:
      'Thinking as the service knows it: `type` (`enabled`, `adaptive` or `disabled`), `budget_tokens`, `display`; translated to what the model takes.',
  },
  {
    ...{ name: 'effort', type: 'string', isRequired: false },
    values: efforts,
    description:
      'How much the model may think; a budget of tokens for models that know no efforts.',
  },
  {
    ...{ name: 'stop_sequences', type: 'strings', isRequired: false },
    description: 'Texts that end an answer.',
  },
  {
    ...{ name: 'betas', type: 'strings', isRequired: false },
    description: 'Names of trial features, sent as `anthropic-beta`.',
  },
  {
    ...{ name: 'extra_headers', type: 'mapping', isRequired: false },
    description: 'Further headers of each request, for gateways; never a key.',
  },
  {
    ...{ name: 'timeout_seconds', type: 'number', isRequired: false, minimum: 1, maximum: 3600 },
    description: 'Longest silence of the service before a call is given up; 300 when absent.',
  },
];
