import type { RunId, SnapshotId } from '../../base/ids';
import type { RunOutcome } from '../../run/facts';

/** A task of a session and what came of it; exists from the moment its answer was accepted. */
export interface SessionTurn {
  /** From 1; numbers may be missing. */
  readonly turn: number;
  readonly runId: RunId;
  readonly task: string;
  readonly answer: string;
  /** Configured id of the agent whose answer it is. */
  readonly winner: string;
  /** Files of that answer, in the store of its run; `null` when they could not be kept. */
  readonly snapshotId: SnapshotId | null;
  /** Unix ms. */
  readonly endedAt: number;
  /** US dollars, the known part. */
  readonly costUsd: number;
}

/** A run of the session that left no turn; gone as soon as it has become one after all. */
export interface SessionNote {
  readonly runId: RunId;
  readonly outcome: RunOutcome;
  /** Unix ms. */
  readonly endedAt: number;
  readonly costUsd: number;
}

export interface StoredSession {
  readonly sessionId: string;
  /** By number. */
  readonly turns: readonly SessionTurn[];
  readonly notes: readonly SessionNote[];
  /** Of all runs, also of those without a turn. */
  readonly costUsd: number;
}

/** A file that the winner left in its own folder. */
export interface TurnFile {
  /** Relative, `/` as separator; without `..`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly isExecutable: boolean;
  /** `undefined` when the bytes are gone. */
  read(): Uint8Array | undefined;
}

/** A session that this process may change; nobody else can until it is closed. */
export interface OpenSession {
  readonly session: StoredSession;
  /** Answer and files first, what makes it a turn last: a crash on the way leaves none. Throws `storage/failed`. */
  commit(turn: SessionTurn, files: readonly TurnFile[]): Promise<void>;
  /** Throws `storage/failed`. */
  note(note: SessionNote): Promise<void>;
  /** Idempotent. */
  close(): void;
}

export interface SessionStore {
  /** A session that nobody has written yet has no turns. */
  read(sessionId: string): Promise<StoredSession>;
  /** Throws `storage/locked` while another run of the session goes on, here or elsewhere. */
  open(sessionId: string): Promise<OpenSession>;
}
