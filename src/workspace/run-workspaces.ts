import { mkdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import type { RunId, Slot } from '../base/ids';
import { MassGenError, isCancelled } from '../core/errors';
import type { Logger } from '../core/ports/logger';
import type { UserFiles } from '../core/ports/user-files';
import type { AgentWorkspace, RunWorkspaces } from '../core/ports/workspace';
import { emptyFolder, removeForsaken } from './agent-folders';
import type { OwnRoot } from './agent-workspace';
import { LayeredWorkspace } from './agent-workspace';
import { emptyBase } from './base-layer';
import type { CopyLimits } from './command/command-copy';
import { homesOfUser } from './home-secrets';
import { layerableBases } from './confinement/layer-trial';
import type { Sandbox } from './confinement/sandbox';
import type { BaseLayer } from './base-layer';
import type { ContextFolder, ContextRoot } from './context-root';
import { contextRoot, freeName, insideAny } from './context-root';
import { readSeed } from './session-seed';
import type { SeedSource } from './session-seed';
import type { SnapshotStore } from './snapshot-store';
import { openSnapshotStore, runFolder } from './snapshot-store';
import { userFilesOf } from './user-files';
import type { Warn } from './warnings';
import { warnOnce } from './warnings';

export interface RunWorkspacesOptions {
  readonly runId: RunId;
  /** Folder for runs, outside the user's projects; everything of this run lies in its folder `runId`. */
  readonly dir: string;
  /** Folder around `dir` that holds nothing else for agents to see either; absent: `dir` itself. */
  readonly storageFolder?: string;
  readonly folders: readonly ContextFolder[];
  /** Patterns, as in a `.massgenignore`, of what no agent sees in any folder; absent: none. */
  readonly hiddenPaths?: readonly string[];
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
  /** Bytes that commands of one agent may leave on the disk; absent: 8 GB. */
  readonly quotaBytes?: number;
  /** How this machine confines commands; asked once, before the first workspace. Absent: it does not. */
  readonly findSandbox?: (signal: AbortSignal) => Promise<Sandbox>;
  /** Homes whose credentials commands must not see; absent: those of the user of this process. */
  readonly homes?: readonly string[];
  /** Variables that may say where the user keeps credentials; absent: those of this process. */
  readonly ownEnvironment?: NodeJS.ProcessEnv;
}

const unconfined: Sandbox = {
  kind: 'none',
  reason: 'Commands run in a copy of the project, without a sandbox around them.',
};

const defaultLimits: CopyLimits = { files: 50_000, bytes: 2_000_000_000 };

/** The files of one run. Nothing is read, copied or created before the first agent's workspace. */
export interface LayeredWorkspaces extends RunWorkspaces {
  /** Stays usable after `close` until it is closed itself. */
  readonly store: SnapshotStore;
  readonly userFiles: UserFiles;
}

export function createRunWorkspaces(options: RunWorkspacesOptions): LayeredWorkspaces {
  return new LayersOfRun(options);
}

class LayersOfRun implements LayeredWorkspaces {
  readonly store: SnapshotStore;
  readonly userFiles: UserFiles;
  readonly #options: RunWorkspacesOptions;
  readonly #warn: Warn;
  readonly #open = new Set<AgentWorkspace>();
  /** Bytes of files that were about to change before the roots were known, by absolute path. */
  readonly #kept = new Map<string, Uint8Array>();
  #shared: Promise<ReadyRoots> | undefined;
  #context: readonly ContextRoot[] | undefined;

  constructor(options: RunWorkspacesOptions) {
    this.#options = options;
    this.store = openSnapshotStore(options);
    this.#warn = warnOnce((code, message) => {
      options.logger.warn('workspace', message);
      options.onWarning?.(code, message);
    });
    this.userFiles = userFilesOf(async () => (await this.#prepared()).roots, this.store);
  }

  async createAgentWorkspace(slot: Slot, signal: AbortSignal): Promise<AgentWorkspace> {
    return this.#create(this.#options.folderNames?.get(slot), signal);
  }

  async createScratchWorkspace(signal: AbortSignal): Promise<AgentWorkspace> {
    return this.#create(undefined, signal);
  }

  keepBase(path: string, bytes: Uint8Array): void {
    if (this.#context !== undefined) {
      keepIn(this.#context, path, bytes);
    } else if (isAbsolute(path) && !this.#kept.has(path)) {
      this.#kept.set(path, bytes);
    }
  }

  async close(): Promise<void> {
    const closed = new MassGenError('cancelled/shutdown', 'The files of the run are closed.');
    this.#context?.forEach(({ base }) => base.close(closed));
    await Promise.all([...this.#open].map((workspace) => workspace.close()));
    this.#open.clear();
  }

  async #create(name: string | undefined, signal: AbortSignal): Promise<AgentWorkspace> {
    signal.throwIfAborted();
    const { runDir, runStore, roots, peersName, sandbox, layered } = await this.#prepared();
    signal.throwIfAborted();
    this.#context?.forEach((root) => void this.#lookThrough(root));
    const folder = await emptyFolder(runDir, name);
    const { searchPath, environment, limits, logger, quotaBytes } = this.#options;
    const workspace = new LayeredWorkspace({
      ...{ folder, roots, peersName, layered, store: this.store, logger, warn: this.#warn },
      commands: {
        searchPath: searchPath ?? process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
        environment: environment ?? {},
        limits: limits ?? defaultLimits,
        ...(quotaBytes === undefined ? {} : { quotaBytes }),
        ...{ sandbox, runStore },
        homes: this.#options.homes ?? homesOfUser(),
        ownEnvironment: this.#options.ownEnvironment ?? process.env,
      },
      onClosed: () => this.#open.delete(workspace),
    });
    this.#open.add(workspace);
    return workspace;
  }

  async #prepared(): Promise<ReadyRoots> {
    this.#shared ??= this.#prepare();
    return this.#shared;
  }

  async #prepare(): Promise<ReadyRoots> {
    const shared = await prepareRoots(this.#options, this.store, this.#warn);
    this.#context = shared.context;
    this.#kept.forEach((bytes, path) => keepIn(shared.context, path, bytes));
    this.#kept.clear();
    return { ...shared, ...(await this.#confine(shared)) };
  }

  async #confine(shared: SharedRoots): Promise<Pick<ReadyRoots, 'sandbox' | 'layered'>> {
    // Every workspace of the run waits for the same answer, so nobody's signal ends it.
    const { signal } = new AbortController();
    const sandbox = (await this.#options.findSandbox?.(signal)) ?? unconfined;
    const onRefusal = (folder: string, error: unknown): void =>
      this.#options.logger.warn(
        'workspace',
        `commands get a copy of ${folder}, because no layers can be laid over it: ${String(error)}`,
      );
    const { context, runDir } = shared;
    const layered = await layerableBases(context, { sandbox, runDir, onRefusal }, signal);
    return { sandbox, layered };
  }

  /** Once, beside the work of the agents: what is found counts for later questions, and for what people must be told. */
  async #lookThrough({ name, base }: ContextRoot): Promise<void> {
    try {
      const { special, isWhole } = await base.begin();
      if (special[0] !== undefined) {
        this.#warn(
          'special-files-left-out',
          `${name} holds ${special.length} pipes, sockets or devices, e.g. ${special[0]}; they are left out.`,
        );
      }
      if (!isWhole) {
        this.#warn(
          'folder-too-large',
          `${name} is too large to be looked through: changes that you make to it during the run may be noticed late.`,
        );
      }
    } catch (error) {
      if (!isCancelled(error)) {
        this.#options.logger.warn(
          'workspace',
          `${name} could not be looked through: ${String(error)}`,
        );
      }
    }
  }
}

