// What a program sees outside of the view of its agent because this product has put it there: sockets to it, files to read.
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { ProgramRequest } from '../../core/ports/workspace';
import { isBelow } from '../confinement/hidden-places';
import type { Home } from './own-places';

/**
 * Real paths, to be read only; a socket can be connected to all the same. Throws `tool/failed` for what does not exist, holds
 * a whole home, or overlaps with one of the places `apart`.
 */
export async function outsidePlaces(
  { sockets = [], readable = [] }: Pick<ProgramRequest, 'sockets' | 'readable'>,
  homes: readonly Home[],
  apart: readonly string[],
): Promise<readonly string[]> {
  const places: string[] = [];
  for (const path of [...sockets, ...readable]) {
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
    places.push(real);
  }
  return places;
}

function refuse(path: string, why: string): never {
  throw new MassGenError('tool/failed', `A program cannot be shown ${path}: it ${why}.`);
}
