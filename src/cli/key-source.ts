import { join } from 'node:path';
import type { AppParts } from '../app/app-contract';
import { readRegularFile, readRegularFileSync } from '../app/read-regular-file';
import { ownValue } from '../base/own-value';
import { namesKey } from '../base/variables';
import { parseEnvFile } from './env-file';

export interface KeyPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

const environmentName = 'the environment';

/**
 * In this order, after the environment itself. From the folder only variables whose name says that they are keys are taken,
 * so that a project's file can redirect nothing.
 */
function envFiles({ cwd, home }: Pick<KeyPlaces, 'cwd' | 'home'>, name: string): readonly string[] {
  return [...(namesKey(name) ? [join(cwd, '.env')] : []), ...homeFiles(home)];
}

function homeFiles(home: string): readonly string[] {
  return [join(home, '.massgen', '.env'), join(home, '.config', 'massgen', '.env')];
}

/** Keys by the name of their variable: the environment first, then `.env` files. */
export function keySource(places: KeyPlaces): Required<AppParts['secrets']> {
  return {
    get: async (name) => (await findKey(name, places))?.value,
    placesOf: (name) => [environmentName, ...envFiles(places, name)],
  };
}

/** Variables for settings of a team file. Files of the home are read once, when the first variable is asked for. */
export function variableSource({
  environment,
  home,
}: Omit<KeyPlaces, 'cwd'>): NonNullable<AppParts['variables']> {
  const files = homeFiles(home);
  let read: readonly ReadonlyMap<string, string>[] | undefined;
  return {
    places: [environmentName, ...files],
    get(name): string | undefined {
      const value = ownValue(environment, name);
      if (value !== undefined && value.trim() !== '') {
        return value;
      }
      read ??= files.map((file) => parseEnvFile(textNow(file)));
      return read.map((values) => values.get(name)).find((each) => (each ?? '') !== '');
    },
  };
}

/** Far more than any file with keys has. */
const maxBytes = 1024 * 1024;

function textIn(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

function textNow(file: string): string {
  try {
    return textIn(readRegularFileSync(file, maxBytes));
  } catch {
    return '';
  }
}

/** A key and where it is: the environment (`undefined`), or the path of a file. */
export interface FoundKey {
  readonly value: string;
  readonly file: string | undefined;
}

/** What `keySource` would answer, with its place; `undefined` when there is none. */
export async function findKey(name: string, places: KeyPlaces): Promise<FoundKey | undefined> {
  const value = ownValue(places.environment, name);
  if (value !== undefined && value.trim() !== '') {
    return { value, file: undefined };
  }
  return inFiles(name, envFiles(places, name));
}

async function inFiles(name: string, files: readonly string[]): Promise<FoundKey | undefined> {
  for (const file of files) {
    const value = parseEnvFile(await textOf(file)).get(name);
    if (value !== undefined && value !== '') {
      return { value, file };
    }
  }
  return undefined;
}

async function textOf(file: string): Promise<string> {
  try {
    return textIn(await readRegularFile(file, maxBytes));
  } catch {
    return '';
  }
}
