// The parts of package.json and package.nls.json that are made from the table of settings.
import type { Setting } from '../src/extension/host/setting-kinds';
import { settingsTable } from '../src/extension/host/settings-table';

const settings: readonly (readonly [name: string, setting: Setting<unknown>])[] =
  Object.entries(settingsTable);

/** The manifest with the settings of the table and no others. */
export function withSettings(manifest: string): string {
  const whole = objectOf(JSON.parse(manifest));
  const capabilities = objectOf(whole['capabilities']);
  const untrusted = objectOf(capabilities['untrustedWorkspaces']);
  return pretty({
    ...whole,
    capabilities: {
      ...capabilities,
      untrustedWorkspaces: { ...untrusted, restrictedConfigurations: restricted() },
    },
    contributes: {
      ...objectOf(whole['contributes']),
      configuration: {
        title: 'MassGen',
        properties: Object.fromEntries(settings.map(property)),
      },
    },
  });
}

/** The texts of the editor with those of the settings of the table and of no others. */
export function withSettingTexts(texts: string): string {
  const others = Object.entries(objectOf(JSON.parse(texts))).filter(
    ([key]) => !key.startsWith('setting.'),
  );
  const own = settings.flatMap(([name, { text, choices = {} }]) => [
    [`setting.${name}`, text] as const,
    ...Object.entries(choices).map(
      ([value, meaning]) => [`setting.${name}.${value}`, meaning] as const,
    ),
  ]);
  return pretty(Object.fromEntries([...others, ...own]));
}

function restricted(): readonly string[] {
  return settings.flatMap(([name, { isRestricted }]) => (isRestricted ? [`massgen.${name}`] : []));
}

function property(
  [name, { schema, scope, choices }]: (typeof settings)[number],
  index: number,
): readonly [string, unknown] {
  const meanings = Object.keys(choices ?? {}).map((value) => `%setting.${name}.${value}%`);
  return [
    `massgen.${name}`,
    {
      ...schema,
      ...(meanings.length === 0 ? {} : { markdownEnumDescriptions: meanings }),
      order: index + 1,
      scope,
      markdownDescription: `%setting.${name}%`,
    },
  ];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('package.json has no object where one belongs');
  }
  return Object.fromEntries(Object.entries(value));
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
