import { closeSync, ftruncateSync, openSync, readFileSync, readdirSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Disposable } from '../base/disposable';
import type { RunId } from '../base/ids';
import { isMassGenError, MassGenError } from '../core/errors';
import type { Clock } from '../core/ports/clock';
import type { EventLogWriter, EventStore, RunSummary } from '../core/ports/event-store';
import { logVersion } from '../run/events';
import { FileEventLogWriter } from './event-log-writer';
import { acquireLock, isHeld } from './lock-file';
import { type ParsedLog, parseLog } from './read-log';
import { isRunId, makePrivateFolder, runFolder, type RunFolder, runsDir } from './run-folder';
import { readSummary, summarize, type StoredSummary } from './run-summary';

export interface FileEventStoreParts {
  /** Folder of the product's storage; runs are in `runs/<runId>/` below it. Made when missing. */
  readonly dir: string;
  readonly clock: Clock;
}

/** Runs as append-only files: one folder per run, one JSON line per event, one writer at a time. */
export function createFileEventStore(parts: FileEventStoreParts): EventStore {
  return {
    create: (runId) => createLog(parts, runId),
    reopen: (runId) => reopenLog(parts, runId),
    read: async (runId) => {
      const log = parseLog(await readLogFile(runFolder(parts.dir, runId)));
      checkHeader(log, runId);
      const { events, skippedLines } = log;
      return { events, skippedLines };
    },
    list: async () => listRuns(parts),
  };
}

function createLog({ dir, clock }: FileEventStoreParts, runId: RunId): EventLogWriter {
  const folder = runFolder(dir, runId);
  attempt('The folder of the run cannot be made.', () => makePrivateFolder(folder.dir));
  return withLock(folder, clock, (lock) => {
    const fd = openSync(folder.log, 'ax', 0o600);
    writeHeader(fd, runId);
    return new FileEventLogWriter(
      { fd, lock, summaryPath: folder.summary, summary: undefined },
      clock,
    );
  });
}

function reopenLog({ dir, clock }: FileEventStoreParts, runId: RunId): EventLogWriter {
  const folder = runFolder(dir, runId);
  return withLock(folder, clock, (lock) => {
    const bytes = readFileSync(folder.log);
    const log = parseLog(bytes);
    checkHeader(log, runId);
    const fd = openSync(folder.log, 'a', 0o600);
    if (log.wholeBytes < bytes.length) {
      ftruncateSync(fd, log.wholeBytes);
    }
    if (log.wholeBytes === 0) {
      writeHeader(fd, runId);
    }
    const summary = summarize(log.events);
    return new FileEventLogWriter({ fd, lock, summaryPath: folder.summary, summary }, clock);
  });
}

/** Throws `storage/corrupt` for what another run or a later version of the product wrote; a lost header is no reason. */
function checkHeader({ header }: ParsedLog, runId: RunId): void {
  if (header === undefined) {
    return;
  }
  if (header.v > logVersion) {
    throw new MassGenError('storage/corrupt', 'A later version of MassGen has written this run.', {
      hint: 'Update MassGen to open it.',
    });
  }
  if (header.runId !== runId) {
    throw new MassGenError('storage/corrupt', `The log of run ${runId} belongs to another run.`);
  }
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

async function readLogFile(folder: RunFolder): Promise<Uint8Array> {
  try {
    return await readFile(folder.log);
  } catch (error) {
    throw new MassGenError('storage/failed', 'The log of this run cannot be read.', {
      cause: error,
    });
  }
}

async function listRuns({ dir, clock }: FileEventStoreParts): Promise<readonly RunSummary[]> {
  const runs: RunSummary[] = [];
  for (const name of folderNames(runsDir(dir)).filter(isRunId)) {
    const folder = runFolder(dir, name);
    const isRunning = isHeld(lockQuery(folder, clock));
    const summary = await summaryOf(folder, isRunning);
    if (summary !== undefined) {
      runs.push({ ...summary, isRunning });
    }
  }
  return runs.sort((a, b) => b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1));
}

/** The sidecar lags behind the log only when its writer was killed: then the log itself is asked. */
async function summaryOf(
  folder: RunFolder,
  isRunning: boolean,
): Promise<StoredSummary | undefined> {
  const stored = readSummary(folder.summary);
  if (stored !== undefined && (isRunning || stored.outcome !== null)) {
    return stored;
  }
  try {
    return summarize(parseLog(await readLogFile(folder)).events);
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
