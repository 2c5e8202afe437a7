import type { Label, Slot, SnapshotId } from '../../base/ids';
import type { FileChange } from '../../run/facts';

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly sizeBytes: number;
  /** Permission bits, 0o777 only. */
  readonly mode: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
}

/** A place an agent can see. */
export interface WorkspaceRoot {
  readonly name: string;
  /** `context`: layers over a folder of the user; `private`: the agent's own empty folder; `peers`: answers and earlier work. */
  readonly kind: 'context' | 'private' | 'peers';
  /** The absolute path the agent uses; never contains a configured agent id or model name. */
  readonly shownPath: string;
  readonly canWrite: boolean;
  /** Relative to the root; these and what lies below can be read and not changed. */
  readonly protectedPaths?: readonly string[];
}

export interface CommandRequest {
  /** Shell text, run as it is. */
  readonly command: string;
  /** Path as the agent gave it; absent: the first root. */
  readonly cwd: string | undefined;
  readonly timeoutMs: number;
  /** Receives output as it comes, escape sequences removed; for live display only. */
  readonly onOutput?: (text: string) => void;
}

/** How far what an agent runs is kept from the rest of the machine. */
export type Confinement =
  | {
      readonly isConfined: true;
      /** For people, one clause, e.g. `own processes, no network, writes only in the agent's own layer`. */
      readonly words: string;
    }
  /** `reason` is one sentence for people: what is missing, and what would help. */
  | { readonly isConfined: false; readonly reason: string };

/** A command that goes on while the agent does other things. Its id counts from `command1` per agent. */
export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  readonly isRunning: boolean;
  /** `null` while it runs or when it was killed. */
  readonly exitCode: number | null;
  /** Head and tail of everything so far. */
  readonly output: string;
  readonly outputBytes: number;
}

/** A long-lived program of another maker, e.g. the command line of an agent, that works in an agent's own view. */
export interface ProgramRequest {
  /** Program and arguments; no shell takes part. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute path as the agent sees it; absent: the first root. */
  readonly cwd: string | undefined;
  /** All that it gets beside PATH, HOME, LANG, TERM and TMPDIR. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute paths of the only folders and files of the user's home that it may see and write: its own credentials. */
  readonly ownFolders: readonly string[];
  /**
   * `host` or `host:port` (absent: 443) that it may reach; everything else is refused, names included. `any-public`: every
   * host that is not of this machine or a private network.
   */
  readonly hosts: readonly string[] | 'any-public';
  /** Absolute paths of Unix sockets of this process that it may connect to, each at its own path; absent: none. */
  readonly sockets?: readonly string[];
  /** Absolute paths of files and folders outside of its view that it may read, e.g. its own installation; absent: none. */
  readonly readable?: readonly string[];
  /** Like `readable`, but named by a team file: what holds credentials of the user is refused. */
  readonly named?: readonly string[];
  /**
   * Somebody has allowed it to run where it cannot be confined: then it works in the agent's copy with all that the user can
   * do, and of the places and hosts above nothing is kept from it. Absent: it is refused there.
   */
  readonly mayBeUnconfined?: true;
}

/** A running program. It ends with its workspace at the latest. */
export interface Program {
  /** `write` resolves when the system has taken the bytes, and rejects when the program does not read any more. */
  readonly input: { write(bytes: Uint8Array): Promise<void>; end(): void };
  /**
   * What comes before the first listener of a stream waits for it as long as the program runs. A listener that returns a promise gets the next bytes when
   * that has settled, and holds back the program meanwhile.
   */
  onOutput(
    stream: 'stdout' | 'stderr',
    listener: (bytes: Uint8Array) => void | Promise<void>,
  ): void;
  /** Resolves when nothing of it runs any more; `null` when it was killed. */
  readonly ended: Promise<number | null>;
  /** Asks it to end and kills it after two seconds. Idempotent; resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

export interface CommandResult {
  /** `null` when it was killed. */
  readonly exitCode: number | null;
  readonly isTimedOut: boolean;
  /** Standard output and error in arrival order: head and tail, with a line that tells how much was left out. */
  readonly output: string;
  readonly outputBytes: number;
}

export interface Snapshot {
  readonly id: SnapshotId;
  /** Difference to the base, in path order. */
  readonly changes: readonly FileChange[];
  /** A background command was running meanwhile, so files may be half written; absent: none. */
  readonly isUnsettled?: boolean;
}

/** A published answer whose files the viewer may read. */
export interface PeerSnapshot {
  readonly slot: Slot;
  readonly label: Label;
  /** `null` when its files were not kept: its folder then holds nothing but the text. */
  readonly snapshotId: SnapshotId | null;
  /** The whole answer, readable as `ANSWER.md` in its folder; absent: no such file. */
  readonly text?: string;
  /** Name of its folder; absent: `agent2`. Several answers of one agent need different ones. */
  readonly folderName?: string;
}

