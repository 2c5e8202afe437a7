// Makes a kind of backend of one row of the table of services.
import { MassGenError, isMassGenError } from '../../core/errors';
import type {
  BackendServices,
  BackendSettings,
  ModelKind,
  ModelPrice,
} from '../../core/ports/backend-kind';
import type { ModelBackend } from '../../core/ports/model-backend';
import { modelAt, modelNamed } from '../catalog/makers';
import { unlessInvalid } from '../wire/endpoint';
import { asCount } from '../wire/json-reading';
import { listModels } from '../wire/list-models';
import { type LoadedKey, loadKey } from '../wire/load-key';
import { WireBackend } from '../wire/wire-backend';
import { effortOf } from './effort';
import { alwaysThinks, familyOfModel, refusesToolsWithThinking, seesPictures } from './families';
import { furtherHeaders, refuseReserved } from './further-members';
import { keysOf } from './keys';
import { isLocalModel } from './local-models';
import { type Place, placeOf } from './place';
import { ChatProtocol } from './protocol';
import type { ChatService } from './services';

const usualSilenceSeconds = 300;
const longestCallMs = 60 * 60_000;

const free: ModelPrice = { inputUsd: 0, cachedInputUsd: 0, outputUsd: 0 };

export function chatKind(service: ChatService, description: string): ModelKind {
  const place = (settings: BackendSettings): Place => placeOf(service, settings);
  const tryPlace = (settings: BackendSettings): Place | undefined =>
    unlessInvalid(() => place(settings));
  return {
    type: service.type,
    ...(service.aliases === undefined ? {} : { aliases: service.aliases }),
    ...{ title: service.title, description, keys: keysOf(service) },
    ...(service.defaultModel === undefined ? {} : { defaultModel: service.defaultModel }),
    ...(service.models === undefined ? {} : { models: service.models }),
    hostOf: (settings) => hostOf(tryPlace(settings), settings),
    keyNamesOf: (settings) => tryPlace(settings)?.keyNames ?? [],
    familyOf: (settings) => familyOfModel(modelOf(service, settings)),
    priceOf: (settings) => priceAt(tryPlace(settings), service, modelOf(service, settings)),
    refusalOf: (settings) => refusalOf(() => place(settings), settings),
    discover: async (settings, services, signal) =>
      discover(place(settings), { settings, services }, signal),
    create: async (settings, services, signal) =>
      create(service, { settings: withModel(service, settings), services }, signal),
  };
}

function modelOf(service: ChatService, { model }: BackendSettings): string {
  return model === '' ? (service.defaultModel ?? '') : model;
}

function withModel(service: ChatService, settings: BackendSettings): BackendSettings {
  return { ...settings, model: modelOf(service, settings) };
}

/** A loopback server counts as inside this machine unless it is handed a key. */
function hostOf(place: Place | undefined, { apiKeyName }: BackendSettings): string | undefined {
  const isInside = place?.endpoint.isLoopback === true && apiKeyName === undefined;
  return isInside ? undefined : place?.endpoint.host;
}

/** `undefined` when the price is not known, which is also so for a known model at somebody else's service. */
function priceAt(
  place: Place | undefined,
  service: ChatService,
  model: string,
): ModelPrice | undefined {
  if (place === undefined) {
    return undefined;
  }
  if (place.endpoint.isLoopback) {
    return isLocalModel(service, place.endpoint, model) ? free : undefined;
  }
  const found = modelAt(new URL(place.endpoint.origin).hostname, model);
  // What holds until a day only is for who knows the day.
  return found?.priceUntil === undefined ? found?.price : undefined;
}

function refusalOf(find: () => Place, settings: BackendSettings): MassGenError | undefined {
  try {
    const { isOpenAi } = find();
    refuseReserved(settings);
    return isOpenAi ? refusalOfThinker(settings) : undefined;
  } catch (error) {
    return isMassGenError(error) ? error : undefined;
  }
}

/** These models take tools here only without thinking. */
function refusalOfThinker({ model, options }: BackendSettings): MassGenError | undefined {
  const effort = effortOf(options['reasoning_effort']);
  const wantsThinking = (effort !== undefined && effort !== 'none') || alwaysThinks(model);
  return refusesToolsWithThinking(model) && wantsThinking
    ? new MassGenError(
        'config/invalid',
        `${model} does not think and use tools at once in chats.`,
        {
          hint: 'Write type: openai instead of type: chatcompletion.',
        },
      )
    : undefined;
}

interface Opening {
  readonly settings: BackendSettings;
  readonly services: BackendServices;
}

async function create(
  service: ChatService,
  { settings, services }: Opening,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const place = placeOf(service, settings);
  refuseReserved(settings);
  const key = await keyFor(place, { settings, services }, signal);
  const { openAiPost } = await import('../wire/openai.lazy');
  const { endpoint, quirks, isOpenAi } = place;
  const { model, options } = settings;
  const takesImages = options['takes_images'] ?? seesPictures(model);
  const origin = `chat ${endpoint.host} ${model}`;
  const limit = asCount(options['max_tokens']);
  const protocol = new ChatProtocol({
    target: { settings, quirks, isOpenAi, takesImages: takesImages === true, origin },
    host: endpoint.host,
    capabilities: {
      ...{ hasTools: true, hasParallelToolCalls: options['parallel_tool_calls'] !== false },
      ...(takesImages === true ? { media: ['image'] } : {}),
      contextWindowTokens: modelNamed(model)?.contextWindowTokens,
      // Only what the user set: services count an announced limit against their rate limits.
      maxOutputTokens: limit,
    },
    post: openAiPost({ endpoint, headers: headersOf(settings, key) }, '/chat/completions'),
  });
  const seconds = asCount(options['timeout_seconds']) ?? usualSilenceSeconds;
  return new WireBackend({
    ...{ protocol, endpoint, model, key, services },
    ...{ silenceMs: seconds * 1000, totalMs: longestCallMs },
  });
}

async function discover(
  place: Place,
  { settings, services }: Opening,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const key = await keyFor(place, { settings, services }, signal);
  const headers = headersOf(settings, key);
  const { endpoint } = place;
  const now = services.clock.now();
  return listModels({ endpoint, path: '/models', headers, key, now }, signal);
}

/** The key that the block names, or the usual one; a server on this machine gets its usual one when it is set. */
async function keyFor(
  place: Place,
  { settings, services }: Opening,
  signal: AbortSignal,
): Promise<LoadedKey | undefined> {
  const { apiKeyName } = settings;
  if (apiKeyName !== undefined) {
    return loadKey([apiKeyName], services, signal);
  }
  if (place.optionalKeyNames.length > 0) {
    return loadKey(place.optionalKeyNames, services, signal).catch((error: unknown) => {
      if (isMassGenError(error, 'config/missing-secret')) {
        return undefined;
      }
      throw error;
    });
  }
  return loadKey(place.keyNames, services, signal);
}

function headersOf(
  settings: BackendSettings,
  key: LoadedKey | undefined,
): Readonly<Record<string, string>> {
  return {
    ...furtherHeaders(settings),
    ...(key === undefined ? {} : { authorization: `Bearer ${key.value}` }),
  };
}
