import { closeSync, openSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import type { RecordedEvent } from '../run/events';
import { readRest, readRestSync, withLogHandle } from './log-bytes';
import { readOffset } from './offset-table';
import { LogReader, logStart, type LogPlace } from './read-log';
import type { RunFolder } from './run-folder';

/** Events by number: `from` is the first, `to` the first that is left out. */
export interface EventRange {
  readonly from: number;
  readonly to: number;
}

export interface FoundEvents {
  readonly events: readonly RecordedEvent[];
  /** Lines that were left out on the way. */
  readonly skippedLines: number;
}

/** Finds the place in the table of offsets; when that is missing or wrong, the log is read from its beginning. */
export async function readEventRange(
  folder: RunFolder,
  runId: string,
  range: EventRange,
): Promise<FoundEvents> {
  const offset = range.from > 0 ? readOffset(folder.offsets, range.from) : undefined;
  return withLogHandle(folder.log, async (handle) => {
    if (offset !== undefined) {
      const version = await versionOf(handle, runId);
      const found = await eventsFrom(handle, runId, range, { offset, lastSeq: -1, version });
      if (found.events[0]?.seq === range.from) {
        return found;
      }
    }
    return eventsFrom(handle, runId, range, logStart);
  });
}

/** The events behind the one with the number `seq`, for a reader that cannot wait. */
export function readEventsAfter(
  folder: RunFolder,
  runId: string,
  seq: number,
): readonly RecordedEvent[] {
  const fd = openSync(folder.log, 'r');
  try {
    const events: RecordedEvent[] = [];
    const reader = new LogReader(runId, logStart, (recorded) => {
      if (recorded.seq > seq) {
        events.push(recorded);
      }
    });
    readRestSync(fd, reader);
    return events;
  } finally {
    closeSync(fd);
  }
}

/** Enough for the header line, which has a version and a name. */
const headerBytes = 1_024;

async function versionOf(handle: FileHandle, runId: string): Promise<number> {
  const bytes = Buffer.alloc(headerBytes);
  const { bytesRead } = await handle.read(bytes, 0, headerBytes, 0);
  const reader = new LogReader(runId, logStart, () => undefined);
  reader.push(bytes.subarray(0, bytesRead));
  return reader.version;
}

async function eventsFrom(
  handle: FileHandle,
  runId: string,
  { from, to }: EventRange,
  place: LogPlace,
): Promise<FoundEvents> {
  const events: RecordedEvent[] = [];
  const reader = new LogReader(runId, place, (recorded) => {
    if (recorded.seq >= from && recorded.seq < to) {
      events.push(recorded);
    }
  });
  await readRest(handle, reader, () => reader.lastSeq + 1 >= to);
  return { events, skippedLines: reader.skippedLines };
}
