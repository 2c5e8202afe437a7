// What a program sees outside of the view of its agent because this product has put it there: sockets to it, files to read.
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { ProgramRequest } from '../../core/ports/workspace';
import {
  isBelow,
  secretsNamedBy,
  secretsOfHomes,
  secretsOfSystem,
} from '../confinement/hidden-places';
import { isSecretPath } from '../path-rules';
import type { Home } from './own-places';

/**
 * Real paths, to be read only; a socket can be connected to all the same. Throws `tool/failed` for what does not exist, holds
 * a whole home, or overlaps with one of the places `apart`, and for what is `named` and holds credentials.
 */
export async function outsidePlaces(
  {
    sockets = [],
    readable = [],
    named = [],
  }: Pick<ProgramRequest, 'sockets' | 'readable' | 'named'>,
  homes: readonly Home[],
  apart: readonly string[],
): Promise<readonly string[]> {
  const given = [...sockets, ...readable, ...named];
  const places: string[] = [];
  const secrets = named.length === 0 ? [] : await credentials(homes);
  for (const path of given) {
    const real = await realPlace(path);
    if (sockets.includes(path) && !(await lstat(real)).isSocket()) {
      return refuse(path, 'is no socket');
    }
    const why = closedBecause(real, homes, apart);
    if (why !== undefined) {
      return refuse(path, why);
    }
    if (named.includes(path) && holdsCredentials(real, secrets)) {
      return refuse(path, 'holds credentials');
    }
    places.push(real);
  }
  return places;
}

async function realPlace(path: string): Promise<string> {
  if (!isAbsolute(path) || path.includes('\0')) {
    return refuse(path, 'is not an absolute path');
  }
  return (await realpath(path).catch(() => undefined)) ?? refuse(path, 'does not exist');
}

function closedBecause(
  real: string,
  homes: readonly Home[],
  apart: readonly string[],
): string | undefined {
  if (real === '/' || homes.some((home) => home.real === real || isBelow(home.real, real))) {
    return 'holds a whole home folder';
  }
  return apart.some(overlaps(real)) ? 'overlaps with a folder that agents work in' : undefined;
}

async function credentials(homes: readonly Home[]): Promise<readonly string[]> {
  const all = [
    await secretsOfHomes(homes.map(({ real }) => real)),
    await secretsOfSystem(),
    await secretsNamedBy(process.env),
  ];
  return all.flatMap(({ folders, files }) => [...folders, ...files]);
}

function holdsCredentials(path: string, secrets: readonly string[]): boolean {
  return isSecretPath(path) || secrets.some(overlaps(path));
}

function overlaps(path: string): (other: string) => boolean {
  return (other) => other === path || isBelow(other, path) || isBelow(path, other);
}

function refuse(path: string, why: string): never {
  throw new MassGenError('tool/failed', `A program cannot be shown ${path}: it ${why}.`);
}
