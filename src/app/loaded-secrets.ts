import { namesKey } from '../base/variables';
import { isNoKey } from '../config/secret-text';
import type { Secrets } from '../core/ports/secrets';
import type { Redactor } from '../logging/redactor';
import type { AppParts } from './app-contract';

/**
 * The secrets of the shell, and for names that are none of keys the variables of the user as well. Each value that is read
 * is from then on removed from everything that is written.
 */
export function watchedSecrets(
  { secrets, variables }: Pick<AppParts, 'secrets' | 'variables'>,
  redactor: Redactor,
): Required<Secrets> {
  const isPlain = (name: string): boolean => variables !== undefined && !namesKey(name);
  return {
    async get(name): Promise<string | undefined> {
      const value = (await secrets.get(name)) ?? (isPlain(name) ? variables?.get(name) : undefined);
      if (value !== undefined && !isNoKey(value)) {
        redactor.add(value);
      }
      return value;
    },
    placesOf(name): readonly string[] {
      const places = [
        ...(secrets.placesOf?.(name) ?? []),
        ...(isPlain(name) ? (variables?.places ?? []) : []),
      ];
      return [...new Set(places)];
    },
  };
}
