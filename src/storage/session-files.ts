import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Disposable } from '../base/disposable';
import { isMassGenError, MassGenError } from '../core/errors';
import type { Clock } from '../core/ports/clock';
import type {
  OpenSession,
  SessionNote,
  SessionStore,
  SessionTurn,
  StoredSession,
  TurnFile,
} from '../core/ports/session-store';
import { writeFileAtomically } from './atomic-write';
import { acquireLock } from './lock-file';
import {
  metadataText,
  notesText,
  readSession,
  sessionFolder,
  type SessionFolder,
  turnFolder,
} from './session-folder';
import { summaryText, winnersText } from './session-summary';

export interface SessionFilesParts {
  /** Folder of the product's storage; sessions are in `sessions/<sessionId>/` below it. */
  readonly dir: string;
  readonly clock: Clock;
  /** Bytes of a turn's files that are copied. Absent: 500 MB. */
  readonly copyLimit?: number;
}

/** Sessions as folders that people can read; the runs themselves stay where they are. */
export function createSessionFiles(parts: SessionFilesParts): SessionStore {
  return {
    read: async (sessionId) => readSession(sessionFolder(parts.dir, sessionId), sessionId),
    async open(sessionId): Promise<OpenSession> {
      const folder = sessionFolder(parts.dir, sessionId);
      await attempt(() => mkdir(folder.dir, { recursive: true, mode: 0o700 }));
      const lock = acquireLock({
        path: folder.lock,
        proofOfLife: folder.lock,
        now: parts.clock.now(),
        subject: 'a run of this session',
      });
      try {
        const session = await readSession(folder, sessionId);
        return new SessionOnDisk(folder, session, { lock, copyLimit: parts.copyLimit ?? 5e8 });
      } catch (error) {
        lock.dispose();
        throw error;
      }
    },
  };
}

interface Holding {
  readonly lock: Disposable;
  readonly copyLimit: number;
}

class SessionOnDisk implements OpenSession {
  readonly #folder: SessionFolder;
  readonly #holding: Holding;
  #session: StoredSession;

  constructor(folder: SessionFolder, session: StoredSession, holding: Holding) {
    this.#folder = folder;
    this.#session = session;
    this.#holding = holding;
  }

  get session(): StoredSession {
    return this.#session;
  }

  async commit(turn: SessionTurn, files: readonly TurnFile[]): Promise<void> {
    const { sessionId } = this.#session;
    const folder = turnFolder(this.#folder, turn.turn);
    await attempt(async () => {
      // What an earlier process did not finish is not part of this turn.
      await rm(folder.dir, { recursive: true, force: true });
      await mkdir(folder.workspace, { recursive: true, mode: 0o700 });
      await writeFile(folder.answer, turn.answer, { mode: 0o600 });
      await this.#copy(folder.workspace, files);
      writeFileAtomically(folder.metadata, metadataText(sessionId, turn));
      await this.#derive();
    });
  }

  async note(note: SessionNote): Promise<void> {
    await attempt(async () => {
      const others = this.#session.notes.filter(({ runId }) => runId !== note.runId);
      writeFileAtomically(this.#folder.notes, notesText([...others, note]));
      await this.#derive();
    });
  }

  close(): void {
    this.#holding.lock.dispose();
  }

  /** Files that do not fit are left out; all of them are in the store of the run. */
  async #copy(workspace: string, files: readonly TurnFile[]): Promise<void> {
    let left = this.#holding.copyLimit;
    for (const file of files) {
      const bytes = file.sizeBytes <= left ? file.read() : undefined;
      if (bytes !== undefined) {
        left -= bytes.length;
        const path = join(workspace, ...file.path.split('/'));
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(path, bytes, { mode: file.isExecutable ? 0o700 : 0o600 });
      }
    }
  }

  /** Overviews for people and other programs, made anew from the turns each time. */
  async #derive(): Promise<void> {
    this.#session = await readSession(this.#folder, this.#session.sessionId);
    writeFileAtomically(this.#folder.winners, winnersText(this.#session));
    writeFileAtomically(this.#folder.summary, summaryText(this.#session));
  }
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw isMassGenError(error)
      ? error
      : new MassGenError('storage/failed', 'The session cannot be written.', {
          cause: error,
          hint: 'Check that the disk has free space and that the storage folder can be written.',
        });
  }
}
