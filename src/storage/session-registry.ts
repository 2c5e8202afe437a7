import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Disposable } from '../base/disposable';
import { isMassGenError, MassGenError } from '../core/errors';
import type { Clock } from '../core/ports/clock';
import { writeFileAtomically } from './atomic-write';
import { acquireLock } from './lock-file';

/** One session in the list of a user's sessions, which several programs share. */
export interface RegisteredSession {
  readonly session_id: string;
  /** ISO 8601. */
  readonly start_time: string;
  readonly end_time: string | null;
  readonly status: 'active' | 'completed';
  readonly config_path: string | null;
  readonly model: string | null;
  readonly description: string | null;
  readonly log_directory: string | null;
}

const registrySchema = z.looseObject({
  sessions: z.array(z.looseObject({ session_id: z.string() })),
});

/** A turn at the list takes a moment only. */
const retryMs = 20;
const attempts = 150;

/**
 * Adds a session to the list in `file`, or replaces the entry of the same id. What others have put there is kept; a list
 * that cannot be read is set aside first. Waits for its turn up to three seconds and throws `storage/locked` then;
 * throws `storage/failed` when the file cannot be written, and the signal's reason.
 */
export async function registerSession(
  file: string,
  entry: RegisteredSession,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const lock = await lockFor(file, clock, signal);
  try {
    const list = readRegistry(file);
    const isOther = (one: { readonly session_id: string }): boolean =>
      one.session_id !== entry.session_id;
    const sessions = [...list.sessions.filter(isOther), entry];
    writeFileAtomically(file, `${JSON.stringify({ ...list, sessions }, null, 2)}\n`);
  } catch (error) {
    throw failed(error);
  } finally {
    lock.dispose();
  }
}

async function lockFor(file: string, clock: Clock, signal: AbortSignal): Promise<Disposable> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw failed(error);
  }
  const path = `${file}.lock`;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      const subject = 'the list of sessions';
      return acquireLock({ path, proofOfLife: path, now: clock.now(), subject });
    } catch (error) {
      if (!isMassGenError(error, 'storage/locked') || attempt === attempts) {
        throw error;
      }
    }
    await new Promise<void>((resolve) => {
      clock.after(retryMs, resolve);
    });
  }
}

function readRegistry(file: string): z.infer<typeof registrySchema> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return { sessions: [] };
    }
    throw error;
  }
  const found = parseRegistry(text);
  if (found === undefined) {
    copyFileSync(file, `${file}.unreadable`);
  }
  return found ?? { sessions: [] };
}

function parseRegistry(text: string): z.infer<typeof registrySchema> | undefined {
  try {
    return registrySchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function failed(error: unknown): MassGenError {
  return isMassGenError(error)
    ? error
    : new MassGenError('storage/failed', 'The list of sessions cannot be written.', {
        cause: error,
      });
}
