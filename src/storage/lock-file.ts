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
    const seen = read(query.path);
    // Without a text it has been given back in this moment, and may be another one's in the next.
    if (seen !== undefined && (isHeldBy(seen, query) || !removeStale(query.path, seen))) {
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
  return isHeldBy(read(query.path), query);
}

function isHeldBy(text: string | undefined, query: LockQuery): boolean {
  const holder = text === undefined ? undefined : parseHolder(text);
  if (holder === undefined) {
    return false;
  }
  const liveness = livenessOf(holder);
  return liveness === 'alive' || (liveness === 'unknown' && !isSilent(query));
}

/**
 * The file appears with its whole text: another process that read it half written would take it for nobody's. Where
 * there are no links it is written in place.
 */
function tryCreate(path: string, text: string): boolean {
  const own = `${path}.${process.pid}.new`;
  try {
    writeFileSync(own, text, { mode: 0o600 });
    return tryLink(own, path) ?? tryWrite(path, text);
  } catch (error) {
    throw new MassGenError('storage/failed', `The lock ${path} cannot be written.`, {
      cause: error,
      hint: 'Check that the storage folder can be written and the disk has free space.',
    });
  } finally {
    rmSync(own, { force: true });
  }
}

/** `false` when there is such a file already, `undefined` when the file system has no links. */
function tryLink(from: string, to: string): boolean | undefined {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    return isThere(error) ? false : undefined;
  }
}

function tryWrite(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isThere(error)) {
      return false;
    }
    throw error;
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

/**
 * Moves the stale file aside and looks at what was moved: when another process was faster, it is that one's fresh lock,
 * which is put back.
 */
function removeStale(path: string, seen: string): boolean {
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

/** Opening anything but a file, such as a pipe, could wait for ever. */
function read(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
