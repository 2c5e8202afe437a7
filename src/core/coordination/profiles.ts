import type { CoordinationSettings } from '../../run/coordination-settings';
import { compatProfile, recommendedProfile } from '../../run/profiles';

export type SettingsOverrides = Partial<Omit<CoordinationSettings, 'profile'>>;

/** Settings that do what MassGen's own configuration files expect. Without a seed of its own, every run has the same. */
export function compatSettings(overrides: SettingsOverrides = {}): CoordinationSettings {
  return { ...compatProfile, runSeed: '0', ...overrides };
}

/** Settings for everything this product writes. Without a seed of its own, every run has the same. */
export function recommendedSettings(overrides: SettingsOverrides = {}): CoordinationSettings {
  return { ...recommendedProfile, runSeed: '0', ...overrides };
}
