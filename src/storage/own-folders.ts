// The folders in the storage that carry the product's own mark: only those are ever removed.
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunId } from '../base/ids';
import type { Clock } from '../core/ports/clock';
import { acquireLock, isHeld } from './lock-file';
import { isRunId, runFolder, runsDir } from './run-folder';

const headerSchema = z.object({ v: z.number(), runId: z.string() });
const headerBytes = 400;

/** Folders of runs whose log says that it is that run's. */
export function runsIn(storageDir: string): readonly RunId[] {
  return foldersIn(runsDir(storageDir)).filter((name) => isRunId(name) && isRun(storageDir, name));
}

/** Whether the folder is there and belongs to who runs this process; where the system does not tell, it does. */
export function isOfThisUser(dir: string): boolean {
  const owner = statSync(dir, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && (process.getuid === undefined || owner === process.getuid());
}

/** Whether this storage has the run; reads the first line of its log. */
export function holdsRun(storageDir: string, runId: RunId): boolean {
  return isRunId(runId) && isRun(storageDir, runId);
}

function isRun(storageDir: string, name: string): boolean {
  try {
    const line = beginningOf(runFolder(storageDir, name).log).split('\n')[0] ?? '';
    return headerSchema.parse(JSON.parse(line)).runId === name;
  } catch {
    return false;
  }
}

function beginningOf(path: string): string {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(headerBytes);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, headerBytes, 0));
  } finally {
    closeSync(fd);
  }
}

/** Folders directly below `dir` that hold a file of this name with an object of version 1 in it. */
export function markedFolders(dir: string, mark: string): readonly string[] {
  return foldersIn(dir).filter((name) => {
    try {
      const text = readFileSync(join(dir, name, mark), 'utf8');
      return z.looseObject({ v: z.literal(1) }).safeParse(JSON.parse(text)).success;
    } catch {
      return false;
    }
  });
}

/** A place where agents or checks of a run have worked; its name tells nothing else. */
const workName = /^[0-9a-f]{16}$/;

/** Longer than any check of a run that is over may take; such a check holds no lock. */
const longestWorkMs = 2 * 3_600_000;

/** Work folders of a run that no process plays any more. */
export function forsakenFolders(storageDir: string, runId: RunId, clock: Clock): readonly string[] {
  const { dir } = runFolder(storageDir, runId);
  const found = foldersIn(dir).filter(
    (name) => workName.test(name) && ageOf(join(dir, name), clock) > longestWorkMs,
  );
  return found.length === 0 || isAtWork(storageDir, runId, clock)
    ? []
    : found.map((name) => join(dir, name));
}

function ageOf(path: string, clock: Clock): number {
  return clock.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? clock.now());
}

export function isAtWork(storageDir: string, runId: RunId, clock: Clock): boolean {
  return isHeld(lockOf(storageDir, runId, clock));
}

/** Does the work while nobody else can open the run's log. Throws `storage/locked`. */
export async function whileLocked<T>(
  where: { readonly storageDir: string; readonly runId: RunId; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  const lock = acquireLock(lockOf(where.storageDir, where.runId, where.clock));
  try {
    return await work();
  } finally {
    lock.dispose();
  }
}

function lockOf(storageDir: string, runId: RunId, clock: Clock): Parameters<typeof isHeld>[0] {
  const { lock, log } = runFolder(storageDir, runId);
  return { path: lock, proofOfLife: log, now: clock.now() };
}

export function foldersIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