function keepIn(roots: readonly ContextRoot[], path: string, bytes: Uint8Array): void {
  for (const { base, aliases } of roots) {
    const inside = insideAny(aliases, path);
    if (inside !== undefined) {
      base.pin(inside, bytes);
    }
  }
}

interface ReadyRoots extends SharedRoots {
  readonly sandbox: Sandbox;
  /** Bases that commands see merged with an agent's changes at the user's own place. */
  readonly layered: ReadonlySet<BaseLayer>;
}

interface SharedRoots {
  readonly runDir: string;
  readonly runStore: string;
  /** Those of the user first, in their order, then the agent's own. */
  readonly roots: readonly OwnRoot[];
  readonly context: readonly ContextRoot[];
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
  const runStore = await realpath(options.storageFolder ?? dirname(runDir));
  if (options.folderNames !== undefined) {
    await removeForsaken(runDir, new Set(options.folderNames.values()));
  }
  const taken = new Set(['.home', '.tmp', '.layers']);
  const context: ContextRoot[] = [];
  const shared = {
    ...{ runDir, runStore, taken, store, homes: options.homes ?? homesOfUser() },
    ownEnvironment: options.ownEnvironment ?? process.env,
    hiddenPaths: options.hiddenPaths ?? [],
  };
  for (const folder of options.folders) {
    context.push(await contextRoot(folder, { ...shared, unsaved: options.unsaved }));
  }
  const names = new Set(options.folders.map((folder) => folder.name));
  const privateName =
    ['workspace', 'private'].find((name) => !names.has(name)) ?? 'agent-workspace';
  const seed = seedFor(options, { store, rootName: privateName, warn });
  const own: OwnRoot = {
    ...(seed === undefined ? {} : { seed }),
    name: privateName,
    kind: 'private',
    folderName: freeName(privateName, taken),
    canWrite: true,
    base: emptyBase,
    isHidden: () => false,
    aliases: [],
    ignore: undefined,
  };
  return {
    runDir,
    runStore,
    roots: [...context, own],
    context,
    peersName: freeName('peers', taken),
  };
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
