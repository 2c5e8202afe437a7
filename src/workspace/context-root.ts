// A folder of the user, or a single file, as a root that agents see through their layers.
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { MassGenError } from '../core/errors';
import type { PathPermission } from '../run/facts';
import type { OwnRoot } from './agent-workspace';
import { secretsNamedBy } from './confinement/hidden-places';
import { isNotThere } from './disk-read';
import { GitIgnore, readRules } from './git-ignore';
import type { RuleSet } from './ignore-rules';
import { isIgnored, parseIgnoreRules } from './ignore-rules';
import type { HiddenRule } from './hidden-rule';
import { secretsOfHomesIn } from './home-secrets';
import { foldsNames } from './name-folding';
import { isRunFilesPath, isSecretPath } from './path-rules';
import type { SnapshotStore } from './snapshot-store';
import { UserFolderBase } from './user-folder-base';

export interface ContextFolder {
  readonly name: string;
  /** Absolute path of a folder, or of a single file. */
  readonly path: string;
  readonly permission: PathPermission;
  /** Inside the folder, relative or absolute: agents may read and not change them. Others bind nothing. */
  readonly protectedPaths?: readonly string[];
}

export interface ContextRoot extends OwnRoot {
  readonly base: UserFolderBase;
}

interface ContextPlace {
  /** Real path of the folder of all runs: our own files. */
  readonly runStore: string;
  /** Homes whose credentials agents must not see. */
  readonly homes: readonly string[];
  /** Says where other credentials are. */
  readonly ownEnvironment: NodeJS.ProcessEnv;
  /** Patterns of what the user shows to no agent in any folder. */
  readonly hiddenPaths: readonly string[];
}

/** Throws `config/invalid` when nothing is there. */
export async function contextRoot(
  folder: ContextFolder,
  context: ContextPlace & {
    readonly taken: Set<string>;
    readonly store: SnapshotStore;
    readonly unsaved: ReadonlyMap<string, Uint8Array>;
  },
): Promise<ContextRoot> {
  const place = await realpath(folder.path).catch((error: unknown) => {
    throw new MassGenError('config/invalid', `The folder ${folder.path} does not exist.`, {
      cause: error,
    });
  });
  const isFolder = (await lstat(place)).isDirectory();
  const real = isFolder ? place : dirname(place);
  const written = isFolder ? folder.path : dirname(folder.path);
  const isHidden = await hiddenRule(real, context);
  const only = isFolder ? undefined : basename(place);
  return {
    name: folder.name,
    kind: 'context',
    ...(only === undefined ? {} : { isSingleFile: true }),
    folderName: freeName(folder.name, context.taken),
    canWrite: folder.permission === 'write',
    protectedPaths: insidePaths(folder.path, folder.protectedPaths ?? []),
    base: new UserFolderBase({
      folder: real,
      only,
      pins: pinsBelow(
        [real, written],
        context.unsaved,
        (path) => !isHidden(path, false) && (only === undefined || path === only),
      ),
      isHidden,
      store: context.store,
    }),
    isHidden,
    foldsNames: await foldsNames(real),
    aliases: [...new Set([real, written])],
    ignore: new GitIgnore(real),
  };
}

/** Relative to the folder with `/`; what lies outside is dropped. */
function insidePaths(folder: string, paths: readonly string[]): readonly string[] {
  return paths
    .map((path) => relative(folder, resolve(folder, path)).split(sep).join('/'))
    .filter((path) => path !== '..' && !path.startsWith('../') && !isAbsolute(path));
}

/**
 * Secrets, what the user or the project keeps back, and our own files when they lie inside the folder. What the project
 * says in `.massgenignore` takes back nothing of what the user says.
 */
async function hiddenRule(
  folder: string,
  { runStore, homes, ownEnvironment, hiddenPaths }: ContextPlace,
): Promise<HiddenRule> {
  const rules = await readRules(join(folder, '.massgenignore'), '').catch(ignoreMissing);
  const sets: readonly RuleSet[] = rules === undefined ? [] : [rules];
  const ofUser: readonly RuleSet[] = [parseIgnoreRules(hiddenPaths.join('\n'), '')];
  const isOfHome = await secretsOfHomesIn(folder, homes);
  const named = await secretsNamedBy(ownEnvironment);
  const kept = [runStore, ...named.folders, ...named.files]
    .filter((place) => place !== folder)
    .map((place) => insidePath(folder, place))
    .filter((path) => path !== undefined);
  return (path, isFolder) =>
    isSecretPath(path) ||
    isOfHome(path) ||
    isRunFilesPath(path) ||
    (path !== '' && (isIgnored(sets, path, isFolder) || isIgnored(ofUser, path, isFolder))) ||
    kept.some((each) => path === each || path.startsWith(`${each}/`));
}

function ignoreMissing(error: unknown): undefined {
  if (!isNotThere(error)) {
    throw error;
  }
}

function pinsBelow(
  folders: readonly string[],
  unsaved: ReadonlyMap<string, Uint8Array>,
  isVisible: (path: string) => boolean,
): ReadonlyMap<string, Uint8Array> {
  const pins = new Map<string, Uint8Array>();
  for (const [path, bytes] of unsaved) {
    const inside = insideAny(folders, path);
    if (inside !== undefined && inside !== '' && isVisible(inside)) {
      pins.set(inside, bytes);
    }
  }
  return pins;
}

/** The same for the first of several spellings of a folder that fits. */
export function insideAny(folders: readonly string[], path: string): string | undefined {
  return folders.map((folder) => insidePath(folder, path)).find((inside) => inside !== undefined);
}

/** Relative path with `/` when `path` lies in `folder`. */
function insidePath(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? undefined : inside.split(sep).join('/');
}

/** A folder name for an agent's eyes; made of the root's name, and not used yet. */
export function freeName(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+$/, '_') || 'folder';
  let free = plain;
  for (let n = 2; taken.has(free.toLowerCase()); n++) {
    free = `${plain}-${n}`;
  }
  taken.add(free.toLowerCase());
  return free;
}
