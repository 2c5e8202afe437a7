import { compatProfile, type ProfileSettings, recommendedProfile } from '../../run/profiles';
import { number, type NumberBounds } from './scalars';
import { field, type Field, type Fields, type Spec } from './spec';

type Name = keyof ProfileSettings;

interface SettingOptions {
  /** A setting as it would be written in a file. */
  readonly show?: (value: unknown) => string;
  /** In place of what the profiles say. */
  readonly defaultText?: string;
}

/** A key that sets one setting of a run and nothing else; its default is that of the profiles. */
export function setting<K extends Name>(
  name: K,
  spec: Spec<ProfileSettings[K]>,
  description: string,
  { show = String, defaultText }: SettingOptions = {},
): Field<ProfileSettings[K]> {
  const recommended = show(recommendedProfile[name]);
  const compat = show(compatProfile[name]);
  const byProfile =
    recommended === compat ? compat : `${recommended} (recommended), ${compat} (compat)`;
  return {
    ...field(spec, description, { defaultText: defaultText ?? byProfile }),
    setting: name,
  };
}

/** The settings that the keys of one block set. */
export function settingsIn(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
): Partial<ProfileSettings> {
  const found: Record<string, unknown> = {};
  for (const [key, { setting: name }] of Object.entries(fields)) {
    if (name !== undefined && values[key] !== undefined) {
      found[name] = values[key];
    }
  }
  // Each value was made by the spec of its own setting.
  return found;
}

/** Seconds in the file, whole milliseconds once read. */
export function seconds(bounds: NumberBounds): Spec<number> {
  const plain = number(bounds);
  return {
    shape: plain.shape,
    read: (node, context) => {
      const value = plain.read(node, context);
      return value === undefined ? undefined : Math.round(value * 1000);
    },
  };
}

export function inSeconds(ms: unknown): string {
  return typeof ms === 'number' ? String(ms / 1000) : String(ms);
}
