// Asks a service for the names of its models.
import { asArray, asObject, asText } from './json-reading';
import { toMassGenError } from './errors';
import type { Endpoint } from './endpoint';
import type { LoadedKey } from './load-key';
import { WireError, type WireFault } from './wire-fault';

/** Lists of the largest services are below this. */
const longestAnswer = 16 * 1024 * 1024;

export interface ModelListing {
  readonly endpoint: Endpoint;
  /** Below the base address, e.g. `/models`; may have a query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: LoadedKey | undefined;
  /** Unix ms. */
  readonly now: number;
}

/**
 * Names in the order of the service, each once: `id`, or `name` without `models/`, of the members of `data` or `models`.
 * Follows no redirect. Throws `backend/*` and `cancelled/*`.
 */
export async function listModels(
  listing: ModelListing,
  signal: AbortSignal,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const { endpoint, key, now } = listing;
  try {
    return namesIn(await fetchJson(listing, signal));
  } catch (error) {
    signal.throwIfAborted();
    const fault: WireFault =
      error instanceof WireError ? error.fault : { kind: 'connection', cause: error };
    throw toMassGenError(fault, {
      ...{ host: endpoint.host, baseUrl: endpoint.baseUrl, model: '' },
      ...{ keyName: key?.name, apiKey: key?.value, now },
    });
  }
}

async function fetchJson(
  { endpoint, path, headers }: ModelListing,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await globalThis.fetch(`${endpoint.baseUrl}${path}`, {
    headers: { accept: 'application/json', 'user-agent': 'massgen', ...headers },
    ...{ redirect: 'manual', signal },
  });
  const text = await bounded(response);
  const body = parsed(text);
  if (!response.ok) {
    throw new WireError({
      ...{ kind: 'status', status: response.status, text: body === undefined ? text : '' },
      body: asObject(body)?.['error'] ?? body,
      header: (name) => response.headers.get(name) ?? undefined,
    });
  }
  if (body === undefined) {
    throw new WireError({ kind: 'malformed', detail: 'the list of models is not JSON' });
  }
  return body;
}

async function bounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  // A body is asynchronously iterable here; leaving the loop closes the connection.
  const pieces: AsyncIterable<Uint8Array> | null = body;
  for await (const piece of pieces ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > longestAnswer) {
      throw new WireError({ kind: 'malformed', detail: 'the list of models has no end' });
    }
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function namesIn(body: unknown): readonly string[] {
  const members = asObject(body);
  const list = [body, members?.['data'], members?.['models']].find((each) => Array.isArray(each));
  const names = asArray(list).map((entry) => {
    const model = asObject(entry);
    return asText(model?.['id']) || asText(model?.['name']).replace(/^models\//, '');
  });
  return [...new Set(names.filter((name) => name !== ''))];
}
