import type { CoordinationSettings } from '../../run/coordination-settings';
import { originalSettings } from '../../run/default-settings';

export type SettingsOverrides = Partial<CoordinationSettings>;

/** Settings that do what MassGen's own configuration files expect. */
export function compatSettings(overrides: SettingsOverrides = {}): CoordinationSettings {
  return { ...originalSettings, ...overrides, profile: 'compat' };
}

/** Settings for everything this product writes: drafts first, a real majority, ties without list order. */
export function recommendedSettings(overrides: SettingsOverrides = {}): CoordinationSettings {
  return {
    ...originalSettings,
    rule: 'majority',
    onSplit: 'runoff',
    tieBreak: ['approvals', 'votes_from_others', 'smaller_change', 'seeded_hash'],
    waitForFirstRival: true,
    deferVotingUntilAllAnswered: true,
    maxNewAnswersPerAgent: 3,
    maxMidstreamInjections: 2,
    turnTimeoutMs: 900_000 + 120_000,
    displayOrder: 'shuffle',
    ...overrides,
    profile: 'recommended',
  };
}