/** How the `peers` root is laid out. */
export interface PeersView {
  /** Folder between the root and what it shows, so that a path tells nothing about who looks; absent: none. */
  readonly token?: string;
  /** Files of the attempt before this one, shown as `previous_attempt`. */
  readonly previousAttempt?: SnapshotId;
}

/**
 * One agent's isolated view. Paths are as the agent writes them: absolute inside a root's `shownPath`, or relative to
 * the first root. Every path goes through one guard that resolves links first; anything outside the roots, below a
 * `.git` (writes) or matching a secret pattern is refused with `workspace/path-escape` or `workspace/read-only`.
 * Nothing here ever changes a byte of the user's folders. Calls of one agent may overlap.
 */
export interface AgentWorkspace {
  readonly roots: readonly WorkspaceRoot[];
  /** Why commands are not confined, `null` when they are. */
  readonly unconfinedReason: string | null;
  /** The same of programs of other makers; absent: they are confined. */
  readonly unconfinedProgramReason?: string;
  stat(path: string, signal: AbortSignal): Promise<FileStat>;
  readFile(path: string, signal: AbortSignal): Promise<Uint8Array>;
  listDirectory(path: string, signal: AbortSignal): Promise<readonly DirectoryEntry[]>;
  /** Creates parent folders; keeps the mode of an existing file. */
  writeFile(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  deleteFile(path: string, signal: AbortSignal): Promise<void>;
  /** All regular files below a folder in path order, as shown paths; leaves out `.git`, dependency and hidden secret files. Stops after `limit`. */
  listFiles(path: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Of these files (shown paths) those that lie on the user's disk just as the agent sees them, with their absolute place
   * there, for programs of ours that only read. A file may be left out for any reason; absent: all are.
   */
  onDisk?(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** The absolute folder and exact text that would run: what an approval must show. */
  describeCommand(request: CommandRequest): { readonly command: string; readonly cwd: string };
  runCommand(request: CommandRequest, signal: AbortSignal): Promise<CommandResult>;
  /** Starts a command and does not wait for its end. `timeoutMs` is its whole life. Ends with the workspace at the latest. */
  startCommand(request: CommandRequest, signal: AbortSignal): Promise<BackgroundCommand>;
  /** `undefined` for an id that was never given. */
  backgroundCommand(id: string): BackgroundCommand | undefined;
  /** Resolves when nothing of it runs any more. */
  stopCommand(id: string, signal: AbortSignal): Promise<BackgroundCommand | undefined>;
  /**
   * While it runs, snapshots are taken with all its processes paused. `signal` ends it as long as it runs. Answers of others
   * are seen as they were when it began. Throws `tool/failed` when it is not there or does not start, and `tool/unconfined`
   * when it is there and cannot be confined.
   */
  startProgram(request: ProgramRequest, signal: AbortSignal): Promise<Program>;
  /** Freezes what the agent has changed so far. Equal content has an equal id. */
  takeSnapshot(signal: AbortSignal): Promise<Snapshot>;
  /** Like `takeSnapshot`, for going back only: nobody is told what has changed. */
  freeze(signal: AbortSignal): Promise<SnapshotId>;
  /** Makes the files equal to an earlier snapshot; `null`: as at the start of the run, with what an earlier turn of the session left. */
  restore(snapshotId: SnapshotId | null, signal: AbortSignal): Promise<void>;
  /**
   * Replaces what is readable under the `peers` root; returns the folder of each answer. What the winner of the session's
   * last turn left in its private folder is always there, as `previous_turn`.
   */
  showPeers(peers: readonly PeerSnapshot[], view?: PeersView): ReadonlyMap<Label, string>;
  /** Replaces this agent's own absolute paths in a text by a neutral form, for showing the text to others. */
  neutralizePaths(text: string): string;
  /** The way back: puts `folder`, or without one this agent's own, in the place of the neutral form. */
  localizePaths(text: string, folder?: string): string;
  /** Ends commands still running and removes temporary files; snapshots stay. Idempotent. */
  close(): Promise<void>;
}

/** The files of one run: its agents' workspaces and the store of snapshots. */
export interface RunWorkspaces {
  createAgentWorkspace(slot: Slot, signal: AbortSignal): Promise<AgentWorkspace>;
  /** A workspace that belongs to no agent, for looking at or checking a snapshot. `close` removes it. */
  createScratchWorkspace(signal: AbortSignal): Promise<AgentWorkspace>;
  /**
   * Keeps the present bytes of a file of the user (absolute path) as what agents see, because it is about to change.
   * Cheap for files outside of the run's folders.
   */
  keepBase(path: string, bytes: Uint8Array): void;
  close(): Promise<void>;
}
