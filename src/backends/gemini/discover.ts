import { type MassGenError, isMassGenError } from '../../core/errors';
import { toMassGenError } from '../wire/errors';
import { guardedFetch } from '../wire/guarded-fetch';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { LoadedKey } from '../wire/load-key';
import { statusFault, thrownFault } from './faults';
import type { Endpoint } from '../wire/endpoint';

export interface ListedAt {
  readonly endpoint: Endpoint;
  readonly apiVersion: string;
  readonly key: LoadedKey | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Unix ms. */
  readonly now: number;
}

/** Names of the models that answer prompts. Throws `backend/*` and `cancelled/*`. */
export async function listModels(at: ListedAt, signal: AbortSignal): Promise<readonly string[]> {
  const { endpoint, apiVersion, headers } = at;
  const send = guardedFetch({ endpoint, headers, onBytes: () => undefined });
  try {
    const address = `${endpoint.baseUrl}/${apiVersion}/models?pageSize=1000`;
    const response = await send(address, { method: 'GET', signal });
    const text = await response.text();
    if (!response.ok) {
      throw toError(
        at,
        statusFault(response.status, text, (name) => response.headers.get(name) ?? undefined),
      );
    }
    return namesIn(text);
  } catch (error) {
    signal.throwIfAborted();
    throw isMassGenError(error) ? error : toError(at, thrownFault(error).fault);
  }
}

/** `guardedFetch` hands an object on as one event. */
function namesIn(text: string): readonly string[] {
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const models = asArray(asObject(JSON.parse(json))?.['models']).map((model) => asObject(model));
  return models
    .filter((model) => asArray(model?.['supportedGenerationMethods']).includes('generateContent'))
    .map((model) => asText(model?.['name']).replace(/^models\//, ''))
    .filter((name) => name !== '');
}

function toError(at: ListedAt, fault: Parameters<typeof toMassGenError>[0]): MassGenError {
  const { endpoint, key, now } = at;
  return toMassGenError(fault, {
    ...{ host: endpoint.host, baseUrl: endpoint.baseUrl, model: 'models', now },
    ...{ keyName: key?.name, apiKey: key?.value },
  });
}
