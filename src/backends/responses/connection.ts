// From a backend block to an open backend.
import type { BackendServices, BackendSettings } from '../../core/ports/backend-kind';
import type { BackendPart, ModelBackend } from '../../core/ports/model-backend';
import type { Endpoint } from '../wire/endpoint';
import { listModels } from '../wire/list-models';
import { type LoadedKey, loadKey } from '../wire/load-key';
import type { OpenAiConnection } from '../wire/openai.lazy';
import { WireBackend } from '../wire/wire-backend';
import { responsesProtocol } from './protocol';
import { type ResponsesService, isOwnHost } from './service';

/** A block with where its requests go. */
export interface PlacedBlock {
  readonly settings: BackendSettings;
  readonly service: ResponsesService;
  readonly endpoint: Endpoint;
  /** Parameters of the address. */
  readonly query: Readonly<Record<string, string>>;
  readonly notices: readonly BackendPart[];
}

const defaultSilenceMs = 300_000;
const longestCallMs = 3_600_000;

/** The usual key goes to its maker alone; another address must name one. */
export function usualKeyNames(
  service: ResponsesService,
  endpoint: Endpoint | undefined,
): readonly string[] {
  return endpoint !== undefined && isOwnHost(service, endpoint.origin) ? [service.keyName] : [];
}

/** Throws `config/missing-secret` and the like; sends nothing. */
export async function openBackend(
  block: PlacedBlock,
  services: BackendServices,
  signal: AbortSignal,
): Promise<ModelBackend> {
  const { settings, service, endpoint, notices } = block;
  const { connection, key } = await connect(block, services, signal);
  const { openAiPost } = await import('../wire/openai.lazy');
  const post = openAiPost(connection, '/responses');
  const seconds = settings.options['timeout_seconds'];
  return new WireBackend({
    protocol: responsesProtocol({ settings, service, endpoint, notices, post }),
    ...{ endpoint, key, services, model: settings.model },
    silenceMs: typeof seconds === 'number' ? seconds * 1000 : defaultSilenceMs,
    totalMs: longestCallMs,
  });
}

/** Names of the models that the service offers now. Throws `backend/*` and `cancelled/*`. */
export async function discover(
  block: PlacedBlock,
  services: BackendServices,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { connection, key } = await connect(block, services, signal);
  const { endpoint, headers } = connection;
  const now = services.clock.now();
  return listModels({ endpoint, path: '/models', headers, key, now }, signal);
}

async function connect(
  { settings, service, endpoint, query }: PlacedBlock,
  services: BackendServices,
  signal: AbortSignal,
): Promise<{ readonly connection: OpenAiConnection; readonly key: LoadedKey | undefined }> {
  const { apiKeyName } = settings;
  const names = apiKeyName === undefined ? usualKeyNames(service, endpoint) : [apiKeyName];
  const key = await loadKey(names, services, signal);
  const headers = key === undefined ? {} : keyHeader(service, key.value);
  return { connection: { endpoint, headers, query }, key };
}

function keyHeader(service: ResponsesService, key: string): Readonly<Record<string, string>> {
  return service.keyHeader === 'api-key' ? { 'api-key': key } : { authorization: `Bearer ${key}` };
}
