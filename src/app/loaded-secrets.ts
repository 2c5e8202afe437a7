import type { Secrets } from '../core/ports/secrets';
import type { Redactor } from '../logging/redactor';

/** The secrets of the shell; each one that is read is from then on removed from everything that is written. */
export function watchedSecrets(secrets: Secrets, redactor: Redactor): Secrets {
  return {
    async get(name): Promise<string | undefined> {
      const value = await secrets.get(name);
      if (value !== undefined) {
        redactor.add(value);
      }
      return value;
    },
  };
}
