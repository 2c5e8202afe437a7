// What a run needs of the workspace layer, and what is left of it when the run is over.
import type { RunId, Slot, SnapshotId } from '../base/ids';
import type { CheckRunner } from '../core/ports/checks';
import type { DecisionSink, ReviewSession, ReviewSubject } from '../core/ports/review';
import type { UserFiles } from '../core/ports/user-files';
import type { Confinement, RunWorkspaces } from '../core/ports/workspace';
import type { SessionInfo } from '../run/facts';
import type { SnapshotFile } from '../storage/artifact-files-on-disk';
import type { CheckRunnerParts } from '../workspace/checks/check-runner';
import type { ContextFolder } from './app-contract';

/** The stored snapshots of one run, live or over. */
export interface StoredFiles {
  /** `undefined` when the snapshot has no such file. */
  readSnapshotFile(
    snapshotId: SnapshotId,
    root: string,
    path: string,
  ): Promise<Uint8Array | undefined>;
  /** Every changed path of a snapshot; `undefined` when there is no such snapshot. */
  snapshotFiles(snapshotId: SnapshotId): readonly SnapshotFile[] | undefined;
  openReview(subject: ReviewSubject, onDecision: DecisionSink): ReviewSession;
  /** Writes the user's folders as they are now, with the changes of a snapshot, into a new folder and answers its path. */
  writeTree(request: TreeRequest, signal: AbortSignal): Promise<string>;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface TreeRequest {
  readonly snapshotId: SnapshotId;
  readonly folders: readonly ContextFolder[];
}

/** What running checks needs beside the files. */
export type CheckParts = Omit<
  CheckRunnerParts,
  'workspaces' | 'store' | 'contextRoots' | 'resultsFile' | 'places' | 'logger'
>;

export interface RunFiles {
  readonly workspaces: RunWorkspaces;
  /** Runs checks in workspaces of their own; whoever asks for it closes it before the workspaces. */
  checkRunner(parts: CheckParts): CheckRunner;
  readonly stored: StoredFiles;
  readonly userFiles: UserFiles;
}

export interface RunFilesOptions {
  readonly runId: RunId;
  readonly folders: readonly ContextFolder[];
  /** Text of unsaved editors by absolute path. */
  readonly unsaved: ReadonlyMap<string, Uint8Array>;
  /** Names of the agents' folders where a run goes on in another process. */
  readonly folderNames?: ReadonlyMap<Slot, string>;
  /** Answer whose private files every agent starts with. */
  readonly seed?: NonNullable<SessionInfo['seed']>;
  /** Told when something is left out that people should know. */
  readonly onWarning: (code: string, message: string) => void;
}

/** Opens the files of runs; nothing is made on the disk before the first write. */
export interface FilesOfRuns {
  /** How commands are confined here; found out once per process. */
  confinement(signal: AbortSignal): Promise<Confinement>;
  create(options: RunFilesOptions): RunFiles;
  open(runId: RunId): StoredFiles;
}
