// `chatcompletion`: any service that speaks OpenAI's chat completions.
import { isMassGenError } from '../../core/errors';
import type {
  BackendKey,
  BackendServices,
  BackendSettings,
  ModelKind,
} from '../../core/ports/backend-kind';
import type { ModelBackend } from '../../core/ports/model-backend';
import { ChatBackend } from './chat-backend';
import { endpointOf, tryEndpointOf, usualKeyName } from './endpoint';
import { familyOfModel } from './families';
import { loadKey } from '../wire/load-key';
import { priceAt } from './prices';
import { reasoningEfforts } from './request';

const keys: readonly BackendKey[] = [
  {
    name: 'model',
    type: 'string',
    isRequired: true,
    description: 'Name of the model as the service knows it.',
  },
  {
    name: 'base_url',
    type: 'url',
    isRequired: false,
    description: "Address of the service, without `/chat/completions`; absent: OpenAI's own.",
  },
  {
    name: 'api_key',
    type: 'secret',
    isRequired: false,
    description:
      'Variable that holds the key, as `${NAME}`; absent: the usual one of a known service, none otherwise.',
  },
  {
    name: 'temperature',
    type: 'number',
    isRequired: false,
    minimum: 0,
    maximum: 2,
    description: 'Sampling temperature; models that reason refuse it and get none.',
  },
  {
    name: 'top_p',
    type: 'number',
    isRequired: false,
    minimum: 0,
    maximum: 1,
    description: 'Share of the probability mass to sample from.',
  },
  {
    name: 'max_tokens',
    type: 'integer',
    isRequired: false,
    minimum: 1,
    description: 'Longest answer of one call in tokens.',
  },
  {
    name: 'reasoning_effort',
    type: 'string',
    isRequired: false,
    values: reasoningEfforts,
    description: 'How much a model that reasons may think.',
  },
  {
    name: 'timeout_seconds',
    type: 'number',
    isRequired: false,
    minimum: 1,
    maximum: 3600,
    description: 'Longest silence of the service before a call is given up; 300 when absent.',
  },
];

export const chatCompletionKind: ModelKind = {
  type: 'chatcompletion',
  title: 'OpenAI-compatible service',
  description:
    'Any service or local server that speaks chat completions; needs its address and, unless it is local, a key.',
  keys,
  hostOf,
  keyNamesOf,
  familyOf: (settings) => familyOfModel(settings.model),
  priceOf(settings) {
    const endpoint = tryEndpointOf(settings);
    return endpoint === undefined ? undefined : priceAt(endpoint, settings.model);
  },
  refusalOf(settings) {
    try {
      endpointOf(settings);
      return undefined;
    } catch (error) {
      return isMassGenError(error) ? error : undefined;
    }
  },
  create,
};

/** A loopback server counts as inside this machine unless it is handed a key. */
function hostOf(settings: BackendSettings): string | undefined {
  const endpoint = tryEndpointOf(settings);
  if (endpoint === undefined || (endpoint.isLoopback && settings.apiKeyName === undefined)) {
    return undefined;
  }
  return endpoint.host;
}

function keyNamesOf(settings: BackendSettings): readonly string[] {
  const endpoint = tryEndpointOf(settings);
  const name = endpoint === undefined ? undefined : usualKeyName(endpoint);
  return name === undefined ? [] : [name];
}

async function create(
  settings: BackendSettings,
  services: BackendServices,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const endpoint = endpointOf(settings);
  const { apiKeyName } = settings;
  const names = apiKeyName === undefined ? keyNamesOf(settings) : [apiKeyName];
  const key = await loadKey(names, services, signal);
  const { streamChat } = await import('./client.lazy');
  return new ChatBackend({
    ...{ settings, endpoint, services, streamChat },
    keyName: key?.name,
    apiKey: key?.value,
  });
}
