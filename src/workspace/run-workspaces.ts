import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { RunId, Slot } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { Logger } from '../core/ports/logger';
import type { UserFiles } from '../core/ports/user-files';
import type { AgentWorkspace, RunWorkspaces } from '../core/ports/workspace';
import type { PathPermission } from '../run/facts';
import type { OwnRoot } from './agent-workspace';
import { LayeredWorkspace } from './agent-workspace';
import { emptyBase } from './base-layer';
import type { CopyLimits } from './command/command-copy';
import { isNotThere } from './disk-read';
import { GitIgnore, readRules } from './git-ignore';
import type { RuleSet } from './ignore-rules';
import { isIgnored } from './ignore-rules';
import type { HiddenRule } from './layered-root';
import { isRunFilesPath, isSecretPath } from './path-rules';
import { readSeed } from './session-seed';
import type { SeedSource } from './session-seed';
import type { SnapshotStore } from './snapshot-store';
import { openSnapshotStore, runFolder } from './snapshot-store';
import { UserFolderBase } from './user-folder-base';
import { userFilesOf } from './user-files';
import type { Warn } from './warnings';
import { warnOnce } from './warnings';

export interface RunWorkspacesOptions {
  readonly runId: RunId;
  /** Folder for runs, outside the user's projects; everything of this run lies in its folder `runId`. */
  readonly dir: string;
  readonly folders: readonly {
    readonly name: string;
    /** Absolute path of a folder, or of a single file. */
    readonly path: string;
    readonly permission: PathPermission;
    /** Inside the folder, relative or absolute: agents may read and not change them. Others bind nothing. */
    readonly protectedPaths?: readonly string[];
  }[];
  /** Text of unsaved editors by absolute path: agents see it instead of the disk's. */
  readonly unsaved: ReadonlyMap<string, Uint8Array>;
  /** Names of the agents' folders where a run goes on in another process; what is left in them is removed. */
  readonly folderNames?: ReadonlyMap<Slot, string>;
  /** Answer of an earlier run below `dir` whose private files every agent starts with. */
  readonly seed?: SeedSource;
  readonly logger: Logger;
  /** Told once each time something is left out; for an event that people see. */
  readonly onWarning?: Warn;
  /** Value of PATH for commands; absent: that of this process. */
  readonly searchPath?: string;
  /** Further variables for commands. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How much may be copied for commands; absent: 50 000 files, 2 GB per folder. */
  readonly limits?: CopyLimits;
}

const defaultLimits: CopyLimits = { files: 50_000, bytes: 2_000_000_000 };

/** The files of one run. Nothing is read, copied or created before the first agent's workspace. */
export interface LayeredWorkspaces extends RunWorkspaces {
  /** Stays usable after `close` until it is closed itself. */
  readonly store: SnapshotStore;
  readonly userFiles: UserFiles;
}

export function createRunWorkspaces(options: RunWorkspacesOptions): LayeredWorkspaces {
  const store = openSnapshotStore(options);
  const open = new Set<AgentWorkspace>();
  const warn = warnOnce((code, message) => {
    options.logger.warn('workspace', message);
    options.onWarning?.(code, message);
  });
  let shared: Promise<SharedRoots> | undefined;
  const prepared = async (): Promise<SharedRoots> =>
    (shared ??= prepareRoots(options, store, warn));
  return {
    store,
    userFiles: userFilesOf(async () => (await prepared()).roots, store),
    async createAgentWorkspace(slot: Slot, signal: AbortSignal): Promise<AgentWorkspace> {
      signal.throwIfAborted();
      const { runDir, roots, peersName } = await prepared();
      signal.throwIfAborted();
      const folder = await emptyFolder(runDir, options.folderNames?.get(slot));
      const workspace = new LayeredWorkspace({
        folder,
        roots,
        peersName,
        store,
        commands: {
          searchPath: options.searchPath ?? process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
          environment: options.environment ?? {},
          limits: options.limits ?? defaultLimits,
        },
        logger: options.logger,
        warn,
      });
      open.add(workspace);
      return workspace;
    },
    async createScratchWorkspace(): Promise<AgentWorkspace> {
      throw new MassGenError('bug/invariant', 'Scratch workspaces are not made yet.');
    },
    keepBase: () => undefined,
    async close(): Promise<void> {
      await Promise.all([...open].map((workspace) => workspace.close()));
      open.clear();
    },
  };
}

/** A name that tells nothing about the agent. */
const folderName = /^[0-9a-f]{16}$/;

