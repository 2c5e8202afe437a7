import { isAbsolute, relative } from 'node:path';
import type { RunId } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { RunSummary } from '../core/ports/event-store';
import { isOfThisUser } from '../storage/own-folders';
import type { ListedSession } from '../storage/session-registry';
import type { App, SessionSummary } from './app-contract';
import type { SessionBook } from './session-book';
import { runToContinue } from './sessions';

/** The product over one storage folder. */
export type OneStorage = Omit<App, 'listSessions'>;

export interface JoinedParts {
  readonly own: OneStorage;
  readonly ownDir: string;
  /** The product over the storage of another shell; starts and writes nothing yet. */
  readonly open: (dir: string) => OneStorage;
  /** Reads only. */
  readonly listRunsIn: (dir: string) => Promise<readonly RunSummary[]>;
  readonly holdsRun: (dir: string, runId: RunId) => boolean;
  /** Absent: there is nothing but the own storage. */
  readonly book: SessionBook | undefined;
}

/**
 * One product over the own storage and those in which other shells keep their sessions. A run is opened, played and
 * followed where it lies, under the locks of that place, so that a session is never in two places.
 */
export function joinStorages(given: JoinedParts): App {
  const parts = { ...given, ...ofThisUser(given) };
  const { own, ownDir, book } = parts;
  const others = new Map<string, OneStorage>();
  const storageAt = (dir: string | undefined): OneStorage => {
    if (dir === undefined || dir === ownDir) {
      return own;
    }
    const storage = others.get(dir) ?? parts.open(dir);
    others.set(dir, storage);
    return storage;
  };
  const homeOf = (runId: RunId): OneStorage => storageAt(dirOf(parts, runId));
  const listSessions = async (): Promise<readonly SessionSummary[]> => sessionsOf(parts);
  const forgetRemoved = async (freed: number): Promise<number> => {
    await forgetGone(parts);
    return freed;
  };
  return {
    ...own,
    listSessions,
    async startRun(request, signal) {
      const { follows, sessionId } = request;
      const place =
        follows === undefined ? await sessionPlace(parts, sessionId) : dirOf(parts, follows);
      refuseInside(place, request.folders);
      return storageAt(place).startRun(request, signal);
    },
    openRun: async (runId) => homeOf(runId).openRun(runId),
    resumeRun: async (runId, request, signal) => homeOf(runId).resumeRun(runId, request, signal),
    replayRun: async (runId, signal, onEvent) => homeOf(runId).replayRun(runId, signal, onEvent),
    planExport: async (request, signal) => homeOf(request.runId).planExport(request, signal),
    recordToShow: async (request, signal) => homeOf(request.runId).recordToShow(request, signal),
    readPayload: (runId, ref) => homeOf(runId).readPayload(runId, ref),
    async runToContinue(of) {
      const sessions = book === undefined ? [] : await listSessions();
      const foreign = sessions.flatMap(({ isOwn, runs }) => (isOwn ? [] : runs));
      return runToContinue(newestFirst([...(await own.listRuns()), ...foreign]), of);
    },
    cleanUp: async (ids, signal) => forgetRemoved(await own.cleanUp(ids, signal)),
    retain: async (limits, signal) => forgetRemoved(await own.retain(limits, signal)),
    async close() {
      await Promise.all([own, ...others.values()].map((one) => one.close()));
    },
  };
}

/** A list that names the folder of somebody else makes nobody read or write there. */
function ofThisUser({
  listRunsIn,
  holdsRun,
}: JoinedParts): Pick<JoinedParts, 'listRunsIn' | 'holdsRun'> {
  return {
    listRunsIn: async (dir) => (isOfThisUser(dir) ? listRunsIn(dir) : []),
    holdsRun: (dir, runId) => isOfThisUser(dir) && holdsRun(dir, runId),
  };
}

/** Logs of the session would become part of what its next run looks at. */
function refuseInside(
  place: string | undefined,
  folders: readonly { readonly path: string }[],
): void {
  const holder = folders.find(({ path }) => place !== undefined && isInside(path, place));
  if (holder !== undefined) {
    throw new MassGenError(
      'config/invalid',
      `This session is kept inside ${holder.path}, which the agents would see.`,
      { hint: 'Begin a new session, or work on another folder.' },
    );
  }
}

