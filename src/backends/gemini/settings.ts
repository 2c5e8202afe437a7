import type { BackendKey, BackendSettings } from '../../core/ports/backend-kind';
import { type Endpoint, endpointAt } from '../wire/endpoint';
import { apiVersionOf } from './model-line';
import { defaultModel } from './models';
import { reasoningEfforts, thinkingLevels } from './thinking';

const usualAddress = 'https://generativelanguage.googleapis.com';

/** Where requests go, and for which version of the interface. */
export interface GeminiEndpoint extends Endpoint {
  readonly apiVersion: string;
}

/** Throws `config/invalid` for an address that cannot be used. */
export function geminiEndpointOf(settings: BackendSettings): GeminiEndpoint {
  const endpoint = endpointAt(settings, usualAddress, '/models');
  // People copy the address with the version at its end.
  const copied = /^(.*)\/(v\d+(?:alpha|beta)?\d*)$/.exec(endpoint.baseUrl);
  const written = settings.options['api_version'];
  const apiVersion =
    typeof written === 'string' && written !== ''
      ? written
      : (copied?.[2] ?? apiVersionOf(modelOf(settings)));
  return { ...endpoint, baseUrl: copied?.[1] ?? endpoint.baseUrl, apiVersion };
}

export function modelOf({ model }: BackendSettings): string {
  return model === '' ? defaultModel : model;
}

const optional = { isRequired: false } as const;

export const geminiKeys: readonly BackendKey[] = [
  {
    ...{ ...optional, name: 'model', type: 'string' },
    description: `Name of the model, e.g. \`${defaultModel}\`, which is also the one that is used when absent.`,
  },
  {
    ...{ ...optional, name: 'base_url', type: 'url' },
    description: "Address of the service; absent: Google's own.",
  },
  {
    ...{ ...optional, name: 'api_key', type: 'secret' },
    description:
      'Variable that holds the key, as `${NAME}`; absent: GOOGLE_API_KEY, then GEMINI_API_KEY.',
  },
  {
    ...{ ...optional, name: 'api_version', type: 'string' },
    description:
      'Version of the interface; absent: `v1`, and `v1beta` for previews and names that end in `-latest`.',
  },
  {
    ...{ ...optional, name: 'temperature', type: 'number', minimum: 0, maximum: 2 },
    description: 'Sampling temperature; newer models are made for 1, which they use when absent.',
  },
  {
    ...{ ...optional, name: 'top_p', type: 'number', minimum: 0, maximum: 1 },
    description: 'Share of the probability mass to sample from.',
  },
  {
    ...{ ...optional, name: 'top_k', type: 'integer', minimum: 1 },
    description: 'Number of the likeliest tokens to sample from.',
  },
  {
    ...{ ...optional, name: 'max_tokens', type: 'integer', minimum: 1 },
    description: 'Longest answer of one call in tokens, thoughts included.',
  },
  {
    ...{ ...optional, name: 'reasoning_effort', type: 'string', values: reasoningEfforts },
    description: 'How much the model may think, in the word that all services share.',
  },
  {
    ...{ ...optional, name: 'thinking_level', type: 'string', values: thinkingLevels },
    description:
      'How much the model may think; becomes a number of tokens for models before Gemini 3.',
  },
  {
    ...{ ...optional, name: 'thinking_budget', type: 'integer', minimum: -1 },
    description:
      'Tokens for thoughts, 0 for none, -1 as the model likes; becomes a level from Gemini 3 on.',
  },
  {
    ...{ ...optional, name: 'thinking', type: 'mapping' },
    description:
      'The same as a mapping: `level`, `budget`, and `include_thoughts: false` to see none of them.',
  },
  {
    ...{ ...optional, name: 'safety_settings', type: 'mapping' },
    description: 'Category of harm to threshold, e.g. `harassment: block_only_high`.',
  },
  {
    ...{ ...optional, name: 'stop_sequences', type: 'strings' },
    description: 'Texts at which an answer ends; up to five.',
  },
  {
    ...{ ...optional, name: 'timeout_seconds', type: 'number', minimum: 1, maximum: 3600 },
    description: 'Longest silence of the service before a call is given up; 300 when absent.',
  },
];
