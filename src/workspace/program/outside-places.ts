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
  const places: string[] = [];
  const secrets = named.length === 0 ? [] : await credentials(homes);
  for (const path of [...sockets, ...readable, ...named]) {
    if (!isAbsolute(path) || path.includes('\0')) {
      return refuse(path, 'is not an absolute path');
    }
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) {
      return refuse(path, 'does not exist');
    }
    if (sockets.includes(path) && !(await lstat(real)).isSocket()) {
      return refuse(path, 'is no socket');
    }
    if (real === '/' || homes.some((home) => home.real === real || isBelow(home.real, real))) {
      return refuse(path, 'holds a whole home folder');
    }
    if (apart.some((each) => each === real || isBelow(each, real) || isBelow(real, each))) {
      return refuse(path, 'overlaps with a folder that agents work in');
    }
    if (named.includes(path) && (isSecretPath(real) || secrets.some(overlaps(real)))) {
      return refuse(path, 'holds credentials');
    }
    places.push(real);
  }
  return places;
}

async function credentials(homes: readonly Home[]): Promise<readonly string[]> {
  const all = [
    await secretsOfHomes(homes.map(({ real }) => real)),
    await secretsOfSystem(),
    await secretsNamedBy(process.env),
  ];
  return all.flatMap(({ folders, files }) => [...folders, ...files]);
}

function overlaps(path: string): (other: string) => boolean {
  return (other) => other === path || isBelow(other, path) || isBelow(path, other);
}

function refuse(path: string, why: string): never {
  throw new MassGenError('tool/failed', `A program cannot be shown ${path}: it ${why}.`);
}
