import type { RunCaps } from '../../run/facts';
import type { RunConfig } from '../../app/app-contract';
import { readSetting } from './read-settings';

/** The user's limits; those that the team file itself states come first, also when they are higher or none. */
export function capsOf(config: RunConfig | undefined): RunCaps {
  const minutes = readSetting('limits.durationMinutes');
  const cap = (name: keyof RunCaps, ofUser: number | null): number | null =>
    config?.capsFromFile?.includes(name) === true ? config.caps[name] : ofUser;
  return {
    durationMs: cap('durationMs', minutes === null ? null : minutes * 60_000),
    modelCalls: cap('modelCalls', readSetting('limits.modelCalls')),
    costUsd: cap('costUsd', readSetting('limits.costUsd')),
  };
}
