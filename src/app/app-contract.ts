// What every shell (extension, command line) builds on; `create-app.ts` fills it.
import type { Disposable } from '../base/disposable';
import type { Label, RunId, Slot } from '../base/ids';
import type { Egress } from '../config/egress';
import type { TeamLanguage } from '../config/language/team-language';
import type { QuickTeam, QuickTeamResult } from '../config/quick-team';
import type { ConfigProblem, ConfigResult, RunConfig } from '../config/run-config';
import type { ApprovalDecision, CommandPolicy } from '../core/ports/approvals';
import type { BackendKind, BackendSettings } from '../core/ports/backend-kind';
import type { Clock } from '../core/ports/clock';
import type { RunSummary } from '../core/ports/event-store';
import type { Logger } from '../core/ports/logger';
import type { CheckProposal } from '../core/ports/checks';
import type { AutoApply, LiveFiles, ReviewResult, ReviewSession } from '../core/ports/review';
import type { Confinement } from '../core/ports/workspace';
import type { Secrets, Variables } from '../core/ports/secrets';
import type { SignIns } from '../core/ports/sign-ins';
import type { Tool } from '../core/ports/tool';
import type { Forecast } from '../protocol/webview';
import type { Sandbox } from '../workspace/confinement/sandbox';
import type { RecordedEvent } from '../run/events';
import type { CheckReport, CheckSpec } from '../run/check-facts';
import type { PathPermission, PayloadRef } from '../run/facts';
import type { RunState } from '../run/state';

/** Shells name these through the app alone. */
export type { ConfigProblem, ConfigResult, QuickTeam, QuickTeamResult, RunConfig };

export interface AppParts {
  /** Folder for runs; made when missing, mode 0700. Never inside the user's project. */
  readonly storageDir: string;
  /** Folder of the installed product: holds `media/` and `configs/`. */
  readonly installDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secrets: Secrets;
  /**
   * Variables that are no keys, for `${NAME}` in settings such as `base_url`: those of the user's own environment and
   * files, never of a project. Absent: none is set.
   */
  readonly variables?: Variables;
  /** How somebody signs in to servers of tools; absent: nobody can. */
  readonly signIns?: SignIns;
  /** Kinds beside the built-in ones, e.g. the editor's language models. */
  readonly extraBackends: readonly BackendKind[];
  /** Tools that only the shell can offer, e.g. those of the editor; asked for when a run starts. Absent: none. */
  readonly extraTools?: () => readonly Tool[];
  /** Paths at which the shell may have a ripgrep, tried before the one on PATH; absent: none. */
  readonly ripgrep?: readonly string[];
  readonly liveFiles: LiveFiles;
  /**
   * Patterns, as in a `.massgenignore`, of what no agent sees in any folder; asked for when a run opens its folders.
   * Absent: none.
   */
  readonly hiddenPaths?: () => readonly string[];
  /** What keeps commands and programs apart; absent: what is found out on this machine. */
  readonly findSandbox?: (signal: AbortSignal) => Promise<Sandbox>;
  /** Arguments of the command line, for the files of a run; absent in the editor. */
  readonly cliArgs?: readonly string[];
  /** Which shell this is; noted with the sessions that it begins. */
  readonly origin: SessionOrigin;
  /** The list of the user's sessions that all shells share; absent: sessions are noted nowhere and only the own are known. */
  readonly registryFile?: string;
  /** Absent: readable files of runs are written. `none`: a run leaves nothing but its log. */
  readonly artifacts?: 'none';
}

export type SessionOrigin = 'vscode' | 'cli' | 'api';

export interface ExportRequest {
  readonly runId: RunId;
  /** Of the session that the run belongs to. */
  readonly turns: 'all' | 'latest' | { readonly from: number; readonly to: number };
  /** Bytes of the files of agents in one folder that go along; 0: none. */
  readonly workspaceLimit: number;
}

export interface ExportedFile {
  /** `turn_1/answer.txt`, `/` as separator. */
  readonly path: string;
  /** After the redaction. */
  readonly sizeBytes: number;
  readonly isText: boolean;
  /** Places at which a secret or the user's home was taken out. */
  readonly redactions: number;
  /** Redacted bytes. */
  readonly read: () => Promise<Uint8Array>;
}

