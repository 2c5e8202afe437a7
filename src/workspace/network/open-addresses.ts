import { isIP } from 'node:net';
import { raceAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import type { OpenAddresses } from '../../core/ports/open-web';
import { isInner, plainAddress } from './addresses';
import type { Resolve } from './dial';
import { resolveBySystem } from './dial';

/**
 * Looks a host up once; whoever connects goes to the addresses that it answers, not to the name, which could lead
 * elsewhere a moment later. A name with a single inner address is refused: an honest one has none.
 */
export function openAddresses(resolve: Resolve = resolveBySystem): OpenAddresses {
  return async (host, signal) => {
    const name = host.replace(/^\[|\]$/g, '');
    const found = isIP(name) === 0 ? await lookUp(name, resolve, signal) : [name];
    const addresses = found.map(plainAddress).filter((each) => each !== undefined);
    const inner = addresses.find(isInner);
    if (inner !== undefined || addresses.length < found.length) {
      throw new MassGenError(
        'tool/denied',
        `${host} leads to ${inner ?? 'an address'}, which is not on the open internet.`,
        { hint: 'Only public pages can be fetched.' },
      );
    }
    return addresses;
  };
}

async function lookUp(
  name: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const found = await raceAbort(resolve(name), signal);
    if (found.length > 0) {
      return found;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw noAddress(name, error);
  }
  throw noAddress(name, undefined);
}

function noAddress(name: string, cause: unknown): MassGenError {
  return new MassGenError('tool/failed', `There is no host ${name}.`, {
    cause,
    hint: 'Check the address.',
  });
}
