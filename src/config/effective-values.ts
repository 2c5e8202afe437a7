// What the keys of a team file come to once profile and defaults are applied.
import { compatProfile, recommendedProfile } from '../run/profiles';
import type { RunConfig } from './run-config';
import { ballotKeys, consensusKeys } from './schema/consensus-block';
import { coordinationKeys } from './schema/coordination-block';
import { orchestratorKeys } from './schema/orchestrator-keys';
import type { Fields } from './schema/spec';
import { timeoutKeys } from './schema/timeout-block';

export interface EffectiveValue {
  /** As in a file, e.g. `orchestrator.consensus.rule`. */
  readonly key: string;
  /** As in a file. */
  readonly value: string;
  /** It is what the profile says. */
  readonly isUsual: boolean;
}

const blocks: readonly (readonly [string, Fields])[] = [
  ['orchestrator', orchestratorKeys],
  ['orchestrator.consensus', consensusKeys],
  ['orchestrator.consensus.ballot', ballotKeys],
  ['orchestrator.coordination', coordinationKeys],
  ['timeout_settings', timeoutKeys],
];

/** Each key that sets one thing, in the order of the blocks. */
export function effectiveValues({
  settings,
}: Pick<RunConfig, 'settings'>): readonly EffectiveValue[] {
  const profile: Readonly<Record<string, unknown>> =
    settings.profile === 'recommended' ? { ...recommendedProfile } : { ...compatProfile };
  const values: Readonly<Record<string, unknown>> = { ...settings };
  return blocks.flatMap(([block, fields]) =>
    Object.entries(fields).flatMap(([name, { setting }]) =>
      setting === undefined
        ? []
        : [
            {
              key: `${block}.${name}`,
              value: written(name, values[setting]),
              isUsual: JSON.stringify(values[setting]) === JSON.stringify(profile[setting]),
            },
          ],
    ),
  );
}

/** Times are kept in ms and written in seconds. */
function written(name: string, value: unknown): string {
  if (value === undefined) {
    return 'not set';
  }
  return name.endsWith('_seconds') && typeof value === 'number'
    ? String(value / 1000)
    : JSON.stringify(value).replaceAll('"', '');
}
