import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  exampleFile,
  exampleName,
  exampleNames,
  isExampleName,
  resolveExample,
} from '../app/examples';
import { readTeamFile } from '../app/read-team-file';
import { UsageError } from './failure';
import type { World } from './world';

export interface TeamSource {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

export interface TeamPlace {
  /** As given on the command line; `undefined`: the usual places. */
  readonly file: string | undefined;
  /** Absolute path of the folder that a usual place is in. */
  readonly project: string;
}

type Places = Pick<World, 'cwd' | 'home' | 'installDir'>;

/** The text of a team file; `undefined` when none was named and none is at the usual places. Throws `UsageError`. */
export async function findTeamFile(
  world: Places,
  { file, project }: TeamPlace,
): Promise<TeamSource | undefined> {
  if (file !== undefined) {
    return namedFile(file, world);
  }
  for (const place of usualPlaces(world, project)) {
    if (await isFile(place)) {
      return { file: place, text: await textOf(place) };
    }
  }
  return undefined;
}

/** Where a team file is looked for when none is named. */
export function usualPlaces({ home }: Pick<World, 'home'>, project: string): readonly string[] {
  return [
    join(project, '.massgen', 'config.yaml'),
    join(home, '.config', 'massgen', 'config.yaml'),
  ];
}

async function namedFile(written: string, world: Places): Promise<TeamSource> {
  if (written.trim() === '') {
    throw new UsageError('The name of the team file is empty.');
  }
  if (isExampleName(written)) {
    const file = await findExample(written, world);
    return { file, text: await textOf(file) };
  }
  const places = placesOf(written, world);
  for (const place of places) {
    if (await isFile(place)) {
      return { file: place, text: await textOf(place) };
    }
  }
  const folder = await firstFolder(places);
  if (folder !== undefined) {
    throw new UsageError(`${folder} is a folder, not a team file.`, 'Name a file in it.');
  }
  const looked = places.map((place) => `  ${place}`);
  throw new UsageError(
    [`There is no team file ${written}. Looked for:`, ...looked].join('\n'),
    'massgen --list-examples names the teams that ship.',
  );
}

function placesOf(written: string, { cwd, home }: Places): readonly string[] {
  const own = join(home, '.config', 'massgen', 'agents', written);
  const isName = !/^[~./\\]/.test(written) && !/^[A-Za-z]:[\\/]/.test(written);
  return [
    resolve(cwd, expandHome(written, home)),
    ...(isName ? [own] : []),
    ...(isName && !/\.(ya?ml|json)$/i.test(written) ? [`${own}.yaml`] : []),
  ];
}

/** `~/x` as a shell would have expanded it. */
export function expandHome(path: string, home: string): string {
  return path === '~' ? home : path.replace(/^~(?=[/\\])/, () => home);
}

/** The file of a shipped team, by any of its names. Throws `UsageError`. */
export async function findExample(name: string, { installDir }: Places): Promise<string> {
  const found = resolveExample(name, await exampleNames(installDir));
  switch (found.kind) {
    case 'found':
      return exampleFile(installDir, found.path);
    case 'ambiguous':
      throw new UsageError(
        `More than one example is called ${name}.`,
        `Name one of them: ${found.ambiguous.map(exampleName).join(', ')}.`,
      );
    case 'unknown': {
      const near = found.nearest.map(exampleName);
      throw new UsageError(
        `There is no example ${name}.`,
        [
          ...(near.length === 0 ? [] : [`Most like it: ${near.join(', ')}.`]),
          'massgen --list-examples names all.',
        ].join('\n'),
      );
    }
  }
}

async function firstFolder(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    if ((await stat(place).catch(() => undefined))?.isDirectory() === true) {
      return place;
    }
  }
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readTeamFile(file);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