function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return !inner.startsWith('..') && !isAbsolute(inner);
}

function newestFirst(runs: readonly RunSummary[]): readonly RunSummary[] {
  return runs.toSorted((a, b) => b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1));
}

function dirOf({ ownDir, book, holdsRun }: JoinedParts, runId: RunId): string | undefined {
  if (book === undefined || holdsRun(ownDir, runId)) {
    return undefined;
  }
  const dirs = new Set(book.read().flatMap((entry) => placeOf(entry) ?? []));
  return [...dirs].find((dir) => holdsRun(dir, runId));
}

/** Only where the session has runs already: a list that is wrong makes nobody write into a strange folder. */
async function sessionPlace(
  { ownDir, book, listRunsIn }: JoinedParts,
  sessionId: string | undefined,
): Promise<string | undefined> {
  if (book === undefined || sessionId === undefined) {
    return undefined;
  }
  const entry = book.read().find(({ session_id }) => session_id === sessionId);
  const dir = entry === undefined ? null : placeOf(entry);
  const isElsewhere = dir !== null && dir !== ownDir;
  return isElsewhere && bySession(await listRunsIn(dir)).has(sessionId) ? dir : undefined;
}

function placeOf({ data_path: path }: ListedSession): string | null {
  return typeof path === 'string' && isAbsolute(path) ? path : null;
}

async function sessionsOf(parts: JoinedParts): Promise<readonly SessionSummary[]> {
  const listed = parts.book?.read() ?? [];
  const stored = new Map<string, RunsBySession>();
  for (const dir of new Set(listed.flatMap((entry) => placeOf(entry) ?? []))) {
    stored.set(dir, bySession(await parts.listRunsIn(dir)));
  }
  return listed
    .flatMap((entry) => {
      const dataPath = placeOf(entry);
      const inPlace = dataPath === null ? undefined : stored.get(dataPath);
      const runs = inPlace?.get(entry.session_id) ?? [];
      // A session without any run has been removed; those of other programs cannot be looked into.
      return dataPath !== null && runs.length === 0
        ? []
        : [toSummary(entry, { dataPath, runs, ownDir: parts.ownDir })];
    })
    .toSorted((a, b) => lastStart(b) - lastStart(a));
}

type RunsBySession = ReadonlyMap<string, readonly RunSummary[]>;

/** A run on its own has given its id to the session that began with it. */
function bySession(runs: readonly RunSummary[]): RunsBySession {
  const sessions = new Map<string, RunSummary[]>();
  for (const run of runs) {
    for (const id of new Set([run.sessionId ?? run.runId, run.runId])) {
      const known = sessions.get(id);
      if (known === undefined) {
        sessions.set(id, [run]);
      } else {
        known.push(run);
      }
    }
  }
  return sessions;
}

function lastStart({ runs, startedAt }: SessionSummary): number {
  return runs[0]?.startedAt ?? startedAt;
}

function toSummary(
  entry: ListedSession,
  place: Pick<SessionSummary, 'dataPath' | 'runs'> & { readonly ownDir: string },
): SessionSummary {
  const { dataPath, runs, ownDir } = place;
  const isForeign = dataPath === null;
  const isActive = isForeign ? entry.status === 'active' : runs.some(({ isRunning }) => isRunning);
  const end = timeOf(entry.end_time);
  return {
    sessionId: entry.session_id,
    startedAt: timeOf(entry.start_time) ?? 0,
    endedAt: isActive ? null : end,
    isActive,
    origin: entry.origin ?? null,
    configPath: entry.config_path ?? null,
    model: entry.model ?? null,
    description: entry.description ?? null,
    logDirectory: entry.log_directory ?? null,
    dataPath,
    isOwn: dataPath === ownDir,
    runs,
  };
}

function timeOf(text: string | null | undefined): number | null {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** What was removed from the own storage leaves the list, too. */
async function forgetGone({ own, ownDir, book }: JoinedParts): Promise<void> {
  if (book === undefined) {
    return;
  }
  const sessions = bySession(await own.listRuns());
  const isGone = (entry: ListedSession): boolean =>
    placeOf(entry) === ownDir && !sessions.has(entry.session_id);
  if (book.read().some(isGone)) {
    await book.forget(isGone);
  }
}
