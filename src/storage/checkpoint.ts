// The state of a run at some place of its log, kept beside it. Never a source of truth: whatever does not fit the log
// is not used, and the log is read from its beginning instead.
import { createHash } from 'node:crypto';
import { readFileSync, readSync } from 'node:fs';
import { z } from 'zod';
import { eventSince } from '../run/events';
import { initialState } from '../run/reducer';
import type { RunState } from '../run/state';
import { writeFileAtomically } from './atomic-write';
import type { LogPlace } from './read-log';

export interface Checkpoint {
  readonly place: LogPlace;
  readonly skippedLines: number;
  readonly state: RunState;
  /** Size of the checkpoint itself. */
  readonly bytes: number;
}

const headSchema = z.object({
  v: z.literal(1),
  key: z.string(),
  runId: z.string(),
  version: z.number().int().min(1),
  seq: z.number().int().min(0),
  logBytes: z.number().int().min(1),
  logHash: z.string(),
  skippedLines: z.number().int().min(0),
  stateHash: z.string(),
});

/** Names the reducer that made a state: another release, or another shape of the state, does not use it. */
export function reducerKey(productVersion: string): string {
  return hash(JSON.stringify([productVersion, initialState, eventSince]));
}

export interface CheckpointQuery {
  readonly path: string;
  readonly runId: string;
  readonly key: string;
  /** The log, open for reading. */
  readonly fd: number;
  readonly logBytes: number;
}

/** `undefined` when there is none, or when it is not of this log, this run or this reducer, or not whole. */
export function readCheckpoint(query: CheckpointQuery): Checkpoint | undefined {
  try {
    const text = readFileSync(query.path, 'utf8');
    const end = text.indexOf('\n');
    const head = headSchema.parse(JSON.parse(text.slice(0, end)));
    const stateText = text.slice(end + 1);
    const fits =
      head.key === query.key &&
      head.runId === query.runId &&
      head.logBytes <= query.logBytes &&
      head.stateHash === hash(stateText) &&
      head.logHash === hashOfLog(query.fd, head.logBytes);
    const state: unknown = fits ? JSON.parse(stateText) : undefined;
    if (!isStateAt(state, head.seq)) {
      return undefined;
    }
    const place = { offset: head.logBytes, lastSeq: head.seq, version: head.version };
    return { place, skippedLines: head.skippedLines, state, bytes: text.length };
  } catch {
    return undefined;
  }
}

/** Answers the size of what was written. Throws the file system's error. */
export function writeCheckpoint(
  query: CheckpointQuery,
  at: Omit<Checkpoint, 'bytes' | 'place'> & { readonly version: number },
): number {
  const stateText = JSON.stringify(at.state);
  const head: z.infer<typeof headSchema> = {
    v: 1,
    key: query.key,
    runId: query.runId,
    version: at.version,
    seq: at.state.seq,
    logBytes: query.logBytes,
    logHash: hashOfLog(query.fd, query.logBytes),
    skippedLines: at.skippedLines,
    stateHash: hash(stateText),
  };
  const text = `${JSON.stringify(head)}\n${stateText}`;
  writeFileAtomically(query.path, text);
  return text.length;
}

/** The hash of the text has shown that we wrote it ourselves. */
function isStateAt(value: unknown, seq: number): value is RunState {
  return typeof value === 'object' && value !== null && 'seq' in value && value.seq === seq;
}

const wholeHashBytes = 1 << 20;
const samples = 64;
const sampleBytes = 1 << 14;

/** A hash of the first `length` bytes: of all of them up to 1 MB, and beyond of 1 MB in pieces over the whole length. */
function hashOfLog(fd: number, length: number): string {
  const digest = createHash('sha256').update(`${length}\n`);
  const size = length <= wholeHashBytes ? length : sampleBytes;
  const count = length <= wholeHashBytes ? 1 : samples;
  const bytes = Buffer.allocUnsafe(size);
  for (let i = 0; i < count; i++) {
    const position = Math.floor(((length - size) * i) / Math.max(1, count - 1));
    digest.update(bytes.subarray(0, readSync(fd, bytes, 0, size, position)));
  }
  return digest.digest('hex');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
