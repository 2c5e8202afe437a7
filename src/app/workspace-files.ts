import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { RunId, SnapshotId } from '../base/ids';
import type { Clock } from '../core/ports/clock';
import type { Logger } from '../core/ports/logger';
import type { LiveFiles } from '../core/ports/review';
import type { SnapshotFile } from '../storage/artifact-files-on-disk';
import { acquireLock } from '../storage/lock-file';
import { createCheckRunner } from '../workspace/checks/check-runner';
import { confinementOf, findSandbox } from '../workspace/confinement/probe';
import type { Sandbox } from '../workspace/confinement/sandbox';
import { createReviewSession } from '../workspace/review/review-session';
import { createRunWorkspaces } from '../workspace/run-workspaces';
import { openSnapshotStore, runFolder, type SnapshotStore } from '../workspace/snapshot-store';
import { triedFolders, writeTree } from '../workspace/tried/write-tree';
import type { FilesOfRuns, StoredFiles } from './run-files';

export interface WorkspaceFilesParts {
  readonly storageDir: string;
  readonly liveFiles: LiveFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `undefined`: what is found out on this machine. */
  readonly findSandbox: ((signal: AbortSignal) => Promise<Sandbox>) | undefined;
  /** Patterns of what the user shows to no agent, as they are now; absent: none. */
  readonly hiddenPaths?: () => readonly string[];
}

/** Checks use many cores themselves, and the editor needs some. */
const mostPlaces = 4;

/** Layers, snapshots and reviews of runs, kept beside their logs. */
export function workspaceFiles(parts: WorkspaceFilesParts): FilesOfRuns {
  const { liveFiles, logger, clock, hiddenPaths = () => [] } = parts;
  const dir = join(parts.storageDir, 'runs');
  const ofTrees = { dir, triedDir: join(parts.storageDir, triedFolders) };
  const storedFiles = (runId: RunId, store: SnapshotStore): StoredFiles => ({
    async readSnapshotFile(snapshotId, root, path): Promise<Uint8Array | undefined> {
      const entry = store.readEntry(snapshotId, root, path);
      return entry === undefined ? undefined : store.readContent(entry.now);
    },
    snapshotFiles: (snapshotId) => snapshotFiles(store, snapshotId),
    openReview: (subject, onDecision) =>
      createReviewSession({
        ...{ subject, store, live: liveFiles, onDecision },
        journalDir: runFolder(dir, runId),
        lock: () => {
          const path = join(runFolder(dir, runId), 'review.lock');
          const subject = 'decisions about this run';
          return acquireLock({ path, proofOfLife: path, now: clock.now(), subject });
        },
      }),
    writeTree: (request, signal) =>
      writeTree({ ...request, ...ofTrees, store, runId, hiddenPaths: hiddenPaths() }, signal),
    async close(): Promise<void> {
      store.close();
    },
  });
  // In the folder of the runs, because that is where the layers of agents are.
  const find = parts.findSandbox ?? (async (signal) => findSandbox({ storageFolder: dir }, signal));
  return {
    confinement: async (signal) => confinementOf(await find(signal)),
    create(options) {
      const workspaces = createRunWorkspaces({
        ...{ ...options, dir, storageFolder: parts.storageDir, logger },
        findSandbox: find,
        hiddenPaths: hiddenPaths(),
      });
      const { store, userFiles } = workspaces;
      const { runId, folders } = options;
      return {
        ...{ workspaces, userFiles, stored: storedFiles(runId, store) },
        checkRunner: (checks) =>
          createCheckRunner({
            ...checks,
            ...{ workspaces, store, logger },
            contextRoots: folders.map(({ name }) => name),
            resultsFile: join(runFolder(dir, runId), 'checks.jsonl'),
            places: Math.min(availableParallelism(), mostPlaces),
          }),
      };
    },
    open: (runId) => storedFiles(runId, openSnapshotStore({ dir, runId })),
  };
}

function snapshotFiles(
  store: SnapshotStore,
  snapshotId: SnapshotId,
): readonly SnapshotFile[] | undefined {
  const manifest = store.readManifest(snapshotId);
  return manifest === undefined
    ? undefined
    : [...manifest].flatMap(([root, paths]) =>
        [...paths].flatMap(([path, { now }]) =>
          // An empty folder has no bytes to show or to keep.
          now.kind === 'folder'
            ? []
            : [
                {
                  ...{ root, path, kind: now.kind },
                  sizeBytes: now.kind === 'file' ? now.sizeBytes : 0,
                  isExecutable: now.kind === 'file' && (now.mode & 0o111) !== 0,
                  read: () => store.readContent(now),
                },
              ],
        ),
      );
}
