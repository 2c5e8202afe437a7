// Where requests of a backend go.
import type { BackendSettings } from '../../core/ports/backend-kind';
import { MassGenError } from '../../core/errors';

export interface Endpoint {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly origin: string;
  /** Host with port when the port is not the scheme's own. */
  readonly host: string;
  readonly isLoopback: boolean;
}

/**
 * The address in `base_url`, or `usual`. `method` is a path that people copy with the address and that the client adds by
 * itself, e.g. `/chat/completions`. Throws `config/invalid` for an address that cannot be used.
 */
export function endpointAt(settings: BackendSettings, usual: string, method: string): Endpoint {
  const written = settings.options['base_url'];
  const text = typeof written === 'string' ? written.trim() : usual;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new MassGenError('config/invalid', `base_url is not an http address: ${text}`, {
      hint: 'Write the whole address, for example http://127.0.0.1:11434/v1.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new MassGenError('config/invalid', 'base_url must not contain a user name or password.', {
      hint: 'Name the key with api_key: ${NAME} instead.',
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new MassGenError('config/invalid', 'base_url must end with its path, without ? and #.', {
      hint: 'Name a key with api_key: ${NAME}; other parameters of an address are not sent.',
    });
  }
  const trimmed = url.pathname.replace(/\/+$/, '');
  const path = trimmed.endsWith(method) ? trimmed.slice(0, -method.length) : trimmed;
  return {
    baseUrl: `${url.origin}${path}`,
    origin: url.origin,
    host: url.host,
    isLoopback: isLoopbackName(url.hostname),
  };
}

/** What `find` gives, or `undefined` for an address that cannot be used. */
export function unlessInvalid<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

function isLoopbackName(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}
