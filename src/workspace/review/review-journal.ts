import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs';
import { readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { Content } from '../content';
import { toContent } from '../manifest';
import type { DriftMark } from './carry-parts';

/** What a write replaced and what it left behind; bytes are in the run's pack. */
export interface AppliedChange {
  readonly before: Content | null;
  readonly after: Content | null;
  /** Absolute paths of folders that did not exist before, innermost first. */
  readonly folders: readonly string[];
}

/** A file or some units of it: ids of parts, and `''` for what belongs to the file as a whole. */
interface About {
  readonly root: string;
  readonly path: string;
  /** Absent: the file as a whole. */
  readonly units?: readonly string[];
}

export interface WriteRecord extends About {
  readonly type: 'writing' | 'undoing';
  readonly change: AppliedChange;
  /** Bytes of the user's choice took the place of the proposal, so that only all of it can be taken back. */
  readonly isSettled?: true;
  /** Parts that the user's file already had: taking them back leaves it as it is. */
  readonly there?: readonly string[];
  /** The user's own edits against the accepted parts, valid for `change.after`. */
  readonly drift?: readonly DriftMark[];
  /** The write moved the file; both paths are relative to the root. `change.before` is what was at the old one. */
  readonly moved?: Move;
}

export interface Move {
  readonly from: string;
  readonly to: string;
}

export interface PlainRecord extends About {
  /** The last three end a write of the file. `kept`: nothing was written after all. */
  readonly type: 'rejected' | 'reopened' | 'written' | 'undone' | 'kept';
}

/** The folder that a root stood for when the review first wrote there, links resolved. */
export interface RootRecord {
  readonly type: 'root';
  readonly root: string;
  readonly real: string;
}

/**
 * `writing` and `undoing` are on the disk before the user's file is touched; `written`, `undone` and `kept` tell how it
 * ended. A `writing` without an end means: the file has the old bytes or the new ones.
 */
export type JournalRecord = WriteRecord | PlainRecord | RootRecord;

/** Written into each record. Records without a version know only whole files. */
const version = 2;

/** Append-only JSONL. A torn last line and lines of other kinds are left out when it is read. */
export class ReviewJournal {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  read(): readonly JournalRecord[] {
    if (!existsSync(this.#file)) {
      return [];
    }
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .map(toRecord)
      .filter((record) => record !== undefined);
  }

  /** On the disk when it returns. Throws `storage/failed`. */
  append(record: JournalRecord): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      const descriptor = openSync(this.#file, 'a', 0o600);
      try {
        // The newline in front ends a line that a crash may have torn.
        writeSync(descriptor, `\n${JSON.stringify({ v: version, ...record })}\n`);
        fdatasyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      throw new MassGenError('storage/failed', 'The review could not be recorded.', {
        cause: error,
        hint: 'Check the free space of the disk, then try again.',
      });
    }
  }
}

function toRecord(line: string): JournalRecord | undefined {
  const value = parse(line);
  if (!isObject(value)) {
    return undefined;
  }
  const { type, root, path, real } = value;
  if (type === 'root') {
    return typeof root === 'string' && typeof real === 'string' ? { type, root, real } : undefined;
  }
  if (typeof root !== 'string' || typeof path !== 'string') {
    return undefined;
  }
  const units = toStrings(value['units']);
  const about = { root, path, ...(units === undefined ? {} : { units }) };
  if (type === 'writing' || type === 'undoing') {
    const change = toAppliedChange(value['change']);
    return change === undefined ? undefined : { type, ...about, change, ...writeNotes(value) };
  }
  return isPlain(type) ? { type, ...about } : undefined;
}

function writeNotes(
  value: Readonly<Record<string, unknown>>,
): Pick<WriteRecord, 'isSettled' | 'there' | 'drift' | 'moved'> {
  const moved = toMove(value['moved']);
  const there = toStrings(value['there']);
  const drift = toDrift(value['drift']);
  return {
    ...(value['isSettled'] === true ? { isSettled: true } : {}),
    ...(there === undefined ? {} : { there }),
    ...(drift === undefined ? {} : { drift }),
    ...(moved === undefined ? {} : { moved }),
  };
}

function toMove(value: unknown): Move | undefined {
  const { from, to } = isObject(value) ? value : {};
  return typeof from === 'string' && typeof to === 'string' ? { from, to } : undefined;
}

function isPlain(type: unknown): type is PlainRecord['type'] {
  const known: readonly unknown[] = ['rejected', 'reopened', 'written', 'undone', 'kept'];
  return known.includes(type);
}

function toDrift(value: unknown): readonly DriftMark[] | undefined {
  if (!Array.isArray(value)) {
    return undefined;
  }
  const marks = value.flatMap((mark: unknown): DriftMark[] => {
    const numbers: unknown[] = Array.isArray(mark) ? mark : [];
    const [start, end, lines] = numbers;
    return isCount(start) && isCount(end) && isCount(lines) ? [[start, end, lines]] : [];
  });
  return marks.length === value.length ? marks : undefined;
}

function toStrings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

function toAppliedChange(value: unknown): AppliedChange | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  const folders = toStrings(value['folders']);
  const before = value['before'] === null ? null : toContent(value['before']);
  const after = value['after'] === null ? null : toContent(value['after']);
  return before === undefined || after === undefined || folders === undefined
    ? undefined
    : { before, after, folders };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
