import { closeSync, openSync } from 'node:fs';
import type { RecordedEvent } from '../run/events';
import { applyAll } from '../run/reducer';
import type { RunState } from '../run/state';
import { writeCheckpoint } from './checkpoint';
import { writeOffsets } from './offset-table';
import type { RunFolder } from './run-folder';

/** What is known of a log when its writer begins. */
export interface SidecarStart {
  readonly state: RunState | undefined;
  readonly version: number;
  readonly skippedLines: number;
  /** Of the events behind the checkpoint, by number from `firstUnlisted` on. */
  readonly offsets: readonly number[];
  readonly firstUnlisted: number;
  /** Of the checkpoint that is there; 0 for none. */
  readonly checkpointBytes: number;
  readonly checkpointOffset: number;
}

export interface SidecarParts {
  readonly folder: RunFolder;
  readonly runId: string;
  readonly key: string;
}

/** A checkpoint is written after this many events. */
const checkpointEvents = 2_000;
/** At the end of writing it is worth one already after this many. */
const closingEvents = 200;
/** A log with larger gaps between its numbers is damaged, and gets no table. */
const largestGap = 100_000;

/**
 * Keeps the checkpoint and the table of offsets beside a log up to date. What cannot be written is left out: the log
 * alone is enough.
 */
export class Sidecar {
  readonly #parts: SidecarParts;
  readonly #version: number;
  readonly #skippedLines: number;
  #state: RunState | undefined;
  #events: RecordedEvent[] = [];
  #offsets: number[];
  #firstUnlisted: number;
  #checkpointBytes: number;
  #checkpointOffset: number;
  #isPossible = true;

  constructor(parts: SidecarParts, start: SidecarStart) {
    this.#parts = parts;
    this.#version = start.version;
    this.#skippedLines = start.skippedLines;
    this.#state = start.state;
    this.#offsets = [...start.offsets];
    this.#firstUnlisted = start.firstUnlisted;
    this.#checkpointBytes = start.checkpointBytes;
    this.#checkpointOffset = start.checkpointOffset;
  }

  /** An event has been written into the log at `offset`. */
  note(recorded: RecordedEvent, offset: number): void {
    if (!this.#isPossible) {
      return;
    }
    this.#isPossible = listOffset(this.#offsets, recorded.seq - this.#firstUnlisted, offset);
    this.#events.push(recorded);
  }

  /**
   * Writes a checkpoint when it is due. For a state that has become large it is due later, so that all checkpoints of a
   * log together stay smaller than a few times the log.
   */
  keep(logBytes: number): void {
    const isLargeEnough = logBytes - this.#checkpointOffset >= this.#checkpointBytes / 2;
    if (this.#offsets.length >= checkpointEvents && isLargeEnough) {
      this.#write(logBytes);
    }
  }

  close(logBytes: number): void {
    if (this.#offsets.length >= closingEvents) {
      this.#write(logBytes);
    }
  }

  #write(logBytes: number): void {
    if (!this.#isPossible) {
      return;
    }
    const { folder, runId, key } = this.#parts;
    try {
      const state = applyAll(this.#state, this.#events);
      this.#events = [];
      this.#state = state;
      if (state === undefined) {
        return;
      }
      writeOffsets(folder.offsets, this.#firstUnlisted, this.#offsets);
      const fd = openSync(folder.log, 'r');
      try {
        const query = { path: folder.checkpoint, runId, key, fd, logBytes };
        const at = { state, skippedLines: this.#skippedLines, version: this.#version };
        this.#checkpointBytes = writeCheckpoint(query, at);
      } finally {
        closeSync(fd);
      }
      this.#firstUnlisted += this.#offsets.length;
      this.#offsets = [];
      this.#checkpointOffset = logBytes;
    } catch {
      // A damaged event or a full disk: the log is then read from its beginning.
      this.#isPossible = false;
      this.#events = [];
    }
  }
}

/**
 * Puts an offset at its place. A number that is missing in the log gets the offset of the next event. Answers `false`
 * when too many are missing.
 */
export function listOffset(offsets: number[], place: number, offset: number): boolean {
  if (place - offsets.length > largestGap) {
    return false;
  }
  while (offsets.length <= place) {
    offsets.push(offset);
  }
  return true;
}
