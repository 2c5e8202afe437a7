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
function envFiles({ cwd, home }: Pick<KeyPlaces, 'cwd' | 'home'>): readonly string[] {
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
    async get(name): Promise<string | undefined> {
      const value = places.environment[name];
      if (value !== undefined && value.trim() !== '') {
        return value;
      }
      return /(^|_)(KEY|TOKEN)$/.test(name) ? fromFiles(name, envFiles(places)) : undefined;
    },
  };
}

async function fromFiles(name: string, files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const value = parseEnvFile(await textOf(file)).get(name);
    if (value !== undefined && value !== '') {
      return value;
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
