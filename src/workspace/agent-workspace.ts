import { join } from 'node:path';
import { linkAbort, raceAbort } from '../base/abort';
import type { Label, SnapshotId } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { Logger } from '../core/ports/logger';
import type { AgentWorkspace, CommandRequest, CommandResult } from '../core/ports/workspace';
import type { BackgroundCommand, Program, ProgramRequest } from '../core/ports/workspace';
import type { DirectoryEntry, FileStat, PeerSnapshot, PeersView } from '../core/ports/workspace';
import type { Snapshot, WorkspaceRoot } from '../core/ports/workspace';
import { ChangeSets } from './change-set/change-set';
import type { CommandSettings } from './command/command-root';
import { AgentCommands } from './command/agent-commands';
import { BackgroundCommands } from './command/background-commands';
import { confinementOf } from './confinement/probe';
import { maxFileBytes } from './disk-read';
import type { GitIgnore } from './git-ignore';
import { listFilesBelow } from './list-files';
import type { GuardedRoot, Place } from './path-guard';
import { checkWritable, locate, resolvePath, toPlace } from './path-guard';
import { makePeers } from './peer-roots';
import type { RootTemplate } from './peer-roots';
import type { PlacedRoot } from './place-names';
import { toLocal, toNeutral } from './place-names';
import { AgentPrograms, whyUnconfined } from './program/agent-programs';
import { removeFolder } from './remove-folder';
import { Serial } from './serial';
import type { SnapshotStore } from './snapshot-store';
import { frozen, snapshotOf } from './take-snapshot';
import type { Warn } from './warnings';
import type { BaseLayer } from './base-layer';
import { LayeredRoot } from './layered-root';

/** One of the roots an agent can change, before it belongs to an agent. */
export interface OwnRoot extends RootTemplate {
  readonly kind: 'context' | 'private';
  readonly canWrite: boolean;
  readonly protectedPaths?: readonly string[];
  /** Absolute spellings that mean the root beside the one shown to the agent. */
  readonly aliases: readonly string[];
  readonly ignore: GitIgnore | undefined;
  /** Whether only one file of the user's folder belongs to the run; absent: no. */
  readonly isSingleFile?: boolean;
}

export interface AgentWorkspaceOptions {
  /** Real path of a folder for this agent alone; its last segment tells nothing about the agent. */
  readonly folder: string;
  /** In the order the agent sees them; the first one is where relative paths start. */
  readonly roots: readonly OwnRoot[];
  /** Name of the folder that shows answers of others. */
  readonly peersName: string;
  readonly store: SnapshotStore;
  readonly commands: CommandSettings;
  /** Bases that commands see merged at the user's own place, which then is the shown path. */
  readonly layered: ReadonlySet<BaseLayer>;
  readonly logger: Logger;
  readonly warn: Warn;
  /** Called once when nothing of the workspace is left. */
  readonly onClosed?: () => void;
}

interface OwnedRoot {
  readonly own: OwnRoot;
  readonly root: LayeredRoot;
  readonly shownPath: string;
  readonly isLayered: boolean;
  /** Absolute spellings that mean it, the shown one first. */
  readonly places: readonly string[];
}

/** Layers for file tools, merged or copied for commands. Writes, commands and snapshots of the agent take turns. */
export class LayeredWorkspace implements AgentWorkspace {
  readonly roots: readonly WorkspaceRoot[];
  readonly unconfinedReason: string | null;
  readonly unconfinedProgramReason?: string;
  readonly #options: AgentWorkspaceOptions;
  readonly #owned: readonly OwnedRoot[];
  readonly #commands: AgentCommands;
  readonly #background: BackgroundCommands;
  readonly #programs: AgentPrograms;
  readonly #placed: readonly PlacedRoot[];
  readonly #changeSets: ChangeSets;
  readonly #turns = new Serial();
  readonly #closing = new AbortController();
  #guarded: readonly GuardedRoot[];
  #closed: Promise<void> | undefined;

