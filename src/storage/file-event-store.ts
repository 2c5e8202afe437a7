import { closeSync, ftruncateSync, openSync, readdirSync, writeSync } from 'node:fs';
import type { Disposable } from '../base/disposable';
import type { RunId } from '../base/ids';
import { isMassGenError, MassGenError } from '../core/errors';
import type { Clock } from '../core/ports/clock';
import type { EventLogWriter, EventStore, RunSummary } from '../core/ports/event-store';
import { logVersion } from '../run/events';
import { reducerKey } from './checkpoint';
import { FileEventLogWriter, type LogFile } from './event-log-writer';
import { removeLeftoversIn } from './leftovers';
import { acquireLock, isHeld } from './lock-file';
import { readEventRange, readEventsAfter } from './read-range';
import { isRunId, makePrivateFolder, runFolder, type RunFolder, runsDir } from './run-folder';
import { readSummary, summaryOf, type StoredSummary } from './run-summary';
import { Sidecar, type SidecarParts } from './sidecar';
import { readStoredLog, readStoredLogSync } from './stored-log';

export interface FileEventStoreParts {
  /** Folder of the product's storage; runs are in `runs/<runId>/` below it. Made when missing. */
  readonly dir: string;
  readonly clock: Clock;
  /** States that another release has kept beside the logs are not used. Absent: only their shape is compared. */
  readonly productVersion?: string;
  /** Takes the place of writing to the disk. */
  readonly write?: LogFile['write'];
}

/** Runs as append-only files: one folder per run, one JSON line per event, one writer at a time. */
export function createFileEventStore(parts: FileEventStoreParts): EventStore {
  const key = reducerKey(parts.productVersion ?? '');
  const store: Store = { ...parts, key, write: parts.write ?? writeSync };
  return {
    create: (runId) => createLog(store, runId),
    reopen: (runId) => reopenLog(store, runId),
    read: async (runId) => {
      const { folder } = ofRun(store, runId);
      return readEventRange(folder, runId, { from: 0, to: Infinity });
    },
    open: async (runId) => {
      const { state, skippedLines } = await readStoredLog(ofRun(store, runId));
      return { state, skippedLines };
    },
    readRange: async (runId, from, to) => {
      const { folder } = ofRun(store, runId);
      return (await readEventRange(folder, runId, { from, to })).events;
    },
    readAfter: (runId, seq) => {
      const { folder } = ofRun(store, runId);
      return attempt('The log of this run cannot be read.', () =>
        readEventsAfter(folder, runId, seq),
      );
    },
    list: async () => listRuns(store),
  };
}

type Store = Omit<FileEventStoreParts, 'write'> & {
  readonly key: string;
  readonly write: LogFile['write'];
};

function ofRun({ dir, key }: Store, runId: RunId): SidecarParts {
  return { folder: runFolder(dir, runId), runId, key };
}

function createLog(store: Store, runId: RunId): EventLogWriter {
  const parts = ofRun(store, runId);
  const { folder } = parts;
  const { clock, write } = store;
  attempt('The folder of the run cannot be made.', () => makePrivateFolder(folder.dir));
  return withLock(folder, clock, (lock) => {
    const fd = openSync(folder.log, 'ax', 0o600);
    writeHeader(fd, runId);
    const sidecar = new Sidecar(parts, emptyLog);
    return new FileEventLogWriter(
      { fd, write, sidecar, lock, lastSeq: -1, summaryPath: folder.summary, summary: undefined },
      clock,
    );
  });
}

const emptyLog = {
  ...{ state: undefined, version: logVersion, skippedLines: 0 },
  ...{ offsets: [], firstUnlisted: 0, checkpointBytes: 0, checkpointOffset: 0 },
};

function reopenLog(store: Store, runId: RunId): EventLogWriter {
  const parts = ofRun(store, runId);
  const { folder } = parts;
  const { clock, write } = store;
  return withLock(folder, clock, (lock) => {
    const log = readStoredLogSync(parts);
    [folder.dir, folder.payloads].forEach(removeLeftoversIn);
    const fd = openSync(folder.log, 'a', 0o600);
    if (log.wholeBytes < log.fileBytes) {
      ftruncateSync(fd, log.wholeBytes);
    }
    const isEmpty = log.wholeBytes === 0;
    if (isEmpty) {
      writeHeader(fd, runId);
    }
    const sidecar = new Sidecar(parts, isEmpty ? emptyLog : log);
    const summary = summaryOf(log.state);
    const lastSeq = log.state?.seq ?? -1;
    return new FileEventLogWriter(
      { fd, write, sidecar, lock, lastSeq, summaryPath: folder.summary, summary },
      clock,
    );
  });
}

function withLock<T>(folder: RunFolder, clock: Clock, open: (lock: Disposable) => T): T {
  const lock = acquireLock(lockQuery(folder, clock));
  try {
    return attempt('The log of this run cannot be opened.', () => open(lock));
  } catch (error) {
    lock.dispose();
    throw error;
  }
}

function writeHeader(fd: number, runId: RunId): void {
  try {
    writeSync(fd, `${JSON.stringify({ v: logVersion, runId })}\n`);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

async function listRuns(store: Store): Promise<readonly RunSummary[]> {
  const runs: RunSummary[] = [];
  for (const name of folderNames(runsDir(store.dir)).filter(isRunId)) {
    const parts = ofRun(store, name);
    const isRunning = isHeld(lockQuery(parts.folder, store.clock));
    const summary = await storedSummary(parts, isRunning);
    if (summary !== undefined) {
      runs.push({ ...summary, isRunning });
    }
  }
  return runs.sort((a, b) => b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1));
}

/** The sidecar lags behind the log only when its writer was killed: then the log itself is asked. */
async function storedSummary(
  parts: SidecarParts,
  isRunning: boolean,
): Promise<StoredSummary | undefined> {
  const stored = readSummary(parts.folder.summary);
  if (stored !== undefined && (isRunning || stored.outcome !== null)) {
    return stored;
  }
  try {
    return summaryOf((await readStoredLog(parts)).state);
  } catch {
    return undefined;
  }
}

function folderNames(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function lockQuery(folder: RunFolder, clock: Clock): Parameters<typeof acquireLock>[0] {
  return { path: folder.lock, proofOfLife: folder.log, now: clock.now() };
}

function attempt<T>(message: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw isMassGenError(error)
      ? error
      : new MassGenError('storage/failed', message, { cause: error });
  }
}
