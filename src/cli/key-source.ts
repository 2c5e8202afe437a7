import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppParts } from '../app/app-contract';
import { parseEnvFile } from './env-file';

export interface KeyPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

/** In this order, after the environment itself. */
export function envFiles({ cwd, home }: Pick<KeyPlaces, 'cwd' | 'home'>): readonly string[] {
  return [
    join(cwd, '.env'),
    join(home, '.massgen', '.env'),
    join(home, '.config', 'massgen', '.env'),
  ];
}

/**
 * Keys by the name of their variable: the environment first, then `.env` files. From a file only variables whose name
 * says that they are keys are taken, so that a project's file can redirect nothing.
 */
export function keySource(places: KeyPlaces): AppParts['secrets'] {
  return {
    get: async (name) => (await findKey(name, places))?.value,
  };
}

/** A key and where it is: the environment (`undefined`), or the path of a file. */
export interface FoundKey {
  readonly value: string;
  readonly file: string | undefined;
}

/** What `keySource` would answer, with its place; `undefined` when there is none. */
export async function findKey(name: string, places: KeyPlaces): Promise<FoundKey | undefined> {
  const value = places.environment[name];
  if (value !== undefined && value.trim() !== '') {
    return { value, file: undefined };
  }
  return /(^|_)(KEY|TOKEN)$/.test(name) ? inFiles(name, envFiles(places)) : undefined;
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
    return await readFile(file, 'utf8');
  } catch {
    return '';
  }
}
