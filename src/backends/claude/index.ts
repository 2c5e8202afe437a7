// `claude`: models of Anthropic, and gateways that speak its protocol.
import { isMassGenError } from '../../core/errors';
import type { BackendServices, BackendSettings, ModelKind } from '../../core/ports/backend-kind';
import type { ModelBackend } from '../../core/ports/model-backend';
import { findModel } from '../catalog/lookup';
import { unlessInvalid } from '../wire/endpoint';
import { asCount } from '../wire/json-reading';
import { listModels } from '../wire/list-models';
import { type LoadedKey, loadKey } from '../wire/load-key';
import { WireBackend } from '../wire/wire-backend';
import { claudeEndpoint, claudeHeaders, fileHeaders, isAnthropic } from './endpoint';
import { claudeKeys } from './keys';
import { claudeModels, defaultClaudeModel } from './models';
import { ClaudeProtocol } from './protocol';

const usualSilenceSeconds = 300;
const longestCallMs = 60 * 60_000;

export const claudeKind: ModelKind = {
  type: 'claude',
  title: 'Anthropic Claude',
  description: 'Claude models of Anthropic; needs a key of its API.',
  keys: claudeKeys,
  hostedTools: ['web-search', 'code-execution'],
  defaultModel: defaultClaudeModel,
  models: claudeModels,
  hostOf,
  keyNamesOf,
  familyOf: ({ model }) => (model === '' || /claude/i.test(model) ? 'claude' : ''),
  priceOf(settings) {
    const endpoint = unlessInvalid(() => claudeEndpoint(settings));
    const isListed = endpoint !== undefined && isAnthropic(endpoint);
    return isListed ? findModel(claudeModels, withModel(settings).model)?.price : undefined;
  },
  refusalOf(settings) {
    try {
      claudeEndpoint(settings);
      fileHeaders(settings);
      return undefined;
    } catch (error) {
      return isMassGenError(error) ? error : undefined;
    }
  },
  discover,
  create,
};

/** A loopback server counts as inside this machine unless it is handed a key. */
function hostOf(settings: BackendSettings): string | undefined {
  const endpoint = unlessInvalid(() => claudeEndpoint(settings));
  const isInside = endpoint?.isLoopback === true && settings.apiKeyName === undefined;
  return isInside ? undefined : endpoint?.host;
}

/** The key of Anthropic goes to Anthropic alone unless the block names it. */
function keyNamesOf(settings: BackendSettings): readonly string[] {
  const endpoint = unlessInvalid(() => claudeEndpoint(settings));
  return endpoint !== undefined && isAnthropic(endpoint) ? ['ANTHROPIC_API_KEY'] : [];
}

function withModel(settings: BackendSettings): BackendSettings {
  return settings.model === '' ? { ...settings, model: defaultClaudeModel } : settings;
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

async function create(
  written: BackendSettings,
  services: BackendServices,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const settings = withModel(written);
  const endpoint = claudeEndpoint(settings);
  const key = await keyOf(settings, services, signal);
  const headers = claudeHeaders(settings, key);
  const { anthropicPost } = await import('./client.lazy');
  const post = anthropicPost({ endpoint, headers });
  const seconds = asCount(settings.options['timeout_seconds']) ?? usualSilenceSeconds;
  return new WireBackend({
    protocol: new ClaudeProtocol({ settings, endpoint, post }),
    ...{ endpoint, model: settings.model, key, services },
    ...{ silenceMs: seconds * 1000, totalMs: longestCallMs },
  });
}

async function discover(
  settings: BackendSettings,
  services: BackendServices,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const endpoint = claudeEndpoint(settings);
  const key = await keyOf(settings, services, signal);
  const headers = claudeHeaders(settings, key);
  const now = services.clock.now();
  return listModels({ endpoint, path: '/v1/models?limit=1000', headers, key, now }, signal);
}
