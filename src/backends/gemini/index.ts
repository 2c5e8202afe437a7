// `gemini`: Google's Gemini models by their own interface.
import { MassGenError, isMassGenError } from '../../core/errors';
import type {
  BackendServices,
  BackendSettings,
  ModelKind,
  ModelPrice,
} from '../../core/ports/backend-kind';
import type { ModelBackend } from '../../core/ports/model-backend';
import { unlessInvalid } from '../wire/endpoint';
import { type LoadedKey, loadKey } from '../wire/load-key';
import { WireBackend } from '../wire/wire-backend';
import { listModels } from './discover';
import { lineOf } from './model-line';
import { defaultModel, geminiModels, priceAt } from './models';
import { GeminiProtocol } from './protocol';
import { geminiEndpointOf, geminiKeys, modelOf } from './settings';

const defaultSilenceMs = 300_000;
/** The service ends a stream after twenty minutes by itself. */
const totalMs = 30 * 60_000;

const usualKeyNames = ['GOOGLE_API_KEY', 'GEMINI_API_KEY'] as const;

export const geminiKind: ModelKind = {
  type: 'gemini',
  title: 'Google Gemini',
  description: "Gemini models by Google's own interface; needs a key of Google AI Studio.",
  keys: geminiKeys,
  hostedTools: ['web-search', 'code-execution'],
  defaultModel,
  models: geminiModels,
  hostOf: (settings) => unlessInvalid(() => geminiEndpointOf(settings))?.host,
  keyNamesOf,
  familyOf: (settings) => /^(gemini|gemma)/.exec(bareName(settings))?.[1] ?? '',
  priceOf,
  refusalOf,
  leftOutOf,
  discover,
  create,
};

function isAtGoogle(settings: BackendSettings): boolean {
  const host = unlessInvalid(() => geminiEndpointOf(settings))?.host ?? '';
  return host.endsWith('.googleapis.com');
}

/** A key that a block does not name goes to its maker alone. */
function keyNamesOf(settings: BackendSettings): readonly string[] {
  return isAtGoogle(settings) ? usualKeyNames : [];
}

/** A list price holds at the maker's own service alone, and on the day in the user's world, whatever a run's clock says. */
function priceOf(settings: BackendSettings): ModelPrice | undefined {
  return isAtGoogle(settings) ? priceAt(modelOf(settings), Date.now()) : undefined;
}

function refusalOf(settings: BackendSettings): MassGenError | undefined {
  const model = modelOf(settings);
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(model) || model.includes('..')) {
    return new MassGenError('config/invalid', `"${model}" cannot be the name of a model.`, {
      hint: `Write the name as the service has it, for example ${defaultModel}.`,
    });
  }
  try {
    geminiEndpointOf(settings);
    return undefined;
  } catch (error) {
    return isMassGenError(error) ? error : undefined;
  }
}

/** Older models take tools of the service or functions, and every agent has functions. */
function leftOutOf(settings: BackendSettings): string | undefined {
  const { hostedTools: hosted = [] } = settings;
  const model = modelOf(settings);
  return hosted.length === 0 || lineOf(model).mixesTools
    ? undefined
    : `${model} takes ${hosted.join(' and ')} only without other tools, which every agent has: it works without. Models from Gemini 3 on take both.`;
}

/** Without what the model cannot have. */
function takenBy(settings: BackendSettings): BackendSettings {
  const { hostedTools: _hosted, ...others } = settings;
  return leftOutOf(settings) === undefined ? settings : others;
}

async function create(
  written: BackendSettings,
  services: BackendServices,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const settings = takenBy(written);
  const { apiVersion, ...endpoint } = geminiEndpointOf(settings);
  const key = await keyOf(settings, services, signal);
  const { geminiPost } = await import('./client.lazy');
  const model = modelOf(settings);
  const post = geminiPost({ endpoint, apiVersion, headers: headersWith(key) });
  const seconds = settings.options['timeout_seconds'];
  return new WireBackend({
    protocol: new GeminiProtocol({ model, settings, host: endpoint.host, post }),
    ...{ endpoint, model, key, services, totalMs },
    silenceMs: typeof seconds === 'number' ? seconds * 1000 : defaultSilenceMs,
  });
}

async function discover(
  settings: BackendSettings,
  services: BackendServices,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { apiVersion, ...endpoint } = geminiEndpointOf(settings);
  const key = await keyOf(settings, services, signal);
  const headers = headersWith(key);
  return listModels({ endpoint, apiVersion, key, headers, now: services.clock.now() }, signal);
}

async function keyOf(
  settings: BackendSettings,
  services: BackendServices,
  signal: AbortSignal,
): Promise<LoadedKey | undefined> {
  const { apiKeyName } = settings;
  const names = apiKeyName === undefined ? keyNamesOf(settings) : [apiKeyName];
  return loadKey(names, services, signal);
}

function headersWith(key: LoadedKey | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { 'x-goog-api-key': key.value };
}

function bareName(settings: BackendSettings): string {
  return (modelOf(settings).split('/').at(-1) ?? '').toLowerCase();
}
