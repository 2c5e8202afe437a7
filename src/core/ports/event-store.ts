import type { RunId } from '../../base/ids';
import type { RecordedEvent } from '../../run/events';
import type { RunState } from '../../run/state';

/** Write side of one run's log; there is one writer. */
export interface EventLogWriter {
  /**
   * Writes whole lines. Decisive events are on disk (synchronous write) when this returns; events that are only text
   * may be gathered for up to 50 ms. Throws `storage/failed`, and `storage/locked` when the log holds such numbers
   * already because another process has written it.
   */
  append(events: readonly RecordedEvent[]): void;
  /** Writes what is gathered and releases the lock. Idempotent. */
  close(): Promise<void>;
}

export interface RunSummary {
  readonly runId: RunId;
  readonly task: string;
  readonly startedAt: number;
  /** `null` while it runs or when it was cut off. */
  readonly outcome: string | null;
  readonly winner: string | null;
  readonly isRunning: boolean;
  /** The session it belongs to and its place in it, from 1; absent for a run on its own. */
  readonly sessionId?: string;
  readonly turn?: number;
  /** Absolute paths of the user's folders that it worked on; absent in summaries of earlier releases. */
  readonly folders?: readonly string[];
}

/** What a log comes to. */
export interface StoredRun {
  /** `undefined` when the log holds no event. */
  readonly state: RunState | undefined;
  /** Lines that were left out. */
  readonly skippedLines: number;
}

export interface EventStore {
  /** Creates the run's folder and log; throws `storage/locked` when another process writes it. */
  create(runId: RunId): EventLogWriter;
  /**
   * Opens a finished or cut-off log for further events (review decisions, the mark of an interruption). Throws like
   * `create` and `read`.
   */
  reopen(runId: RunId): EventLogWriter;
  /**
   * All whole lines in order; a torn last line is dropped, a bad line elsewhere is skipped and counted.
   * Throws `storage/failed` when it cannot be read, `storage/corrupt` when it is of another run or a later version.
   */
  read(
    runId: RunId,
  ): Promise<{ readonly events: readonly RecordedEvent[]; readonly skippedLines: number }>;
  /** The state after all events, without reading more of a long log than needed. Throws like `read`. */
  open(runId: RunId): Promise<StoredRun>;
  /** The events with the numbers `from` up to, and without, `to`. Throws like `read`. */
  readRange(runId: RunId, from: number, to: number): Promise<readonly RecordedEvent[]>;
  /** What has been written behind the event `seq`; for a reader that cannot wait. Throws like `read`. */
  readAfter(runId: RunId, seq: number): readonly RecordedEvent[];
  /** Newest first. */
  list(): Promise<readonly RunSummary[]>;
}
