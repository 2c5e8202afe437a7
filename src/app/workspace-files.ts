import { join } from 'node:path';
import type { RunId } from '../base/ids';
import type { Logger } from '../core/ports/logger';
import type { LiveFiles } from '../core/ports/review';
import { createReviewSession } from '../workspace/review/review-session';
import { createRunWorkspaces } from '../workspace/run-workspaces';
import { openSnapshotStore, runFolder, type SnapshotStore } from '../workspace/snapshot-store';
import type { FilesOfRuns, StoredFiles } from './run-files';

export interface WorkspaceFilesParts {
  readonly storageDir: string;
  readonly liveFiles: LiveFiles;
  readonly logger: Logger;
}

/** Layers, snapshots and reviews of runs, kept beside their logs. */
export function workspaceFiles(parts: WorkspaceFilesParts): FilesOfRuns {
  const { liveFiles, logger } = parts;
  const dir = join(parts.storageDir, 'runs');
  const storedFiles = (runId: RunId, store: SnapshotStore): StoredFiles => ({
    async readSnapshotFile(snapshotId, root, path): Promise<Uint8Array | undefined> {
      const entry = store.readEntry(snapshotId, root, path);
      return entry === undefined ? undefined : store.readContent(entry.now);
    },
    openReview: (subject, onDecision) =>
      createReviewSession({
        ...{ subject, store, live: liveFiles, onDecision },
        journalDir: runFolder(dir, runId),
      }),
    async close(): Promise<void> {
      store.close();
    },
  });
  return {
    create(options) {
      const workspaces = createRunWorkspaces({ ...options, dir, logger });
      const { store, userFiles } = workspaces;
      return { workspaces, userFiles, stored: storedFiles(options.runId, store) };
    },
    open: (runId) => storedFiles(runId, openSnapshotStore({ dir, runId })),
  };
}
