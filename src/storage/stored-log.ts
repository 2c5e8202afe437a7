import { closeSync, fstatSync, openSync } from 'node:fs';
import { MassGenError } from '../core/errors';
import type { RecordedEvent } from '../run/events';
import { applyAll } from '../run/reducer';
import type { RunState } from '../run/state';
import { type Checkpoint, readCheckpoint } from './checkpoint';
import { readRest, readRestSync, withLogHandle } from './log-bytes';
import { LogReader, logStart } from './read-log';
import { listOffset, type SidecarParts, type SidecarStart } from './sidecar';

export interface StoredLog extends SidecarStart {
  /** Where the last whole line ends. */
  readonly wholeBytes: number;
  readonly fileBytes: number;
}

/** Reads a log into a state: the checkpoint beside it and what follows, or everything when there is no good one. */
export async function readStoredLog(parts: SidecarParts): Promise<StoredLog> {
  return withLogHandle(parts.folder.log, async (handle) => {
    const { size } = await handle.stat();
    const content = new LogContent(parts, checkpointOf(parts, handle.fd, size));
    await readRest(handle, content.reader);
    return content.end(size);
  });
}

/** The same for a writer, which cannot wait. Throws the file system's error, too. */
export function readStoredLogSync(parts: SidecarParts): StoredLog {
  const fd = openSync(parts.folder.log, 'r');
  try {
    const { size } = fstatSync(fd);
    const content = new LogContent(parts, checkpointOf(parts, fd, size));
    readRestSync(fd, content.reader);
    return content.end(size);
  } finally {
    closeSync(fd);
  }
}

function checkpointOf(
  { folder, runId, key }: SidecarParts,
  fd: number,
  logBytes: number,
): Checkpoint | undefined {
  return readCheckpoint({ path: folder.checkpoint, runId, key, fd, logBytes });
}

/** Events are reduced in batches of this size. */
const batchEvents = 4_096;

/** Collects what a log holds behind a checkpoint. */
class LogContent {
  readonly reader: LogReader;
  readonly #runId: string;
  readonly #checkpoint: Checkpoint | undefined;
  readonly #firstUnlisted: number;
  readonly #offsets: number[] = [];
  #state: RunState | undefined;
  #batch: RecordedEvent[] = [];
  #isListed = true;

  constructor({ runId }: SidecarParts, checkpoint: Checkpoint | undefined) {
    this.#runId = runId;
    this.#checkpoint = checkpoint;
    this.#state = checkpoint?.state;
    this.#firstUnlisted = (checkpoint?.place.lastSeq ?? -1) + 1;
    this.reader = new LogReader(runId, checkpoint?.place ?? logStart, (recorded, offset) => {
      this.#take(recorded, offset);
    });
  }

  end(fileBytes: number): StoredLog {
    this.#reduce();
    const { wholeBytes, version, skippedLines } = this.reader;
    return {
      state: this.#state,
      version,
      skippedLines: (this.#checkpoint?.skippedLines ?? 0) + skippedLines,
      offsets: this.#isListed ? this.#offsets : [],
      firstUnlisted: this.#firstUnlisted,
      checkpointBytes: this.#checkpoint?.bytes ?? 0,
      checkpointOffset: this.#checkpoint?.place.offset ?? 0,
      wholeBytes,
      fileBytes,
    };
  }

  #take(recorded: RecordedEvent, offset: number): void {
    this.#isListed &&= listOffset(this.#offsets, recorded.seq - this.#firstUnlisted, offset);
    this.#batch.push(recorded);
    if (this.#batch.length === batchEvents) {
      this.#reduce();
    }
  }

  /** The reducer trusts our own log; somebody else's lines in it may be of any shape. */
  #reduce(): void {
    try {
      this.#state = applyAll(this.#state, this.#batch);
    } catch (error) {
      throw new MassGenError('storage/corrupt', `The log of run ${this.#runId} is damaged.`, {
        cause: error,
      });
    }
    this.#batch = [];
  }
}
