import { closeSync, fdatasyncSync, fstatSync, ftruncateSync } from 'node:fs';
import { type Disposable, DisposableStore } from '../base/disposable';
import { MassGenError } from '../core/errors';
import type { Clock } from '../core/ports/clock';
import type { EventLogWriter } from '../core/ports/event-store';
import type { RecordedEvent } from '../run/events';
import { type StoredSummary, summarize, writeSummary } from './run-summary';
import type { Sidecar } from './sidecar';

export interface LogFile {
  /** Opened for appending; the writer closes it. */
  readonly fd: number;
  /** Puts bytes from `offset` on into the file, and answers how many. */
  readonly write: (fd: number, bytes: Uint8Array, offset: number) => number;
  readonly sidecar: Sidecar;
  /** Number of the last event already in the log; -1 when there is none. */
  readonly lastSeq: number;
  readonly summaryPath: string;
  /** Of the events already in the log. */
  readonly summary: StoredSummary | undefined;
  readonly lock: Disposable;
}

/** How long pieces of text may wait for more before they are written. */
const gatherMs = 50;

interface Line {
  readonly recorded: RecordedEvent;
  readonly bytes: Buffer;
}

/** Appends whole lines to one open log. Also keeps the run's summary and the files beside the log up to date. */
export class FileEventLogWriter implements EventLogWriter {
  readonly #file: LogFile;
  readonly #clock: Clock;
  readonly #owned = new DisposableStore();
  /** Text that was taken and is not written yet. */
  #gathered: readonly Line[] = [];
  #timer: Disposable | undefined;
  #summary: StoredSummary | undefined;
  #size: number;
  #lastSeq: number;
  #lateError: MassGenError | undefined;
  #isClosed = false;

  constructor(file: LogFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
    this.#summary = file.summary;
    this.#size = fstatSync(file.fd).size;
    this.#lastSeq = file.lastSeq;
    this.#owned.add(file.lock);
  }

  append(events: readonly RecordedEvent[]): void {
    if (this.#isClosed) {
      throw new MassGenError('storage/failed', 'The log of this run is closed.');
    }
    this.#throwLateError();
    this.#refuseStale(events);
    const lines = events.map(lineOf);
    if (events.every(({ event }) => event.type === 'text-delta')) {
      this.#gathered = [...this.#gathered, ...lines];
      this.#noteLast(events);
      this.#timer ??= this.#clock.after(gatherMs, () => {
        this.#flushLater();
      });
      return;
    }
    this.#flush(lines);
    this.#noteLast(events);
    if (events.some(({ event }) => mustReachTheDisk.has(event.type))) {
      this.#attempt(() => fdatasyncSync(this.#file.fd));
    }
    this.#keepSummary(events);
  }

  async close(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    try {
      this.#flush([]);
      this.#throwLateError();
    } finally {
      this.#file.sidecar.close(this.#size);
      closeSync(this.#file.fd);
      this.#owned.dispose();
    }
  }

  /** An event with a number that the log has already would be left out by every reader. */
  #refuseStale(events: readonly RecordedEvent[]): void {
    const first = events[0]?.seq ?? Infinity;
    if (first <= this.#lastSeq) {
      throw new MassGenError('storage/locked', 'Another process has changed this run meanwhile.', {
        hint: 'Try again: what it did is taken over first.',
      });
    }
  }

  #noteLast(events: readonly RecordedEvent[]): void {
    this.#lastSeq = events.at(-1)?.seq ?? this.#lastSeq;
  }

  /** The caller of `append` is long gone: the error is kept for the next call. */
  #flushLater(): void {
    try {
      this.#flush([]);
    } catch (error) {
      this.#lateError = error instanceof MassGenError ? error : failed(error);
    }
  }

  /** When it throws, `lines` did not happen; text that was gathered before stays to be written later. */
  #flush(lines: readonly Line[]): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const all = [...this.#gathered, ...lines];
    this.#attempt(() => this.#write(Buffer.concat(all.map(({ bytes }) => bytes))));
    this.#gathered = [];
    for (const { recorded, bytes } of all) {
      this.#file.sidecar.note(recorded, this.#size);
      this.#size += bytes.length;
    }
    this.#file.sidecar.keep(this.#size);
  }

  /** When only part could be written, the part is cut off again, so that the log keeps whole lines. */
  #write(bytes: Uint8Array): void {
    let written = 0;
    try {
      while (written < bytes.length) {
        written += this.#file.write(this.#file.fd, bytes, written);
      }
    } catch (error) {
      if (written > 0) {
        ftruncateSync(this.#file.fd, this.#size);
      }
      throw error;
    }
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      throw failed(error);
    }
  }

  #throwLateError(): void {
    const error = this.#lateError;
    this.#lateError = undefined;
    if (error !== undefined) {
      throw error;
    }
  }

  #keepSummary(events: readonly RecordedEvent[]): void {
    const summary = summarize(events, this.#summary);
    if (summary !== undefined && !isSame(summary, this.#summary)) {
      writeSummary(this.#file.summaryPath, summary);
    }
    this.#summary = summary;
  }
}

/** A decision on the user's file and the end of a run survive even a loss of power. */
const mustReachTheDisk: ReadonlySet<string> = new Set(['file-decided', 'run-ended']);

/** Most events change nothing that a list shows. */
function isSame(a: StoredSummary, b: StoredSummary | undefined): boolean {
  return a.winner === b?.winner && a.outcome === b.outcome;
}

function lineOf(recorded: RecordedEvent): Line {
  return { recorded, bytes: Buffer.from(`${JSON.stringify(recorded)}\n`) };
}

function failed(error: unknown): MassGenError {
  return new MassGenError('storage/failed', 'The log of this run cannot be written.', {
    cause: error,
    hint: 'Check that the disk has free space and that the storage folder can be written.',
  });
}
