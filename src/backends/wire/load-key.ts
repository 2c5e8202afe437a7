import { raceAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import type { BackendServices } from '../../core/ports/backend-kind';

export interface LoadedKey {
  /** Name of the variable that holds it. */
  readonly name: string;
  readonly value: string;
}

/**
 * The key of the first of these variables that is set; `undefined` when there are no names. Throws `config/missing-secret`
 * when none is set, `backend/auth` for a value that cannot be a key, and `cancelled/*`.
 */
export async function loadKey(
  names: readonly string[],
  { secrets }: Pick<BackendServices, 'secrets'>,
  signal: AbortSignal,
): Promise<LoadedKey | undefined> {
  for (const name of names) {
    const value = (await raceAbort(secrets.get(name), signal))?.trim() ?? '';
    if (value !== '') {
      refuseUnusable(name, value);
      return { name, value };
    }
  }
  const [first] = names;
  if (first === undefined) {
    return undefined;
  }
  const others = names.length === 1 ? '' : ` (nor under ${names.slice(1).join(', ')})`;
  throw new MassGenError(
    'config/missing-secret',
    `There is no key under the name ${first}${others}.`,
    {
      hint: `Set the key ${first}, or name another one with api_key.`,
    },
  );
}

function refuseUnusable(name: string, value: string): void {
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new MassGenError('backend/auth', `The key ${name} has characters that no key can have.`, {
      hint: 'Copy the key again; it must be one word without spaces.',
    });
  }
}
