// `chatcompletion`: any service that speaks OpenAI's chat completions.
import { raceAbort } from '../../base/abort';
import { MassGenError, isMassGenError } from '../../core/errors';
import type {
  BackendKey,
  BackendKind,
  BackendServices,
  BackendSettings,
} from '../../core/ports/backend-kind';
import type { ModelBackend } from '../../core/ports/model-backend';
import { ChatBackend } from './chat-backend';
import { endpointOf, tryEndpointOf, usualKeyName } from './endpoint';
import { familyOfModel } from './families';
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

export const chatCompletionKind: BackendKind = {
  type: 'chatcompletion',
  title: 'OpenAI-compatible service',
  description:
    'Any service or local server that speaks chat completions; needs its address and, unless it is local, a key.',
  keys,
  hostOf,
  defaultKeyName,
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

function defaultKeyName(settings: BackendSettings): string | undefined {
  const endpoint = tryEndpointOf(settings);
  return endpoint === undefined ? undefined : usualKeyName(endpoint);
}

async function create(
  settings: BackendSettings,
  services: BackendServices,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const endpoint = endpointOf(settings);
  const keyName = settings.apiKeyName ?? usualKeyName(endpoint);
  const apiKey = keyName === undefined ? undefined : await loadKey(keyName, services, signal);
  const { streamChat } = await import('./client.lazy');
  return new ChatBackend({ settings, endpoint, keyName, apiKey, services, streamChat });
}

async function loadKey(
  keyName: string,
  services: BackendServices,
  signal: AbortSignal,
): Promise<string> {
  const key = (await raceAbort(services.secrets.get(keyName), signal))?.trim() ?? '';
  if (key === '') {
    throw new MassGenError('config/missing-secret', `There is no key under the name ${keyName}.`, {
      hint: `Set the key ${keyName}, or name another one with api_key.`,
    });
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new MassGenError(
      'backend/auth',
      `The key ${keyName} has characters that no key can have.`,
      {
        hint: 'Copy the key again; it must be one word without spaces.',
      },
    );
  }
  return key;
}
