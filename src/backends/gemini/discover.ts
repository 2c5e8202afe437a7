import type { MassGenError } from '../../core/errors';
import { toMassGenError } from '../wire/errors';
import { guardedFetch } from '../wire/guarded-fetch';
import { asArray, asObject, asText } from '../wire/json-reading';
import type { LoadedKey } from '../wire/load-key';
import { beginningOf, toWireError } from '../wire/refusals';
import type { WireFault } from '../wire/wire-fault';
import { inCommonWords } from './faults';
import type { Endpoint } from '../wire/endpoint';

/** Bytes; the list of the service is far below. */
const longestList = 16 * 1024 * 1024;

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
  const send = guardedFetch({ endpoint, headers });
  try {
    const address = `${endpoint.baseUrl}/${apiVersion}/models?pageSize=1000`;
    const response = await send(address, { method: 'GET', signal });
    return namesIn(await beginningOf(response, longestList));
  } catch (error) {
    signal.throwIfAborted();
    throw toError(at, inCommonWords(toFault(error)));
  }
}

function toFault(error: unknown): WireFault {
  return error instanceof SyntaxError
    ? { kind: 'malformed', detail: 'the list of models is not JSON' }
    : toWireError(error).fault;
}

function namesIn(text: string): readonly string[] {
  const models = asArray(asObject(JSON.parse(text))?.['models']).map((model) => asObject(model));
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
