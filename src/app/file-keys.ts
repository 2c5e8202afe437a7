import { randomBytes } from 'node:crypto';
import { fileKeyName, namesFileKey } from '../base/variables';
import type { KeepKey } from '../config/load-config';
import { isNoKey } from '../config/secret-text';
import type { Secrets } from '../core/ports/secrets';

/**
 * Keys that team files hold themselves, in memory alone. Each is found under a name that only its own configuration has,
 * so that no other file can ask for it. Kept as long as the process: a run may ask for its key at any time.
 */
export class FileKeys {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #onKey: (value: string) => void;

  /** `onKey` is told each value before anybody can use it. */
  constructor(onKey: (value: string) => void) {
    this.#onKey = onKey;
  }

  /** The same name for the same key of the same file. */
  readonly keep: KeepKey = (value, file) => {
    const place = JSON.stringify([file, value]);
    const name = this.#names.get(place) ?? fileKeyName(randomBytes(8).toString('hex'));
    if (!this.#values.has(name)) {
      if (!isNoKey(value)) {
        secretParts(value).forEach(this.#onKey);
      }
      this.#names.set(place, name);
      this.#values.set(name, value);
    }
    return name;
  };

  get(name: string): string | undefined {
    return this.#values.get(name);
  }
}

/** The value, and what is secret in it by itself: `Bearer` and a key, an address with a password. */
function secretParts(value: string): readonly string[] {
  const [, afterScheme] = /^[A-Za-z]+\s+(\S+)$/.exec(value) ?? [];
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*?:([^/?#\s]+)@/i.exec(value) ?? [];
  return [value, afterScheme, password].filter((one) => one !== undefined);
}

/** The secrets of the shell, which are never asked for a key of a file. */
export function withFileKeys(secrets: Secrets, keys: FileKeys): Secrets {
  return {
    get: async (name) => (namesFileKey(name) ? keys.get(name) : secrets.get(name)),
    placesOf: (name) => secrets.placesOf?.(name) ?? [],
  };
}
