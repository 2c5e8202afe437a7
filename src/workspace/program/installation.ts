// What of a hidden home a program needs to be started at all: itself, its interpreter, and what they were installed with.
import { constants } from 'node:fs';
import { access, open, readdir, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { firstOf } from '../../base/text';
import { MassGenError } from '../../core/errors';
import { isBelow } from '../confinement/hidden-places';

export interface Installation {
  /** Real paths in the homes, to be read only. */
  readonly parts: readonly string[];
  /** Value of PATH without links in it. */
  readonly searchPath: string;
}

export interface InstallationOptions {
  readonly searchPath: string;
  /** Real paths. */
  readonly homes: readonly string[];
  /** Real paths that must not come into view with a folder around them. */
  readonly closed: readonly string[];
}

/** Folders of a home that hold much else beside programs. */
const sharedFolders = ['.local', '.local/share', '.config', '.cache', 'Library'];

/** Throws `tool/failed` when a program without a path is nowhere on the search path. */
export async function findInstallation(
  program: string,
  options: InstallationOptions,
): Promise<Installation> {
  const folders = await realFolders(options.searchPath);
  await checkNamed(program, folders);
  const files = await withInterpreters(program, folders);
  const parts = [
    ...files.flatMap(({ file }) => (file === undefined ? [] : [partOf(file, options)])),
    ...folders.map((folder) => shownAround(folder, options)),
    ...(await runtimeParts(options)),
  ].filter((part) => part !== undefined);
  return { parts: [...new Set(parts)], searchPath: folders.join(delimiter) };
}

/** Throws `tool/failed` when there is no such program. */
export async function checkInstalled(program: string, searchPath: string): Promise<void> {
  await checkNamed(program, await realFolders(searchPath));
  if (isAbsolute(program) && !(await isExecutable(program))) {
    throw new MassGenError('tool/failed', `${program} cannot be found, or is no program.`);
  }
}

async function checkNamed(program: string, folders: readonly string[]): Promise<void> {
  if (program.includes('/') && !isAbsolute(program)) {
    throw new MassGenError('tool/failed', `${program} is neither a name nor a whole path.`);
  }
  if (!isAbsolute(program) && (await inFolders(program, folders)) === undefined) {
    const searched = folders.length === 0 ? 'there are none' : firstOf(folders, 3);
    throw new MassGenError(
      'tool/failed',
      `${program} cannot be found in the folders of PATH (${searched}).`,
      { hint: 'Install it, or give its whole path.' },
    );
  }
}

/** What a program needs to be run, as it is named, and its real path; `undefined`: it is not there. */
interface Needed {
  readonly name: string;
  readonly file: string | undefined;
}

/** A program, then what its first line names, and so on. */
export async function filesOf(program: string, searchPath: string): Promise<readonly Needed[]> {
  return withInterpreters(program, await realFolders(searchPath));
}

async function withInterpreters(
  program: string,
  folders: readonly string[],
): Promise<readonly Needed[]> {
  const files: Needed[] = [];
  let next: string | undefined = program;
  // An interpreter may be a script itself; more than a few in a row means a circle.
  for (let round = 0; next !== undefined && round < 4; round++) {
    const place: string | undefined = isAbsolute(next) ? next : await inFolders(next, folders);
    const file: string | undefined =
      place === undefined ? undefined : await realpath(place).catch(() => undefined);
    files.push({ name: next, file });
    next = file === undefined ? undefined : await interpreterOf(file);
  }
  return files;
}

async function interpreterOf(file: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const buffer = Buffer.alloc(256);
    const read = await handle?.read(buffer, 0, buffer.length, 0).catch(() => undefined);
    const text = buffer.toString('latin1', 0, read?.bytesRead ?? 0);
    const [first, ...words] = /^#!\s*([^\n]*)/.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
    const isLookedUp = first !== undefined && basename(first) === 'env';
    return isLookedUp ? words.find((word) => !/^-|=/.test(word)) : first;
  } finally {
    await handle?.close();
  }
}

/** A program of a package shows with all packages beside it, any other with what `shownAround` tells. */
function partOf(file: string, options: InstallationOptions): string | undefined {
  const home = options.homes.find((each) => isBelow(file, each));
  if (home === undefined) {
    return undefined;
  }
  const packages = /^.*?\/node_modules(?=\/)/.exec(file.slice(home.length))?.[0];
  const modules = packages === undefined ? undefined : `${home}${packages}`;
  return modules !== undefined && isNarrow(modules, options)
    ? modules
    : (shownAround(dirname(file), options) ?? file);
}

/** The folder around a `bin`, else a folder of programs itself, unless more than the installation would come into view. */
function shownAround(folder: string, options: InstallationOptions): string | undefined {
  const candidates = basename(folder) === 'bin' ? [dirname(folder), folder] : [folder];
  return candidates.find((place) => isNarrow(place, options));
}

function isNarrow(place: string, { homes, closed }: InstallationOptions): boolean {
  return (
    homes.some((home) => isBelow(place, home)) &&
    !homes.some((home) => sharedFolders.some((shared) => place === join(home, shared))) &&
    ![...closed, ...homes].some((each) => each === place || isBelow(each, place))
  );
}

/** The Node that runs here: a single file, or an editor with its libraries, whose own data may lie beside them. */
async function runtimeParts({ homes }: InstallationOptions): Promise<readonly string[]> {
  const file = await realpath(process.execPath);
  if (!homes.some((home) => isBelow(file, home))) {
    return [];
  }
  const folder = dirname(file);
  const names = 'electron' in process.versions ? await readdir(folder) : [basename(file)];
  return names.filter((name) => name !== 'data').map((name) => join(folder, name));
}

async function realFolders(searchPath: string): Promise<readonly string[]> {
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  const real = await Promise.all(folders.map((each) => realpath(each).catch(() => undefined)));
  return [...new Set(real.filter((each) => each !== undefined))];
}

async function inFolders(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const place = join(folder, name);
    if (await isExecutable(place)) {
      return place;
    }
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
