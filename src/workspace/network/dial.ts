import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { connect, isIP } from 'node:net';
import { isInner, plainAddress } from './addresses';
import type { HostList, Target } from './host-list';
import { targetText } from './host-list';

/** All addresses of a name; rejects when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export type Checked =
  | { readonly isAllowed: true; readonly addresses: readonly string[] }
  /** `words` go on after the name of the program, without a full stop. */
  | { readonly isAllowed: false; readonly words: string };

const connectMs = 15_000;

/** How many addresses of one name are tried. */
const triesLimit = 3;

export async function resolveBySystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * Looks a place up on the list and resolves it, once: what is dialed afterwards are the addresses that were checked. A
 * name never leads to an inner address that is not on the list itself. Rejects when the name has no address.
 */
export async function checkTarget(
  target: Target,
  hosts: HostList,
  resolve: Resolve,
): Promise<Checked> {
  const place = targetText(target);
  if (!hosts.has(target)) {
    return { isAllowed: false, words: `wanted to reach ${place}; it is not on its list` };
  }
  const isOpen = (host: string): boolean => !isInner(host) || hosts.names({ ...target, host });
  if (isIP(target.host) !== 0) {
    return isOpen(target.host)
      ? { isAllowed: true, addresses: [target.host] }
      : { isAllowed: false, words: `wanted to reach ${place}; it is not on the open internet` };
  }
  const found = (await resolve(target.host)).map(plainAddress).filter((each) => each !== undefined);
  const addresses = found.filter(isOpen).slice(0, triesLimit);
  if (addresses.length > 0 || found[0] === undefined) {
    return { isAllowed: true, addresses };
  }
  return {
    isAllowed: false,
    words: `wanted to reach ${place}; that leads to ${found[0]}, which is not on its list and not on the open internet`,
  };
}

/** The first of the addresses that answers; rejects with the last failure. */
export async function dialFirst(addresses: readonly string[], port: number): Promise<Socket> {
  let failure: unknown = new Error('The name has no address.');
  for (const host of addresses) {
    try {
      return await dial(host, port);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function dial(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.setTimeout(connectMs, () => socket.destroy(new Error(`${host} does not answer.`)));
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
