import { sha256Hex } from '../../src/base/sha256';
import type { Label, Slot } from '../../src/base/ids';
import { MassGenError } from '../../src/core/errors';
import type { BackgroundCommand, Program, ProgramRequest } from '../../src/core/ports/workspace';
import type {
  AgentWorkspace,
  CommandRequest,
  CommandResult,
  DirectoryEntry,
  FileStat,
  PeerSnapshot,
  PeersView,
  RunWorkspaces,
  Snapshot,
} from '../../src/core/ports/workspace';
import type { FileChange } from '../../src/run/facts';

type Files = ReadonlyMap<string, string>;

/** Snapshots of one run by id, and the files that every agent starts with. */
export class InMemoryWorkspaces implements RunWorkspaces {
  readonly snapshots = new Map<string, Files>();
  readonly agents = new Map<Slot, InMemoryWorkspace>();
  readonly base: Files;
  isClosed = false;

  constructor(base: Readonly<Record<string, string>> = {}) {
    this.base = new Map(Object.entries(base));
  }

  async createAgentWorkspace(slot: Slot): Promise<InMemoryWorkspace> {
    return this.create(slot);
  }

  async createScratchWorkspace(): Promise<InMemoryWorkspace> {
    return new InMemoryWorkspace(this, '/run/scratch');
  }

  keepBase(): void {
    // Nothing of a user changes here.
  }

  create(slot: Slot): InMemoryWorkspace {
    const made = new InMemoryWorkspace(this, `/run/${'kqzx'.charAt(slot % 4)}${slot * 7919}`);
    this.agents.set(slot, made);
    return made;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** One agent's files as texts, by path relative to the project. Commands do what `commands` says, else they fail. */
export class InMemoryWorkspace implements AgentWorkspace {
  readonly roots;
  readonly unconfinedReason = 'Commands are not confined here.';
  readonly commands = new Map<
    string,
    (request: CommandRequest, signal: AbortSignal) => Promise<CommandResult>
  >();
  readonly shownPeers: (readonly PeerSnapshot[])[] = [];
  peersView: PeersView = {};
  files: Map<string, string>;
  isClosed = false;
  /** Runs before a snapshot is taken, for tests that stop or fail there. */
  beforeSnapshot: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** A command still runs, as snapshots tell. */
  isUnsettled = false;
  readonly #run: InMemoryWorkspaces;
  readonly #home: string;

  constructor(run: InMemoryWorkspaces, home: string) {
    this.#run = run;
    this.#home = home;
    this.files = new Map(run.base);
    this.roots = [
      { name: 'project', kind: 'context', shownPath: `${home}/project`, canWrite: true },
      { name: 'workspace', kind: 'private', shownPath: `${home}/workspace`, canWrite: true },
      { name: 'peers', kind: 'peers', shownPath: `${home}/peers`, canWrite: false },
    ] as const;
  }

  async stat(path: string): Promise<FileStat> {
    return { kind: 'file', sizeBytes: this.#text(path).length, mode: 0o644 };
  }

  async readFile(path: string): Promise<Uint8Array> {
    return new TextEncoder().encode(this.#text(path));
  }

  async listDirectory(): Promise<readonly DirectoryEntry[]> {
    return [...this.files.keys()].map((name) => ({ name, kind: 'file' as const }));
  }

  async writeFile(path: string, bytes: Uint8Array): Promise<void> {
    this.files.set(this.#relative(path), new TextDecoder().decode(bytes));
  }

  async deleteFile(path: string): Promise<void> {
    this.files.delete(this.#relative(path));
  }

  async listFiles(_path: string, limit: number): Promise<readonly string[]> {
    return [...this.files.keys()].slice(0, limit);
  }

  describeCommand({ command, cwd }: CommandRequest): { command: string; cwd: string } {
    return { command, cwd: cwd ?? `${this.#home}/project` };
  }

  async runCommand(request: CommandRequest, signal: AbortSignal): Promise<CommandResult> {
    const command = this.commands.get(request.command);
    if (command === undefined) {
      return { exitCode: 127, isTimedOut: false, output: 'not found', outputBytes: 9 };
    }
    return command(request, signal);
  }

  async startCommand(): Promise<BackgroundCommand> {
    throw new MassGenError('tool/failed', 'Commands cannot go on in the background here.');
  }

  backgroundCommand(): BackgroundCommand | undefined {
    return undefined;
  }

  async stopCommand(): Promise<BackgroundCommand | undefined> {
    return undefined;
  }

  async startProgram(_request: ProgramRequest, _signal: AbortSignal): Promise<Program> {
    throw new MassGenError('tool/failed', 'Programs cannot be run here.');
  }

  async takeSnapshot(signal: AbortSignal): Promise<Snapshot> {
    await this.beforeSnapshot?.(signal);
    signal.throwIfAborted();
    const taken = { id: this.#keep(), changes: this.#changes() };
    return this.isUnsettled ? { ...taken, isUnsettled: true } : taken;
  }

  async freeze(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    return this.#keep();
  }

  async restore(snapshotId: string | null): Promise<void> {
    const files = snapshotId === null ? this.#run.base : this.#run.snapshots.get(snapshotId);
    if (files === undefined) {
      throw new MassGenError('workspace/not-found', `no snapshot ${String(snapshotId)}`);
    }
    this.files = new Map(files);
  }

  showPeers(peers: readonly PeerSnapshot[], view: PeersView = {}): ReadonlyMap<Label, string> {
    this.shownPeers.push(peers);
    this.peersView = view;
    const folder = view.token === undefined ? 'peers' : `peers/${view.token}`;
    return new Map(
      peers.map(({ slot, label, folderName = `agent${slot}` }) => [
        label,
        `${this.#home}/${folder}/${folderName}`,
      ]),
    );
  }

  neutralizePaths(text: string): string {
    return text.replaceAll(this.#home, '<files>');
  }

  localizePaths(text: string, folder = this.#home): string {
    return text.replaceAll('<files>/', `${folder}/`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  #keep(): string {
    const files = new Map([...this.files].sort(([a], [b]) => (a < b ? -1 : 1)));
    const id = sha256Hex(JSON.stringify([...files]));
    this.#run.snapshots.set(id, files);
    return id;
  }

  #relative(path: string): string {
    const prefix = `${this.#home}/project/`;
    return path.startsWith(prefix) ? path.slice(prefix.length) : path;
  }

  #text(path: string): string {
    const text = this.files.get(this.#relative(path));
    if (text === undefined) {
      throw new MassGenError('workspace/not-found', `${path} does not exist.`);
    }
    return text;
  }

  #changes(): readonly FileChange[] {
    const { base } = this.#run;
    const paths = [...new Set([...base.keys(), ...this.files.keys()])].sort();
    return paths.flatMap((path): FileChange[] => {
      const [before, after] = [base.get(path), this.files.get(path)];
      if (before === after) {
        return [];
      }
      return [
        {
          root: 'project',
          path,
          kind: before === undefined ? 'add' : after === undefined ? 'delete' : 'modify',
          added: lines(after),
          removed: lines(before),
          isBinary: false,
          sizeBytes: (after ?? '').length,
        },
      ];
    });
  }
}

function lines(text: string | undefined): number {
  return text === undefined || text === '' ? 0 : text.split('\n').length;
}
