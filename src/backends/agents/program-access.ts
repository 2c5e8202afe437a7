// How a program gets to its service: with a key, or as the user has signed it in.
import type { BackendServices, BackendSettings } from '../../core/ports/backend-kind';
import { type LoadedKey, loadKey } from '../wire/load-key';
import { textOption, textsOption } from './options';
import { hostOfUrl } from './tool-servers';

export interface LoadedAccess {
  /** `undefined`: the program signs in by itself. */
  readonly key: LoadedKey | undefined;
}

/** A key that is named must be there; the usual one counts only if it is. Throws like `loadKey`. */
export async function loadAccess(
  { apiKeyName }: BackendSettings,
  usualName: string,
  { secrets }: Pick<BackendServices, 'secrets'>,
  signal: AbortSignal,
): Promise<LoadedAccess> {
  const hasUsual = apiKeyName === undefined && ((await secrets.get(usualName)) ?? '') !== '';
  const name = apiKeyName ?? (hasUsual ? usualName : undefined);
  return { key: await loadKey(name === undefined ? [] : [name], { secrets }, signal) };
}

/** Places that the program may reach: those of its own service or of the one that is named, and what the team file adds. */
export function serviceHosts(
  { options }: BackendSettings,
  own: readonly string[],
): readonly string[] {
  const named = hostOfUrl(textOption(options, 'base_url') ?? '');
  return [...(named === undefined ? own : [named]), ...textsOption(options, 'hosts')];
}
