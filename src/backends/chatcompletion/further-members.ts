// What a block may add to requests by itself, and what not.
import { MassGenError } from '../../core/errors';
import type { BackendSettings } from '../../core/ports/backend-kind';
import { asObject } from '../wire/json-reading';
import { reservedMembers } from './request';

/** Names of headers that carry keys, or that the connection sets itself. */
const reservedHeaders =
  /^(authorization|proxy-.*|cookie|host|connection|transfer-encoding|content-.*|.*api-?key.*|.*token.*|.*secret.*|x-goog-.*)$/i;

/** Throws `config/invalid`. */
export function refuseReserved({ options }: BackendSettings): void {
  const member = Object.keys(asObject(options['extra_body']) ?? {}).find((name) =>
    reservedMembers.has(name),
  );
  if (member !== undefined) {
    throw new MassGenError('config/invalid', `extra_body must not contain ${member}.`, {
      hint: 'The product sets it by itself in every request.',
    });
  }
  for (const [name, value] of Object.entries(asObject(options['extra_headers']) ?? {})) {
    if (reservedHeaders.test(name) || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/i.test(name)) {
      throw new MassGenError('config/invalid', `extra_headers must not contain ${name}.`, {
        hint: 'Name a key with api_key: ${NAME} instead.',
      });
    }
    if (typeof value !== 'string' || !/^[\x20-\x7e]*$/.test(value)) {
      throw new MassGenError('config/invalid', `The header ${name} must be a plain text.`);
    }
  }
}

export function furtherHeaders({ options }: BackendSettings): Readonly<Record<string, string>> {
  const headers = Object.entries(asObject(options['extra_headers']) ?? {});
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), String(value)]));
}