/** What would leave the machine with the readable files of a session; nothing is written yet. */
export interface SessionExport {
  readonly sessionId: string;
  readonly turns: readonly {
    readonly turn: number;
    readonly runId: RunId;
    readonly task: string;
  }[];
  readonly files: readonly ExportedFile[];
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

export interface RecordRequest {
  readonly runId: RunId;
  /** Characters of the events as JSON; beyond that what is least missed is left out. */
  readonly limit: number;
}

/** An event of a log after the redaction; whoever shows it parses it. */
export interface ShownEvent {
  readonly seq: number;
  readonly at: number;
  readonly event: unknown;
}

/** A run event by event, for others to look at. */
export interface ShownRecord {
  readonly runId: RunId;
  readonly task: string;
  readonly events: readonly ShownEvent[];
  /** All that the log holds. */
  readonly total: number;
  readonly hasEnded: boolean;
  /** Places at which a secret or the user's home was taken out. */
  readonly redactions: number;
  /** One sentence for each kind of thing that is missing. */
  readonly leftOut: readonly string[];
}

/** A session in the shared list, with what is stored of it. */
export interface SessionSummary {
  readonly sessionId: string;
  /** Unix ms, like `endedAt`; 0 when the list does not say. */
  readonly startedAt: number;
  /** `null` while a run of it goes on, or when it was cut off. */
  readonly endedAt: number | null;
  /** A run of it is played now, here or by another process. */
  readonly isActive: boolean;
  /** `null`: another program. */
  readonly origin: SessionOrigin | null;
  readonly configPath: string | null;
  readonly model: string | null;
  readonly description: string | null;
  readonly logDirectory: string | null;
  /** Storage folder that holds its runs; `null` when they are not where this product can read them. */
  readonly dataPath: string | null;
  /** Kept in this app's own storage. */
  readonly isOwn: boolean;
  /** Newest first. */
  readonly runs: readonly RunSummary[];
}

export interface TeamCheckRequest {
  readonly text: string;
  /** Absolute path, or a name in parentheses for a team that is not in a file. */
  readonly file: string;
  /** Absolute path of the folder from which paths of the file count; absent: relative paths are not looked for. */
  readonly project?: string;
  /** `text`: what the file alone tells; `environment`: also keys, variables, paths and programs of this machine. */
  readonly level: 'text' | 'environment';
  /** Programs that the user has set, by `backend.type`; they count where the file names none. Absent: none is set. */
  readonly programs?: Readonly<Record<string, string>>;
}

export interface TeamCheck {
  /** Errors and warnings, in the order of the file; none holds the value of a key or variable. */
  readonly problems: readonly ConfigProblem[];
  /** `undefined` when there is an error. */
  readonly config: RunConfig | undefined;
}

export interface ContextFolder {
  readonly name: string;
  /** Absolute path of a folder or a single file. */
  readonly path: string;
  readonly permission: PathPermission;
  /** Paths inside it, relative to it, that agents may read and not change. */
  readonly protectedPaths?: readonly string[];
}

export interface StartRunRequest {
  readonly task: string;
  readonly config: RunConfig;
  readonly folders: readonly ContextFolder[];
  /** Text of unsaved editors by absolute path: agents see it instead of the disk's. */
  readonly unsaved: ReadonlyMap<string, Uint8Array>;
  readonly commandPolicy: CommandPolicy;
  /** Checks that the user chose, where the team has none of its own. */
  readonly checks?: readonly CheckSpec[];
  /** Somebody watches who can choose when the team cannot agree. */
  readonly canAskPerson?: boolean;
  /** The run whose session goes on; absent: a session of its own begins. */
  readonly follows?: RunId;
  /** Id of the session that goes on, or begins where there is none of that id; without meaning beside `follows`. */
  readonly sessionId?: string;
  /** Folder for the run's readable files, e.g. a project's `.massgen`; absent: below the storage folder. */
  readonly artifactsRoot?: string;
  /** Told every event from the first one on, once it is stored, with the state after it. */
  readonly onEvents?: (events: readonly RecordedEvent[], state: RunState) => void;
  /** Told where the run's readable files are, before any model is asked; `status.json` is there by then. Empty: nothing is kept. */
  readonly onFolder?: (artifactsDir: string) => void;
}

/** What a log does not hold: the models with their keys, and who allows commands. */
export type ResumeRequest = Pick<StartRunRequest, 'config' | 'commandPolicy' | 'unsaved'>;

/** What came of playing a stored run again. */
export interface ReplayReport {
  readonly runId: RunId;
  readonly events: number;
  /** The first event that came out differently; `null` when all are the same. */
  readonly difference: {
    readonly seq: number;
    readonly expected: string;
    readonly actual: string;
  } | null;
  /** Artefact files that came out differently, by path. */
  readonly changedFiles: readonly string[];
  /** What of the record is not there any more, in one sentence; absent when all is. */
  readonly damage?: string;
}

/** A run, live or read from its log. */
export interface RunHandle {
  readonly runId: RunId;
  readonly isLive: boolean;
  state(): RunState;
  /** New events with the state after them, in order, each once. Called synchronously after they are on disk. */
  onEvents(listener: (events: readonly RecordedEvent[], state: RunState) => void): Disposable;
  /** Asks an agent to finish with what it has. Answers `false` when it has no turn to finish. */
  answerNow(slot: Slot): boolean;
  /** Puts a message before agents at their next safe point; `null`: all. Answers `false` after the end. */
  steer(text: string, slots: readonly Slot[] | null): boolean;
  /** Chooses an answer instead of the team, before or after it has chosen. Answers `false` when there is no such answer. */
  override(label: Label): boolean;
  /** Gives an agent that failed another chance. */
  revive(slot: Slot): boolean;
  /** The folder with the files of the run for people and scripts. */
  readonly artifactsDir: string;
  /** Ends model calls, tools and processes. Idempotent; `ended` settles afterwards. */
  stop(): void;
  /** Ignored (answers `false`) when the approval is not open or the hash is not that of what was asked. */
  resolveApproval(approvalId: string, hash: string, decision: ApprovalDecision): boolean;
  /** Settles when the run is over and nothing of it runs any more. Never rejects. */
  readonly ended: Promise<RunState>;
  /** The review of the voted snapshot; `undefined` before it exists or when nothing was changed. */
  review(): ReviewSession | undefined;
  /**
   * Runs the checks on what is proposed now, mixed or not, and answers when all have ended; the results are events of the
   * run. `undefined` when there is no review or no check. Throws `cancelled/*`.
   */
  checkMix(signal: AbortSignal): Promise<CheckReport | undefined>;
  /** Applies what the settings allow without a person; see `AutoApply`. Sensitive and ignored files stay undecided. */
  applyAutomatically(auto: AutoApply, signal: AbortSignal): Promise<readonly ReviewResult[]>;
  /** The user is about to change one of his files (absolute path, its bytes before): agents go on seeing the old ones. */
  keepBase(path: string, bytes: Uint8Array): void;
  /**
   * Writes the whole project with an answer's changes, or with what is proposed (`null`), into a new folder of the
   * product's storage and answers its path; the folder stays until it is cleaned up.
   */
  tryAnswer(label: Label | null, signal: AbortSignal): Promise<string>;
  /** The whole stored text of a file in an answer's snapshot. */
  readSnapshotFile(snapshotId: string, root: string, path: string): Promise<Uint8Array | undefined>;
}

/** One thing that can be removed from the storage. */
export interface StoredItem {
  /** For `cleanUp`. */
  readonly id: string;
  readonly kind: 'run' | 'tried' | 'leftover';
  /** For people: the task of a run, the name of a folder. */
  readonly title: string;
  readonly bytes: number;
  /** Unix ms. */
  readonly changedAt: number;
  /** Why it is not removed: a review with undecided files, a run at work, another process; absent: it can be. */
  readonly keptBecause?: string;
}

export interface StorageUse {
  readonly folder: string;
  readonly bytes: number;
  /** Largest first. */
  readonly items: readonly StoredItem[];
}

/** What is kept at most; `null`: any amount. A run at work or under review is kept whatever is said here. */
export interface Retention {
  readonly runs: number | null;
  readonly days: number | null;
  readonly bytes: number | null;
}

/** A model server found on this machine, e.g. Ollama on its usual port. */
export interface LocalServer {
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** An agent program on this machine that could be a member of a team. */
export interface InstalledProgram {
  /** E.g. `Claude Code`. */
  readonly title: string;
  /** `backend.type` that plays it. */
  readonly type: string;
  readonly path: string;
  /** The program and its arguments, as they stand in a team file. */
  readonly command: readonly string[];
}

export interface App {
  readonly backendKinds: readonly BackendKind[];
  /**
   * Throws `config/*` when the run cannot start (missing key, missing folder) and `storage/locked` while another run of
   * the session goes on; nothing was sent anywhere then.
   */
  startRun(request: StartRunRequest, signal: AbortSignal): Promise<RunHandle>;
  /** Opens a stored run; one that was cut off is marked `interrupted` unless another process still writes it. */
  openRun(runId: RunId): Promise<RunHandle>;
  /**
   * Goes on with a run that was cut off, with the agents of the same team. Throws `storage/locked` while another
   * process plays it and `config/*` when the team is not the one of the run.
   */
  resumeRun(runId: RunId, request: ResumeRequest, signal: AbortSignal): Promise<RunHandle>;
  /** Plays a stored run through the same engine, without any network, and compares. `onEvent` sees each event as it comes. */
  replayRun(
    runId: RunId,
    signal: AbortSignal,
    onEvent?: (event: RecordedEvent) => void,
  ): Promise<ReplayReport>;
  /** The runs in the own storage, newest first. */
  listRuns(): Promise<readonly RunSummary[]>;
  /**
   * The sessions of the shared list whose data can be read, of all shells, that with the newest run first. Their runs can
   * be opened, played again and followed like the own ones; what is written then goes to the storage that they are in.
   */
  listSessions(): Promise<readonly SessionSummary[]>;
  /**
   * The run that a further task follows: the newest one of a session, or the newest one with an answer that worked on
   * this folder (absolute path), or on any. Sessions of the shared list count. `undefined` when there is none.
   */
  runToContinue(
    of: { readonly sessionId: string } | { readonly folder: string } | 'newest',
  ): Promise<RunId | undefined>;
  /**
   * What the readable files of a run's session come to with secrets and the user's home taken out; nothing is written.
   * Throws `config/invalid` when there is no such turn, `storage/*` and the signal's reason.
   */
  planExport(request: ExportRequest, signal: AbortSignal): Promise<SessionExport>;
  /**
   * The events of a run with secrets and the user's home taken out, and without what no part of the panel shows. A run
   * that goes on is read as it stands. Throws `storage/*` and the signal's reason.
   */
  recordToShow(request: RecordRequest, signal: AbortSignal): Promise<ShownRecord>;
  /** A text that is kept beside a run's log, e.g. instructions as they were given; `undefined` when it is not there. */
  readPayload(runId: RunId, ref: PayloadRef): string | undefined;
  /** Checks a team file's text against one schema; all problems at once. */
  loadConfig(text: string, file: string): ConfigResult;
  /**
   * The one check of a team file, for `--validate`, runs, editors and scripts. Asks no service and starts no program. Throws
   * `cancelled/*` only.
   */
  checkTeam(request: TeamCheckRequest, signal: AbortSignal): Promise<TeamCheck>;
  /** A team from the names of models, as the text of a team file. */
  quickTeam(wish: QuickTeam): QuickTeamResult;
  /** Names of the models that a service offers now; sends one request. Throws `backend/*`, `config/*`, `cancelled/*`. */
  discoverModels(settings: BackendSettings, signal: AbortSignal): Promise<readonly string[]>;
  /** Completion, explanations, checks and fixes for the text of a team file. */
  readonly teamLanguage: TeamLanguage;
  /** The hosts that would receive code or keys, for the question before a team file is trusted. */
  describeEgress(config: RunConfig): Egress;
  /** Estimate of a run from the team and the known prices alone; asks nobody. */
  forecast(config: RunConfig): Forecast;
  /** How commands of agents would be confined here; found out by running one, once per process. */
  confinement(signal: AbortSignal): Promise<Confinement>;
  /** Commands of these folders that look like checks; nothing is run. */
  proposeChecks(
    folders: readonly ContextFolder[],
    signal: AbortSignal,
  ): Promise<readonly CheckProposal[]>;
  /** What the product keeps on this disk. */
  storageUse(signal: AbortSignal): Promise<StorageUse>;
  /** Removes the named parts; a run in review or at work is left. Answers what was freed, bytes. */
  cleanUp(ids: readonly string[], signal: AbortSignal): Promise<number>;
  /** Removes the oldest beyond the limits, and what was left behind by a process that was killed. Answers like `cleanUp`. */
  retain(limits: Retention, signal: AbortSignal): Promise<number>;
  /** The offline demonstration team that ships with the product. */
  offlineTeam(): Promise<RunConfig>;
  /** Asks the usual ports of this machine only; called on a user's action, never by itself. */
  detectLocalServers(signal: AbortSignal): Promise<readonly LocalServer[]>;
  /** Stops live runs and releases everything. Idempotent. */
  close(): Promise<void>;
}
