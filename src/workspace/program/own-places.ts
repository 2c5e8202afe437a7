// The only parts of the user's home that a program sees and writes: those it was given.
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { MassGenError } from '../../core/errors';
import { isBelow } from '../confinement/hidden-places';
import type { SandboxLink } from '../confinement/sandbox-arguments';

export interface Home {
  /** As the user and the environment spell it. */
  readonly spelled: string;
  readonly real: string;
}

export interface OwnPlaces {
  /** Real paths, none below another. */
  readonly places: readonly string[];
  /** Other spellings of them. */
  readonly links: readonly SandboxLink[];
}

/** The homes that exist. A home that is the root of the disk hides nothing and is none. */
export async function realHomes(homes: readonly string[]): Promise<readonly Home[]> {
  const found: Home[] = [];
  for (const spelled of new Set(homes.map(withoutEndSlash))) {
    const real = isAbsolute(spelled) ? await realpath(spelled).catch(() => '/') : '/';
    if (real !== '/') {
      found.push({ spelled, real });
    }
  }
  return found;
}

/** Throws `tool/failed` for what is no existing folder or file of a home, or overlaps with one of the places `apart`. */
export async function ownPlaces(
  paths: readonly string[],
  homes: readonly Home[],
  apart: readonly string[],
): Promise<OwnPlaces> {
  const places = new Set<string>();
  const links: SandboxLink[] = [];
  for (const path of paths) {
    const real = await checkPlace(path, homes, apart);
    places.add(real);
    const shown = inRealHome(withoutEndSlash(path), homes);
    if (shown !== real) {
      links.push({ path: shown, target: real });
    }
  }
  const isOutermost = (path: string): boolean => ![...places].some((each) => isBelow(path, each));
  return {
    places: [...places].filter(isOutermost),
    links: links.filter(({ path }) => isOutermost(path)),
  };
}

async function checkPlace(
  path: string,
  homes: readonly Home[],
  apart: readonly string[],
): Promise<string> {
  if (!isAbsolute(path) || path.includes('\0')) {
    return refuse(path, 'is not an absolute path');
  }
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) {
    return refuse(path, 'does not exist');
  }
  const stat = await lstat(real);
  if (!stat.isDirectory() && !stat.isFile()) {
    return refuse(path, 'is neither a folder nor a file');
  }
  if (!homes.some((home) => isBelow(real, home.real))) {
    return refuse(path, 'is not in the home folder');
  }
  if (homes.some((home) => home.real === real || isBelow(home.real, real))) {
    return refuse(path, 'holds a whole home folder');
  }
  if (apart.some((each) => each === real || isBelow(each, real) || isBelow(real, each))) {
    return refuse(path, 'overlaps with a folder that agents work in');
  }
  return real;
}

function refuse(path: string, why: string): never {
  throw new MassGenError('tool/failed', `A program cannot be given ${path}: it ${why}.`);
}

/** A path in a home whose own path has no link in it; others stay. */
function inRealHome(path: string, homes: readonly Home[]): string {
  const home = homes.find(({ spelled }) => isBelow(path, spelled));
  return home === undefined ? path : join(home.real, path.slice(home.spelled.length));
}

function withoutEndSlash(path: string): string {
  const plain = normalize(path);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}
