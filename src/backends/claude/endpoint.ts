// Where requests go, and what they are labelled with.
import { MassGenError } from '../../core/errors';
import type { BackendSettings } from '../../core/ports/backend-kind';
import { type Endpoint, endpointAt } from '../wire/endpoint';
import type { LoadedKey } from '../wire/load-key';
import { asObject } from '../wire/json-reading';

/** Named by every request. Under later versions no model takes sampling parameters, not even those that know them. */
const apiVersion = '2023-06-01';

const anthropicUrl = 'https://api.anthropic.com';

/** Names of headers that say who asks; they would hand a key past the store of keys. */
const authHeader =
  /authori[sz]ation|authenticat|cookie|token|secret|password|credential|apikey|(^|[-_])(auth|key)([-_]|$)/;
/** Written by the adapter or by the connection itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['anthropic-version', 'anthropic-beta', 'content-type', 'content-length', 'accept'],
  ...['host', 'connection', 'transfer-encoding', 'user-agent'],
]);

/** The client adds `/v1/messages` by itself. Throws `config/invalid` for an address that cannot be used. */
export function claudeEndpoint(settings: BackendSettings): Endpoint {
  const endpoint = endpointAt(settings, anthropicUrl, '/v1/messages');
  return { ...endpoint, baseUrl: endpoint.baseUrl.replace(/\/v1$/, '') };
}

/** Anthropic's own service, where its list prices hold. */
export function isAnthropic(endpoint: Endpoint): boolean {
  return endpoint.host === 'api.anthropic.com';
}

/** All headers of a request beside the usual ones. Throws `config/invalid` like `fileHeaders`. */
export function claudeHeaders(
  settings: BackendSettings,
  key: LoadedKey | undefined,
): Readonly<Record<string, string>> {
  return {
    ...fileHeaders(settings),
    'anthropic-version': apiVersion,
    ...(key === undefined ? {} : keyHeader(settings, key.value)),
  };
}

function keyHeader(settings: BackendSettings, key: string): Readonly<Record<string, string>> {
  return settings.options['auth_header'] === 'bearer'
    ? { authorization: `Bearer ${key}` }
    : { 'x-api-key': key };
}

/** Headers of the team file. Throws `config/invalid` for one that the adapter writes or that would carry a key. */
export function fileHeaders(settings: BackendSettings): Readonly<Record<string, string>> {
  const headers = Object.entries(asObject(settings.options['extra_headers']) ?? {});
  const betas = listOf(settings.options['betas']);
  return {
    ...Object.fromEntries(
      headers.map(([name, value]) => [checkedName(name), checkedText(name, value)]),
    ),
    ...(betas.length === 0
      ? {}
      : { 'anthropic-beta': checkedText('anthropic-beta', betas.join(',')) }),
  };
}

function checkedName(written: string): string {
  const name = written.toLowerCase();
  if (authHeader.test(name)) {
    throw new MassGenError('config/invalid', `extra_headers must not have ${written}.`, {
      hint: 'Name the key with api_key: ${NAME}; auth_header says in which header it is sent.',
    });
  }
  if (ownHeaders.has(name) || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) {
    throw new MassGenError('config/invalid', `extra_headers must not have ${written}.`, {
      hint: 'It is written by the product itself; betas has a key of its own.',
    });
  }
  return name;
}

function checkedText(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!/^[\x20-\x7e]*$/.test(text)) {
    throw new MassGenError('config/invalid', `The header ${name} must be one line of plain text.`);
  }
  return text;
}

export function listOf(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === 'string').filter((one) => one.trim() !== '');
}
