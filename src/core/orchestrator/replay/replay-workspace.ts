import type { SnapshotTaken, WorkspaceOpened } from '../../../run/call-events';
import type { Label, SnapshotId } from '../../../base/ids';
import { MassGenError } from '../../errors';
import type { BackgroundCommand, Program, ProgramRequest } from '../../ports/workspace';
import type {
  AgentWorkspace,
  CommandRequest,
  CommandResult,
  DirectoryEntry,
  FileStat,
  PeerSnapshot,
  PeersView,
  Snapshot,
  WorkspaceRoot,
} from '../../ports/workspace';
import type { Gates } from './gates';

export const snapshotKey = 'snapshot';

type Folders = readonly WorkspaceRoot[];

/**
 * An agent's files while its log is played: nothing is written, and snapshots are those of the record. Where the run
 * goes on afterwards, a real workspace lies behind and is brought to the state that the log has reached.
 */
export class ReplayWorkspace implements AgentWorkspace {
  readonly roots: Folders;
  readonly #gates: Gates<SnapshotTaken>;
  readonly #behind: AgentWorkspace | undefined;
  #isLive = false;
  #turnNo = 0;
  /** What the files would be now; `undefined`: as at the start. */
  #files: SnapshotId | null | undefined;

  constructor(
    gates: Gates<SnapshotTaken>,
    opened: WorkspaceOpened | undefined,
    behind: AgentWorkspace | undefined,
  ) {
    this.#gates = gates;
    this.#behind = behind;
    this.roots = behind?.roots ?? foldersOf(opened);
  }

  get unconfinedReason(): string | null {
    return this.#behind?.unconfinedReason ?? null;
  }

  /** From now on the files are those of this turn. */
  begin(turnNo: number): void {
    this.#turnNo = turnNo;
  }

  /** The log says that the files are like this now. */
  moveTo(snapshotId: SnapshotId): void {
    this.#files = snapshotId;
  }

  async goLive(signal: AbortSignal): Promise<void> {
    if (this.#behind !== undefined && this.#files !== undefined) {
      await this.#behind.restore(this.#files, signal);
    }
    this.#isLive = true;
  }

  async stat(path: string, signal: AbortSignal): Promise<FileStat> {
    return this.#read(path).stat(path, signal);
  }

  async readFile(path: string, signal: AbortSignal): Promise<Uint8Array> {
    return this.#read(path).readFile(path, signal);
  }

  async listDirectory(path: string, signal: AbortSignal): Promise<readonly DirectoryEntry[]> {
    return this.#read(path).listDirectory(path, signal);
  }

  async listFiles(path: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    return this.#read(path).listFiles(path, limit, signal);
  }

  async writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#live().writeFile(path, bytes, signal);
  }

  async deleteFile(path: string, signal: AbortSignal): Promise<void> {
    await this.#live().deleteFile(path, signal);
  }

  describeCommand(request: CommandRequest): { readonly command: string; readonly cwd: string } {
    return this.#live().describeCommand(request);
  }

  async runCommand(request: CommandRequest, signal: AbortSignal): Promise<CommandResult> {
    return this.#live().runCommand(request, signal);
  }

  async startCommand(request: CommandRequest, signal: AbortSignal): Promise<BackgroundCommand> {
    return this.#live().startCommand(request, signal);
  }

  backgroundCommand(id: string): BackgroundCommand | undefined {
    return this.#live().backgroundCommand(id);
  }

  async stopCommand(id: string, signal: AbortSignal): Promise<BackgroundCommand | undefined> {
    return this.#live().stopCommand(id, signal);
  }

  async startProgram(request: ProgramRequest, signal: AbortSignal): Promise<Program> {
    return this.#live().startProgram(request, signal);
  }

  async takeSnapshot(signal: AbortSignal): Promise<Snapshot> {
    const taken = await this.#gates.take(snapshotKey, this.#turnNo);
    if (taken === undefined) {
      signal.throwIfAborted();
      return this.#live().takeSnapshot(signal);
    }
    const { snapshotId, changes, isUnsettled } = taken;
    if (snapshotId === null) {
      throw new MassGenError(
        'workspace/snapshot-failed',
        'The files of this answer were not kept.',
      );
    }
    this.#files = snapshotId;
    return { id: snapshotId, changes, ...(isUnsettled === true ? { isUnsettled } : {}) };
  }

  async freeze(signal: AbortSignal): Promise<SnapshotId> {
    return this.#live().freeze(signal);
  }

  async restore(snapshotId: SnapshotId | null, signal: AbortSignal): Promise<void> {
    this.#files = snapshotId;
    if (this.#isLive) {
      await this.#live().restore(snapshotId, signal);
    }
  }

  showPeers(peers: readonly PeerSnapshot[], view?: PeersView): ReadonlyMap<Label, string> {
    if (this.#behind !== undefined) {
      return this.#behind.showPeers(peers, view);
    }
    const place = this.roots.find(({ kind }) => kind === 'peers')?.shownPath ?? '';
    return new Map(
      peers.map(({ slot, label, folderName = `agent${slot}` }) => [
        label,
        `${place}/${folderName}`,
      ]),
    );
  }

  neutralizePaths(text: string): string {
    if (this.#behind !== undefined) {
      return this.#behind.neutralizePaths(text);
    }
    return spellingsOf(this.roots).reduce((neutral, one) => neutral.replaceAll(one, token), text);
  }

  localizePaths(text: string, folder?: string): string {
    if (this.#behind !== undefined) {
      return this.#behind.localizePaths(text, folder);
    }
    return text.replaceAll(token, folder ?? parentOf(this.roots));
  }

  async close(): Promise<void> {
    await this.#behind?.close();
  }

  /** Reading changes nothing, so what lies behind may be read at any time. */
  #read(path: string): AgentWorkspace {
    if (this.#behind === undefined) {
      throw new MassGenError('workspace/not-found', `${path} does not exist.`);
    }
    return this.#behind;
  }

  #live(): AgentWorkspace {
    if (this.#behind === undefined || !this.#isLive) {
      throw new MassGenError('bug/invariant', 'Files are not touched while a log is played.');
    }
    return this.#behind;
  }
}

const token = '<workspace>';

function foldersOf(opened: WorkspaceOpened | undefined): Folders {
  return (opened?.roots ?? []).map(({ kind, ...root }) => ({
    ...root,
    kind: kind === 'earlier' ? 'peers' : kind,
  }));
}

/** The folder that all places of an agent lie in. */
function parentOf(roots: Folders): string {
  const first = roots[0]?.shownPath ?? '';
  return first.slice(0, Math.max(first.lastIndexOf('/'), first.lastIndexOf('\\'), 0));
}

/** As the folder may stand in a text: as it is, with slashes, inside JSON. */
function spellingsOf(roots: Folders): readonly string[] {
  const folder = parentOf(roots);
  const all = [folder, folder.replaceAll('\\', '/'), JSON.stringify(folder).slice(1, -1)];
  return [...new Set(all)].filter((one) => one !== '');
}
