import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type Disposable, toDisposable } from '../base/disposable';
import { MassGenError } from '../core/errors';
import { livenessOf, thisProcess } from './process-identity';

const holderSchema = z.object({
  pid: z.number().int(),
  startTime: z.string().nullable(),
  host: z.string(),
});

export interface LockQuery {
  readonly path: string;
  /** A file that the holder keeps writing; judges holders on other machines. */
  readonly proofOfLife: string;
  /** Unix ms. */
  readonly now: number;
  /** What is locked, for people. Absent: a run. */
  readonly subject?: string;
}

/** A holder on another machine counts as gone when it has written nothing for this long. */
const silenceMs = 10 * 60_000;

/**
 * Takes the lock for this process, also from a holder that is gone. Disposing gives it back. Throws `storage/locked`
 * while another holder lives.
 */
export function acquireLock(query: LockQuery): Disposable {
  const text = JSON.stringify(thisProcess());
  for (let attempt = 0; attempt < 3; attempt++) {
    if (tryCreate(query.path, text)) {
      return toDisposable(() => {
        release(query.path, text);
      });
    }
    if (isHeld(query) || !removeStale(query.path)) {
      break;
    }
  }
  const subject = query.subject ?? 'this run';
  throw new MassGenError('storage/locked', `Another process is writing ${subject}.`, {
    hint: 'Close the window or end the command that runs it, then try again.',
  });
}

/** True while a live process holds the lock. A lock that cannot be read belongs to nobody. */
export function isHeld(query: LockQuery): boolean {
  const text = read(query.path);
  const holder = text === undefined ? undefined : parseHolder(text);
  if (holder === undefined) {
    return false;
  }
  const liveness = livenessOf(holder);
  return liveness === 'alive' || (liveness === 'unknown' && !isSilent(query));
}

function tryCreate(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    throw new MassGenError('storage/failed', `The lock ${path} cannot be written.`, {
      cause: error,
    });
  }
}

/**
 * Moves the stale file aside and looks at what was moved: when another process was faster, it is that one's fresh lock,
 * which is put back.
 */
function removeStale(path: string): boolean {
  const seen = read(path);
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return true;
  }
  const isSame = read(aside) === seen;
  if (!isSame) {
    tryLink(aside, path);
  }
  rmSync(aside, { force: true });
  return isSame;
}

function tryLink(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // A third process has taken the lock in this instant; it is held either way.
  }
}

function release(path: string, text: string): void {
  if (read(path) === text) {
    rmSync(path, { force: true });
  }
}

function isSilent({ proofOfLife, now }: LockQuery): boolean {
  try {
    return now - statSync(proofOfLife).mtimeMs > silenceMs;
  } catch {
    return true;
  }
}

function parseHolder(text: string): z.infer<typeof holderSchema> | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
