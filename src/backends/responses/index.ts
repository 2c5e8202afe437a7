// `openai`, `grok` and `azure_openai`: services that are asked for responses.
import { MassGenError, isMassGenError } from '../../core/errors';
import type { BackendSettings, ModelKind } from '../../core/ports/backend-kind';
import { findModel } from '../catalog/lookup';
import { chatCompletionKind } from '../chatcompletion/index';
import { familyOfModel } from '../chatcompletion/families';
import { type Endpoint, endpointAt, unlessInvalid } from '../wire/endpoint';
import { asObject } from '../wire/json-reading';
import { type Environment, azureEndpoint, azureQuery, speaksChat, unusedVersion } from './azure';
import { type PlacedBlock, discover, openBackend, usualKeyNames } from './connection';
import { effortInName, efforts } from './families';
import { azureKeys, grokKeys, openAiKeys } from './keys';
import {
  type ResponsesService,
  azureService,
  grokService,
  isOwnHost,
  openAiService,
} from './service';
import { notice } from './tuning';

export const openAiKind: ModelKind = {
  ...responsesKind(openAiService, {
    place: (settings) => placed(settings, openAiService, 'https://api.openai.com/v1'),
  }),
  title: 'OpenAI',
  description: "OpenAI's models through its Responses method; needs a key.",
  keys: openAiKeys,
  defaultModel: 'gpt-6.2-sol',
};

export const grokKind: ModelKind = {
  ...responsesKind(grokService, {
    place: (settings) => placed(settings, grokService, 'https://api.x.ai/v1'),
    refuse: refuseLiveSearch,
  }),
  title: 'xAI Grok',
  description: "xAI's models with its search of the web and of X; needs a key.",
  keys: grokKeys,
  defaultModel: 'grok-4.6',
};

/** `environment`: variables of the process, which may name the resource. */
export function createAzureKind(environment: Environment): ModelKind {
  const place = (settings: BackendSettings): PlacedBlock => {
    const unused = unusedVersion(settings);
    const message = `api_version ${unused} belongs to an older address of Azure and is not sent.`;
    return {
      ...{ settings, service: azureService, endpoint: azureEndpoint(settings, environment) },
      query: azureQuery(settings),
      notices: unused === undefined ? [] : [notice('setting-left-out', message)],
    };
  };
  const { discover: _discover, ...kind } = responsesKind(azureService, { place });
  return {
    ...kind,
    title: 'Azure OpenAI',
    description:
      'Models of OpenAI in a resource of your own at Azure; needs its address and a key.',
    keys: azureKeys,
    async create(settings, services, signal) {
      if (!speaksChat(settings)) {
        return kind.create(settings, services, signal);
      }
      const { endpoint } = place(settings);
      const [usual] = usualKeyNames(azureService, endpoint);
      const block = {
        ...settings,
        apiKeyName: settings.apiKeyName ?? usual,
        options: { ...settings.options, base_url: endpoint.baseUrl },
      };
      return chatCompletionKind.create(block, services, signal);
    },
  };
}

interface KindParts {
  /** Throws `config/invalid` for an address that cannot be used. */
  readonly place: (settings: BackendSettings) => PlacedBlock;
  /** Throws `config/invalid` for settings that the service refuses. */
  readonly refuse?: (settings: BackendSettings) => void;
}

type Common = Omit<ModelKind, 'title' | 'description' | 'keys' | 'defaultModel'>;

function responsesKind(service: ResponsesService, { place, refuse }: KindParts): Common {
  const endpointOf = (settings: BackendSettings): Endpoint | undefined =>
    unlessInvalid(() => place(settings).endpoint);
  return {
    type: service.type,
    hostedTools: (['web-search', 'code-execution'] as const).filter(
      (name) => name in service.hosted,
    ),
    ...(service.hasListPrices ? { models: service.models } : {}),
    hostOf(settings) {
      const endpoint = endpointOf(settings);
      // A loopback server counts as inside this machine unless it is handed a key.
      const isInside = endpoint?.isLoopback === true && settings.apiKeyName === undefined;
      return isInside ? undefined : endpoint?.host;
    },
    keyNamesOf: (settings) => usualKeyNames(service, endpointOf(settings)),
    familyOf: ({ model }) => familyOfModel(model),
    priceOf(settings) {
      const block = unlessInvalid(() => place(settings));
      const isListed =
        service.hasListPrices && block !== undefined && isOwnHost(service, block.endpoint.origin);
      return isListed ? findModel(service.models, block.settings.model)?.price : undefined;
    },
    refusalOf(settings) {
      try {
        place(settings);
        checkReasoning(settings);
        refuse?.(settings);
        return undefined;
      } catch (error) {
        return isMassGenError(error) ? error : undefined;
      }
    },
    discover: async (settings, services, signal) => discover(place(settings), services, signal),
    create: async (settings, services, signal) => openBackend(place(settings), services, signal),
  };
}

function placed(settings: BackendSettings, service: ResponsesService, usual: string): PlacedBlock {
  const endpoint = endpointAt(settings, usual, '/responses');
  return { settings: withEffort(settings), service, endpoint, query: {}, notices: [] };
}

/** An effort in the name of the model holds unless the block says another one. */
function withEffort(settings: BackendSettings): BackendSettings {
  const named = effortInName(settings.model);
  return named === undefined
    ? settings
    : {
        ...{ ...settings, model: named.model },
        options: { reasoning_effort: named.effort, ...settings.options },
      };
}

function checkReasoning({ options }: BackendSettings): void {
  const effort = asObject(options['reasoning'])?.['effort'];
  if (effort !== undefined && effort !== null && !efforts.some((one) => one === effort)) {
    throw new MassGenError(
      'config/invalid',
      `There is no reasoning effort ${JSON.stringify(effort)}.`,
      {
        hint: `Write one of ${efforts.join(', ')}.`,
      },
    );
  }
}

/** The parameters of an older search, which this method does not take. */
function refuseLiveSearch({ options, hostedTools }: BackendSettings): void {
  if (asObject(options['extra_body'])?.['search_parameters'] === undefined) {
    return;
  }
  const isBoth = hostedTools?.includes('web-search') === true;
  throw new MassGenError(
    'config/invalid',
    isBoth
      ? 'enable_web_search and extra_body.search_parameters are both set, use one.'
      : 'extra_body.search_parameters belongs to an older method of xAI.',
    {
      hint: isBoth
        ? 'Take search_parameters out of extra_body.'
        : 'Write enable_web_search: true instead.',
    },
  );
}
