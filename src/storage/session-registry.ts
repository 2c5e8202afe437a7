import { copyFileSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
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
  /** Absolute path of the storage folder that holds the session; absent in entries of other programs. */
  readonly data_path: string;
  readonly origin: 'vscode' | 'cli' | 'api';
}

/** As it was read: an entry may come from another program, which writes fewer members. */
export type ListedSession = z.infer<typeof entrySchema>;

const text = z.string().nullish().catch(null);

const entrySchema = z.looseObject({
  session_id: z.string(),
  start_time: text,
  end_time: text,
  status: text,
  config_path: text,
  model: text,
  description: text,
  log_directory: text,
  data_path: text,
  origin: z.enum(['vscode', 'cli', 'api']).nullish().catch(null),
});

/** What an entry of another program holds is not ours to judge: it is kept as it is. */
const registrySchema = z.looseObject({ sessions: z.array(z.unknown()) });
type Registry = z.infer<typeof registrySchema>;

/** Thousands of sessions take some megabytes; what is larger was not written by a program for this. */
const mostBytes = 64 * 1024 * 1024;

/** A turn at the list takes a moment only. */
const retryMs = 20;
const attempts = 150;

export interface RegistryPlace {
  readonly file: string;
  readonly clock: Clock;
}

/**
 * Adds a session to the list, or makes the entry of the same id active again: its beginning and what others have put
 * there are kept. A list that cannot be read is set aside first. Waits for its turn up to three seconds and throws
 * `storage/locked` then; throws `storage/failed` when the file cannot be written, and the signal's reason.
 */
export async function registerSession(
  place: RegistryPlace,
  entry: RegisteredSession,
  signal: AbortSignal,
): Promise<void> {
  await change(place, signal, (list) => {
    const known = list.sessions.find((one) => isEntryOf(one, entry.session_id));
    const others = list.sessions.filter((one) => !isEntryOf(one, entry.session_id));
    return [...others, { ...(known ?? {}), ...entry, ...beginningOf(known) }];
  });
}

/** The members of the entry are kept, whoever has written them. */
function isEntryOf(one: unknown, sessionId: string): one is object {
  return (
    typeof one === 'object' && one !== null && 'session_id' in one && one.session_id === sessionId
  );
}

/** A session that goes on began when it began, with what was asked first. */
function beginningOf(known: unknown): Partial<RegisteredSession> {
  const entry = entrySchema.safeParse(known).data;
  const [start, description, origin] = [entry?.start_time, entry?.description, entry?.origin];
  return {
    ...(typeof start === 'string' ? { start_time: start } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(origin === null || origin === undefined ? {} : { origin }),
  };
}

/** Notes that the session is over for now; one that is not in the list stays out of it. Throws like `registerSession`. */
export async function completeSession(
  place: RegistryPlace,
  sessionId: string,
  signal: AbortSignal,
): Promise<void> {
  const end = { end_time: new Date(place.clock.now()).toISOString(), status: 'completed' };
  await change(place, signal, ({ sessions }) =>
    sessions.map((one) => (isEntryOf(one, sessionId) ? { ...one, ...end } : one)),
  );
}

/** Takes sessions out of the list. Throws like `registerSession`. */
export async function forgetSessions(
  place: RegistryPlace,
  isGone: (session: ListedSession) => boolean,
  signal: AbortSignal,
): Promise<void> {
  await change(place, signal, ({ sessions }) =>
    sessions.filter((one) => {
      const entry = entrySchema.safeParse(one).data;
      return entry === undefined || !isGone(entry);
    }),
  );
}

/** The list as it is now, in the order of its file; without a readable file it is empty. */
export function readSessionList(file: string): readonly ListedSession[] {
  try {
    const { sessions } = parseRegistry(textOf(file)) ?? { sessions: [] };
    return sessions.flatMap((one) => entrySchema.safeParse(one).data ?? []);
  } catch {
    return [];
  }
}

async function change(
  place: RegistryPlace,
  signal: AbortSignal,
  next: (list: Registry) => Registry['sessions'],
): Promise<void> {
  const lock = await lockFor(place, signal);
  try {
    const file = targetOf(place.file);
    const list = readRegistry(file);
    const sessions = next(list);
    writeFileAtomically(file, `${JSON.stringify({ ...list, sessions }, null, 2)}\n`);
  } catch (error) {
    throw failed(error);
  } finally {
    lock.dispose();
  }
}

async function lockFor({ file, clock }: RegistryPlace, signal: AbortSignal): Promise<Disposable> {
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

function readRegistry(file: string): Registry {
  let written: string;
  try {
    written = textOf(file);
  } catch (error) {
    if (isMissing(error)) {
      return { sessions: [] };
    }
    throw error;
  }
  const found = parseRegistry(written);
  if (found === undefined) {
    copyFileSync(file, `${file}.unreadable`);
  }
  return found ?? { sessions: [] };
}

/** A link stays a link: people keep such files elsewhere. */
function targetOf(file: string): string {
  try {
    return lstatSync(file).isSymbolicLink() ? realpathSync(file) : file;
  } catch (error) {
    if (isMissing(error)) {
      return file;
    }
    throw error;
  }
}

/** Opening anything but a file, such as a pipe, could wait for ever. */
function textOf(file: string): string {
  const found = statSync(file);
  if (!found.isFile() || found.size > mostBytes) {
    throw new MassGenError('storage/failed', `${file} is no list of sessions.`);
  }
  return readFileSync(file, 'utf8');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function parseRegistry(written: string): Registry | undefined {
  try {
    return registrySchema.safeParse(JSON.parse(written)).data;
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