async function emptyFolder(runDir: string, name: string | undefined): Promise<string> {
  const isKnown = name !== undefined && folderName.test(name);
  const folder = join(runDir, isKnown ? name : randomBytes(8).toString('hex'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** Folders of a process that was killed before its log said whose they are. */
async function removeForsaken(runDir: string, named: ReadonlySet<string>): Promise<void> {
  const forsaken = (await readdir(runDir)).filter(
    (name) => folderName.test(name) && !named.has(name),
  );
  await Promise.all(
    forsaken.map((name) => rm(join(runDir, name), { recursive: true, force: true })),
  );
}

interface SharedRoots {
  readonly runDir: string;
  readonly roots: readonly OwnRoot[];
  readonly peersName: string;
}

async function prepareRoots(
  options: RunWorkspacesOptions,
  store: SnapshotStore,
  warn: Warn,
): Promise<SharedRoots> {
  const made = runFolder(options.dir, options.runId);
  try {
    await mkdir(made, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new MassGenError('storage/failed', `The folder ${made} cannot be made.`, {
      cause: error,
      hint: 'Check that the storage folder can be written and the disk has free space.',
    });
  }
  const runDir = await realpath(made);
  if (options.folderNames !== undefined) {
    await removeForsaken(runDir, new Set(options.folderNames.values()));
  }
  const taken = new Set(['.home', '.tmp']);
  const roots: OwnRoot[] = [];
  for (const folder of options.folders) {
    roots.push(await contextRoot(folder, { runDir, taken, store, unsaved: options.unsaved }));
  }
  const names = new Set(options.folders.map((folder) => folder.name));
  const privateName =
    ['workspace', 'private'].find((name) => !names.has(name)) ?? 'agent-workspace';
  const seed = seedFor(options, { store, rootName: privateName, warn });
  roots.push({
    ...(seed === undefined ? {} : { seed }),
    name: privateName,
    kind: 'private',
    folderName: freeName(privateName, taken),
    canWrite: true,
    base: emptyBase,
    isHidden: () => false,
    aliases: [],
    ignore: undefined,
  });
  return { runDir, roots, peersName: freeName('peers', taken) };
}

function seedFor(
  { dir, seed }: RunWorkspacesOptions,
  target: { readonly store: SnapshotStore; readonly rootName: string; readonly warn: Warn },
): ReturnType<typeof readSeed> {
  const found = seed === undefined ? undefined : readSeed(seed, { ...target, dir });
  if (seed !== undefined && found === undefined) {
    target.warn(
      'session-files-missing',
      'The files that the last turn of the session left are not stored any more; agents start without them.',
    );
  }
  return found;
}

async function contextRoot(
  folder: RunWorkspacesOptions['folders'][number],
  context: {
    readonly runDir: string;
    readonly taken: Set<string>;
    readonly store: SnapshotStore;
    readonly unsaved: ReadonlyMap<string, Uint8Array>;
  },
): Promise<OwnRoot> {
  const place = await realpath(folder.path).catch((error: unknown) => {
    throw new MassGenError('config/invalid', `The folder ${folder.path} does not exist.`, {
      cause: error,
    });
  });
  const isFolder = (await lstat(place)).isDirectory();
  const real = isFolder ? place : dirname(place);
  const written = isFolder ? folder.path : dirname(folder.path);
  const isHidden = await hiddenRule(real, context.runDir);
  const only = isFolder ? undefined : basename(place);
  return {
    name: folder.name,
    kind: 'context',
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

/** Secrets, what the project keeps back in `.massgenignore`, and our own files when they lie inside the folder. */
async function hiddenRule(folder: string, runDir: string): Promise<HiddenRule> {
  const rules = await readRules(join(folder, '.massgenignore'), '').catch(ignoreMissing);
  const sets: readonly RuleSet[] = rules === undefined ? [] : [rules];
  const ours = insidePath(folder, dirname(runDir));
  return (path, isFolder) =>
    isSecretPath(path) ||
    isRunFilesPath(path) ||
    (path !== '' && isIgnored(sets, path, isFolder)) ||
    (ours !== undefined && (path === ours || path.startsWith(`${ours}/`)));
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
    const inside = folders.map((folder) => insidePath(folder, path)).find((x) => x !== undefined);
    if (inside !== undefined && inside !== '' && isVisible(inside)) {
      pins.set(inside, bytes);
    }
  }
  return pins;
}

/** Relative path with `/` when `path` lies in `folder`. */
function insidePath(folder: string, path: string): string | undefined {
  const inside = relative(folder, path);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return isOutside ? undefined : inside.split(sep).join('/');
}

/** A folder name for an agent's eyes; made of the root's name, and not used yet. */
function freeName(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^\.+$/, '_') || 'folder';
  let free = plain;
  for (let n = 2; taken.has(free.toLowerCase()); n++) {
    free = `${plain}-${n}`;
  }
  taken.add(free.toLowerCase());
  return free;
}
