import type { BackendKey } from '../../core/ports/backend-kind';
import { efforts } from './families';

const model: BackendKey = {
  name: 'model',
  type: 'string',
  isRequired: false,
  description: 'Name of the model as the service knows it.',
};

const baseUrl: BackendKey = {
  name: 'base_url',
  type: 'url',
  isRequired: false,
  description: "Address of the service, without `/responses`; absent: the maker's own.",
};

const apiKey: BackendKey = {
  name: 'api_key',
  type: 'secret',
  isRequired: false,
  description:
    'Variable that holds the key, as `${NAME}`; absent: the usual one at the maker, none at other addresses.',
};

const common: readonly BackendKey[] = [
  apiKey,
  {
    ...{ name: 'temperature', type: 'number', isRequired: false, minimum: 0, maximum: 2 },
    description: 'Sampling temperature; left out for models while they reason.',
  },
  {
    ...{ name: 'top_p', type: 'number', isRequired: false, minimum: 0, maximum: 1 },
    description: 'Share of the probability mass to sample from; left out like `temperature`.',
  },
  {
    ...{ name: 'max_tokens', type: 'integer', isRequired: false, minimum: 1 },
    description:
      'Longest answer of one call in tokens, thoughts included; the service takes 16 or more.',
  },
  {
    ...{ name: 'reasoning', type: 'mapping', isRequired: false },
    description:
      'How the model thinks: `effort`, `summary` (`auto`, `concise`, `detailed` or `none`), `context` and `mode`.',
  },
  {
    ...{ name: 'reasoning_effort', type: 'string', isRequired: false, values: efforts },
    description: 'How much a model that reasons may think; the same as `reasoning.effort`.',
  },
  {
    ...{ name: 'text', type: 'mapping', isRequired: false },
    description: 'How the model writes: `verbosity` is `low`, `medium` or `high`.',
  },
  {
    ...{ name: 'extra_body', type: 'mapping', isRequired: false },
    description:
      'Further members of every request, as the service knows them; model, input, tools, store and stream stay as they are.',
  },
  {
    ...{ name: 'timeout_seconds', type: 'number', isRequired: false, minimum: 1, maximum: 3600 },
    description: 'Longest silence of the service before a call is given up; 300 when absent.',
  },
];

const stores: BackendKey = {
  name: 'vector_store_ids',
  type: 'strings',
  isRequired: false,
  description: 'Stores of documents at the service that the model may search.',
};

export const openAiKeys: readonly BackendKey[] = [model, baseUrl, ...common, stores];

export const grokKeys: readonly BackendKey[] = [model, baseUrl, ...common];

export const azureKeys: readonly BackendKey[] = [
  { ...model, isRequired: true, description: 'Name of the deployment.' },
  {
    ...{ name: 'azure_endpoint', type: 'url', isRequired: false },
    description:
      'Address of the resource, `https://NAME.openai.azure.com`; absent: `base_url`, then the variable `AZURE_OPENAI_ENDPOINT`.',
  },
  { ...baseUrl, description: 'Another way to write `azure_endpoint`.' },
  {
    ...{ name: 'api_version', type: 'string', isRequired: false },
    description:
      'Version of the service, such as `preview`; dated versions belong to older addresses and are not sent.',
  },
  {
    ...{ name: 'protocol', type: 'string', isRequired: false, values: ['responses', 'chat'] },
    description: 'Method of the service; `chat` for deployments of models without responses.',
  },
  ...common,
  stores,
];
