// Reads the keys of an agent program's block, which have been checked against their list before.
import { fillReferences, referencesIn } from '../../base/variables';
import { MassGenError } from '../../core/errors';
import type { BackendKey, BackendSettings } from '../../core/ports/backend-kind';
import type { Secrets } from '../../core/ports/secrets';

type Options = BackendSettings['options'];

export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOption(options: Options, name: string): number | undefined {
  const value = options[name];
  return typeof value === 'number' ? value : undefined;
}

/** A list of texts, or a single one. */
export function textsOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string');
}

/** Members of a mapping as text. */
export function mappingOption(options: Options, name: string): Readonly<Record<string, string>> {
  const value = options[name];
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = isMapping ? Object.entries(value) : [];
  return Object.fromEntries(
    members.flatMap(([key, each]) => {
      const isPlain =
        typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean';
      return isPlain ? [[key, String(each)]] : [];
    }),
  );
}

/** `timeout_seconds`, ms. */
export function promptMsOf(options: Options): number {
  return (numberOption(options, 'timeout_seconds') ?? 3600) * 1000;
}

/** Puts the values of secrets in the place of `${NAME}`. Throws `config/missing-secret`. */
export async function filled(text: string, secrets: Secrets): Promise<string> {
  const values = new Map<string, string>();
  for (const { name, instead } of referencesIn(text)) {
    const value = (await secrets.get(name)) ?? instead;
    if (value === undefined) {
      throw new MassGenError('config/missing-secret', `There is no value under the name ${name}.`, {
        hint: `Set the key ${name}.`,
      });
    }
    values.set(JSON.stringify([name, instead]), value);
  }
  return fillReferences(text, ({ name, instead }) => values.get(JSON.stringify([name, instead])));
}

export async function allFilled(
  texts: Readonly<Record<string, string>>,
  secrets: Secrets,
): Promise<Readonly<Record<string, string>>> {
  const entries = Object.entries(texts).map(
    async ([name, text]) => [name, await filled(text, secrets)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** Keys that all agent programs have. */
export const commonKeys: readonly BackendKey[] = [
  {
    name: 'hosts',
    type: 'strings',
    isRequired: false,
    description:
      'Further hosts (`host` or `host:port`) that the program may reach beside those of its own service.',
  },
  {
    name: 'timeout_seconds',
    type: 'number',
    isRequired: false,
    minimum: 1,
    maximum: 86_400,
    description: 'Longest time that the program may work on one prompt; 3600 when absent.',
  },
];
