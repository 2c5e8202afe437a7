// How a program gets to its service: with a key, or as the user has signed it in.
import type { BackendServices, BackendSettings } from '../../core/ports/backend-kind';
import { type LoadedKey, loadKey } from '../wire/load-key';
import { textOption, textsOption } from './options';
import { hostOfUrl } from './tool-servers';

export interface LoadedAccess {
  /** `undefined`: the program signs in by itself. */
  readonly key: LoadedKey | undefined;
}

/** A key that is named must be there; the usual one, if there is one for this service, counts only if it is. Throws like `loadKey`. */
export async function loadAccess(
  { apiKeyName }: BackendSettings,
  usualName: string | undefined,
  { secrets }: Pick<BackendServices, 'secrets'>,
  signal: AbortSignal,
): Promise<LoadedAccess> {
  const usual = apiKeyName === undefined ? usualName : undefined;
  const hasUsual = usual !== undefined && ((await secrets.get(usual)) ?? '') !== '';
  const name = apiKeyName ?? (hasUsual ? usual : undefined);
  return { key: await loadKey(name === undefined ? [] : [name], { secrets }, signal) };
}

/**
 * Whether the program goes to its maker's service. Neither a key that is not named nor how the user is signed in is for
 * another one, which a team file may name.
 */
export function isAtMaker({ options }: BackendSettings, own: readonly string[]): boolean {
  const named = textOption(options, 'base_url');
  return named === undefined || own.some((host) => `${host}:443` === hostOfUrl(named));
}

/** Stands where a program insists on a key and its service gets none. */
export const noKey = 'none';

/** Places that the program may reach: those of its own service or of the one that is named, and what the team file adds. */
export function serviceHosts(
  { options }: BackendSettings,
  own: readonly string[],
): readonly string[] {
  const named = hostOfUrl(textOption(options, 'base_url') ?? '');
  return [...(named === undefined ? own : [named]), ...textsOption(options, 'hosts')];
}
