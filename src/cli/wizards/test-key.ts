import type { App } from '../../app/app-contract';
import { settingsOf } from '../../app/services-table';
import { revealOnOneLine } from '../../run/selectors/visible-text';
import { failureOf } from '../failure';
import { systemClock } from '../system-clock';
import type { World } from '../world';

export type KeyTest =
  | { readonly kind: 'works'; readonly models: number }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'fails'; readonly reason: string };

const nothing = (): void => undefined;

/** What went wrong is told by the answer; no other place learns of the key. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Asks the service for its models with this key. The reason of a failure never holds the key. */
export async function testKey(
  kind: App['backendKinds'][number],
  { name, value }: { readonly name: string; readonly value: string },
  world: World,
): Promise<KeyTest> {
  const settings = { ...settingsOf(kind, kind.defaultModel ?? ''), apiKeyName: name };
  if (kind.discover === undefined || kind.hostOf(settings) === undefined) {
    const reason = 'this key cannot be tested alone, because its address is told by a team file.';
    return { kind: 'unknown', reason };
  }
  const services = {
    secrets: { get: (asked: string) => Promise.resolve(asked === name ? value : undefined) },
    clock: systemClock,
    logger: silent,
  };
  try {
    const models = await kind.discover(settings, services, world.interrupted);
    return { kind: 'works', models: models.length };
  } catch (error) {
    const { message, hint } = failureOf(error);
    const text = revealOnOneLine([message, hint ?? ''].join(' ').trim());
    return { kind: 'fails', reason: text.replaceAll(value, '(the key)') };
  }
}
