// Where a block sends its requests, which key may go there, and how the service there differs.
import { MassGenError } from '../../core/errors';
import type { BackendSettings } from '../../core/ports/backend-kind';
import { type Endpoint, endpointAt } from '../wire/endpoint';
import { type ChatService, type Quirks, isHostOf, keyNamesAt, serviceAt } from './services';

export interface Place {
  readonly endpoint: Endpoint;
  /** One of these must be set when the block names no key; empty: none is needed. */
  readonly keyNames: readonly string[];
  /** Used when one is set. */
  readonly optionalKeyNames: readonly string[];
  readonly quirks: Quirks;
  readonly isOpenAi: boolean;
}

/** Throws `config/invalid` for an address that is missing or cannot be used. */
export function placeOf(service: ChatService, settings: BackendSettings): Place {
  if (service.baseUrl === undefined && settings.options['base_url'] === undefined) {
    throw new MassGenError('config/invalid', `The block of ${service.type} has no address.`, {
      hint: 'Write where the server is, for example base_url: http://127.0.0.1:8000/v1',
    });
  }
  const endpoint = endpointAt(settings, service.baseUrl ?? '', '/chat/completions');
  const { hostname } = new URL(endpoint.origin);
  const isAny = service.hostEnds.length === 0 || service.type === 'chatcompletion';
  const isOwn = isHostOf(hostname, service.hostEnds);
  const usual = isAny ? keyNamesAt(hostname) : service.keyNames;
  return {
    endpoint,
    keyNames: isAny || isOwn ? usual : [],
    optionalKeyNames: service.isLocal === true && endpoint.isLoopback ? service.keyNames : [],
    // A known host keeps its ways under whatever type it is written.
    quirks: (serviceAt(hostname) ?? service).quirks,
    isOpenAi: isHostOf(hostname, ['openai.com']),
  };
}
