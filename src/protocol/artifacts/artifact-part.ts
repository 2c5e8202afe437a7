import type { RecordedEvent } from '../../run/events';
import type { RunState } from '../../run/state';

/** Takes what becomes files. Paths are relative to the folder of the turn, with `/`. */
export interface ArtifactSink {
  /** Adds to the end of a file. */
  append(path: string, text: string): void;
  /** Replaces a file as a whole. */
  replace(path: string, text: string): void;
  /** Puts the files of a snapshot below a folder. */
  copyFiles(folder: string, snapshotId: string): void;
}

/** One event with the state around it. */
export interface Step {
  readonly recorded: RecordedEvent;
  /** The state after the first event stands in for the one before it. */
  readonly before: RunState;
  readonly after: RunState;
}

/** One kind of file. Keeps what it needs of the events so far. */
export interface ArtifactPart {
  take(step: Step): void;
  /** Writes files that are made as a whole from all events; called now and then, and at the end. */
  refresh?(): void;
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