  constructor(options: AgentWorkspaceOptions) {
    this.#options = options;
    this.#changeSets = new ChangeSets(options.store);
    const confinement = confinementOf(options.commands.sandbox);
    this.unconfinedReason = confinement.isConfined ? null : confinement.reason;
    const ofPrograms = whyUnconfined(options.commands.sandbox);
    if (ofPrograms !== undefined) {
      this.unconfinedProgramReason = ofPrograms;
    }
    this.#owned = options.roots.map((own) => toOwned(own, options));
    this.#placed = this.#owned
      .filter(({ isLayered }) => isLayered)
      .map(({ own: { folderName }, shownPath }) => ({ shownPath, folderName }));
    this.#guarded = this.#owned.map(toGuarded);
    this.#commands = new AgentCommands({
      ...options,
      peersFolder: this.#peersPath(),
      settings: options.commands,
      roots: this.#owned.map(({ own, ...rest }) => ({ ...rest, ignore: own.ignore })),
    });
    this.#background = new BackgroundCommands(this.#commands, this.#turns, this.#closing.signal);
    this.#programs = new AgentPrograms({
      ...options,
      ...{ commands: this.#commands, settings: options.commands, turns: this.#turns },
      ...{ peersFolder: this.#peersPath(), closing: this.#closing.signal },
      userFolders: this.#owned.flatMap(({ own }) => own.base.folder ?? []),
    });
    this.roots = [
      ...this.#owned.map(({ root: { name, kind, canWrite, protectedPaths }, shownPath }) => ({
        ...{ name, kind, shownPath, canWrite, protectedPaths },
      })),
      { name: 'peers', kind: 'peers', shownPath: this.#peersPath(), canWrite: false },
    ];
    for (const { own, root } of this.#owned) {
      root.restore(own.seed ?? new Map());
    }
    this.showPeers([]);
  }

  async stat(path: string, signal: AbortSignal): Promise<FileStat> {
    const { stat } = await this.#look(path, signal);
    return stat ?? notFound(path);
  }

  async readFile(path: string, signal: AbortSignal): Promise<Uint8Array> {
    const place = await this.#look(path, signal);
    checkIsFile(path, place.stat);
    return (await place.root.read(place.path, signal)) ?? notFound(path);
  }

  async listDirectory(path: string, signal: AbortSignal): Promise<readonly DirectoryEntry[]> {
    const place = await this.#look(path, signal);
    if (place.stat?.kind !== 'directory') {
      return place.stat === undefined
        ? notFound(path)
        : fail('workspace/not-found', `${path} is not a folder.`);
    }
    return place.root.list(place.path, signal);
  }

  async writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    if (bytes.length > maxFileBytes) {
      fail('workspace/too-large', `${bytes.length} bytes are too many for one file.`);
    }
    await this.#turns.run(async () => {
      await this.#catchUp(signal);
      const place = await this.#resolve(path, signal);
      checkWritable(place);
      if (place.stat !== undefined) {
        checkIsFile(path, place.stat);
      }
      await place.root.write(place.path, bytes, signal);
      await this.#commands.follow(place.root, [place.path], signal);
    }, signal);
  }

  async deleteFile(path: string, signal: AbortSignal): Promise<void> {
    await this.#turns.run(async () => {
      await this.#catchUp(signal);
      const place = await resolvePath(this.#guarded, path, { keepLastLink: true }, signal);
      checkWritable(place);
      if (place.stat?.kind !== 'link') {
        checkIsFile(path, place.stat);
      }
      await place.root.remove(place.path, signal);
      await this.#commands.follow(place.root, [place.path], signal);
    }, signal);
  }

  async listFiles(path: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    const place = await this.#look(path, signal);
    return listFilesBelow(this.#guarded, place, limit, signal);
  }

  async onDisk(
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const path of paths) {
      signal.throwIfAborted();
      const { guarded, path: inside } = locate(this.#guarded, path);
      const place = guarded.root.isHidden(inside, false)
        ? undefined
        : await guarded.root.onDisk(inside, signal);
      if (place !== undefined) {
        found.set(path, place);
      }
    }
    return found;
  }

  describeCommand(request: CommandRequest): { readonly command: string; readonly cwd: string } {
    const first = this.#owned[0]?.shownPath ?? this.#options.folder;
    const { guarded, path } = locate(this.#guarded, request.cwd ?? first);
    const shown = guarded.shownPath;
    return { command: request.command, cwd: path === '' ? shown : join(shown, path) };
  }

  async runCommand(request: CommandRequest, signal: AbortSignal): Promise<CommandResult> {
    const { cwd } = this.describeCommand(request);
    const branch = linkAbort(signal);
    const closing = this.#closing.signal;
    const stop = (): void => branch.abort(closing.reason);
    closing.addEventListener('abort', stop, { once: true });
    try {
      return await this.#turns.run(async () => {
        closing.throwIfAborted();
        return this.#commands.run(request, cwd, { command: branch.signal, workspace: closing });
      }, branch.signal);
    } finally {
      closing.removeEventListener('abort', stop);
      branch.dispose();
    }
  }

  async startCommand(request: CommandRequest, signal: AbortSignal): Promise<BackgroundCommand> {
    return this.#background.start(request, this.describeCommand(request).cwd, signal);
  }

  backgroundCommand(id: string): BackgroundCommand | undefined {
    return this.#background.get(id);
  }

  async stopCommand(id: string, signal: AbortSignal): Promise<BackgroundCommand | undefined> {
    return raceAbort(this.#background.stop(id), signal);
  }

  async startProgram(request: ProgramRequest, signal: AbortSignal): Promise<Program> {
    const { cwd } = this.describeCommand({ command: '', cwd: request.cwd, timeoutMs: 0 });
    return this.#programs.start(request, cwd, signal);
  }

  async takeSnapshot(signal: AbortSignal): Promise<Snapshot> {
    const roots = this.#owned.map(({ own, root }) => ({ root, ignore: own.ignore }));
    const { store, warn } = this.#options;
    const options = { store, warn, changeSets: this.#changeSets };
    return this.#turns.run(async () => {
      const isStill = await this.#programs.paused(() => this.#catchUp(signal));
      const isUnsettled = this.#background.isAnyRunning || !isStill;
      const snapshot = await snapshotOf(roots, options, signal);
      return isUnsettled ? { ...snapshot, isUnsettled } : snapshot;
    }, signal);
  }

  async freeze(signal: AbortSignal): Promise<SnapshotId> {
    const roots = this.#owned.map(({ root }) => root);
    return this.#turns.run(async () => {
      await this.#programs.paused(() => this.#catchUp(signal));
      return frozen(roots, this.#options, signal);
    }, signal);
  }

  async restore(snapshotId: SnapshotId | null, signal: AbortSignal): Promise<void> {
    const manifest =
      snapshotId === null
        ? new Map(this.#options.roots.map(({ name, seed }) => [name, seed ?? new Map()]))
        : this.#options.store.readManifest(snapshotId);
    if (manifest === undefined) {
      throw new MassGenError('workspace/snapshot-failed', 'The snapshot is not stored.');
    }
    await this.#turns.run(async () => {
      await this.#catchUp(signal);
      for (const { root } of this.#owned) {
        const touched = root.restore(manifest.get(root.name) ?? new Map());
        await this.#commands.follow(root, touched, signal);
      }
    }, signal);
  }

  showPeers(peers: readonly PeerSnapshot[], view: PeersView = {}): ReadonlyMap<Label, string> {
    const { roots, folders } = makePeers(peers, view, {
      shownPath: this.#peersPath(),
      templates: this.#options.roots,
      store: this.#options.store,
    });
    this.#commands.showPeers(
      roots.map((each) => ({
        ...each,
        ignore: undefined,
        isLayered: this.#options.layered.has(each.root.base),
      })),
    );
    this.#guarded = [
      ...this.#owned.map(toGuarded),
      ...roots.map((each) => ({ ...each, places: [toPlace(each.shownPath)] })),
    ];
    return folders;
  }

  neutralizePaths(text: string): string {
    return toNeutral(text, this.#options.folder, this.#placed);
  }

  localizePaths(text: string, folder?: string): string {
    const placed = folder === undefined ? this.#placed : [];
    return toLocal(text, folder ?? this.#options.folder, placed);
  }

  async close(): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new MassGenError('cancelled/shutdown', 'The workspace is closed.'));
    await Promise.all([this.#background.allEnded(), this.#programs.allEnded()]);
    // Waits for its turn: a command that is being ended still works in the folder.
    await this.#turns.run(async () => {
      await this.#commands.close();
      await removeFolder(this.#options.folder);
    }, new AbortController().signal);
    this.#options.onClosed?.();
  }

  /** For reading: what runs beside the agent and has been done so far counts. */
  async #look(path: string, signal: AbortSignal): Promise<Place> {
    if (this.#isAnyRunning) {
      await this.#turns.run(() => this.#catchUp(signal), signal);
    }
    return this.#resolve(path, signal);
  }

  async #resolve(path: string, signal: AbortSignal): Promise<Place> {
    return resolvePath(this.#guarded, path, { keepLastLink: false }, signal);
  }

  /** Takes over what commands in the background and programs have done so far. Called in a turn. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    if (this.#isAnyRunning) {
      await this.#commands.collect(signal);
    }
  }

  get #isAnyRunning(): boolean {
    return this.#background.isAnyRunning || this.#programs.isAnyRunning;
  }

  #peersPath(): string {
    return join(this.#options.folder, this.#options.peersName);
  }
}

function toOwned(own: OwnRoot, { folder, layered, store }: AgentWorkspaceOptions): OwnedRoot {
  const ordinary = join(folder, own.folderName);
  const isLayered = layered.has(own.base);
  const shownPath = isLayered ? (own.base.folder ?? ordinary) : ordinary;
  return {
    ...{ own, isLayered, shownPath },
    root: new LayeredRoot({ ...own, store }),
    // The ordinary place is one too: what was written down under it in a run before may come up again.
    places: [...new Set([shownPath, ...own.aliases, ordinary])],
  };
}

function toGuarded({ root, shownPath, places }: OwnedRoot): GuardedRoot {
  return { root, shownPath, places: places.map((path) => toPlace(path)) };
}

function checkIsFile(path: string, stat: FileStat | undefined): void {
  if (stat?.kind === 'directory') {
    fail('workspace/not-found', `${path} is a folder, not a file.`);
  }
  if (stat?.kind === 'other') {
    fail('workspace/not-text', `${path} is no regular file but a pipe, socket or device.`);
  }
  if (stat === undefined) {
    notFound(path);
  }
}

function notFound(path: string): never {
  return fail('workspace/not-found', `${path} does not exist.`);
}

function fail(
  code: 'workspace/not-found' | 'workspace/not-text' | 'workspace/too-large',
  message: string,
): never {
  throw new MassGenError(code, message);
}
