import { join } from 'node:path';
import type { RunId } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { Logger } from '../core/ports/logger';
import type { LiveFiles } from '../core/ports/review';
import { createRunWorkspaces } from '../workspace/run-workspaces';
import { openSnapshotStore, type SnapshotStore } from '../workspace/snapshot-store';
import type { FilesOfRuns, StoredFiles } from './run-files';

export interface WorkspaceFilesParts {
  readonly storageDir: string;
  readonly liveFiles: LiveFiles;
  readonly logger: Logger;
}

/** Layers, snapshots and reviews of runs, kept beside their logs. */
export function workspaceFiles(parts: WorkspaceFilesParts): FilesOfRuns {
  const dir = join(parts.storageDir, 'runs');
  return {
    create(options) {
      const workspaces = createRunWorkspaces({ ...options, dir, logger: parts.logger });
      return { workspaces, stored: storedFiles(workspaces.store) };
    },
    open: (runId: RunId) => storedFiles(openSnapshotStore({ dir, runId })),
  };
}

function storedFiles(store: SnapshotStore): StoredFiles {
  return {
    async readSnapshotFile(snapshotId, root, path): Promise<Uint8Array | undefined> {
      const entry = store.readEntry(snapshotId, root, path);
      return entry === undefined ? undefined : store.readContent(entry.now);
    },
    openReview() {
      throw new MassGenError('workspace/not-found', 'This version cannot open reviews.');
    },
    async close(): Promise<void> {
      store.close();
    },
  };
}
