import { closeSync, existsSync, fdatasyncSync, mkdirSync, openSync } from 'node:fs';
import { readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { Content } from '../content';
import { toContent } from '../manifest';

/** What a write replaced and what it left behind; bytes are in the run's pack. */
export interface AppliedChange {
  readonly before: Content | null;
  readonly after: Content | null;
  /** Absolute paths of folders that did not exist before, innermost first. */
  readonly folders: readonly string[];
}

/**
 * `writing` and `undoing` are on the disk before the user's file is touched; `written`, `undone` and `kept` (nothing was
 * written after all) tell how it ended. A `writing` without an end means: the file has the old bytes or the new ones.
 */
export type JournalRecord =
  | {
      readonly type: 'writing' | 'undoing';
      readonly root: string;
      readonly path: string;
      readonly change: AppliedChange;
    }
  | {
      readonly type: 'written' | 'undone' | 'kept' | 'rejected';
      readonly root: string;
      readonly path: string;
    };

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
        writeSync(descriptor, `\n${JSON.stringify(record)}\n`);
        fdatasyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      throw new MassGenError('storage/failed', 'The review could not be recorded.', {
        cause: error,
        hint: 'Nothing was changed. Check the free space of the disk.',
      });
    }
  }
}

function toRecord(line: string): JournalRecord | undefined {
  const value = parse(line);
  if (!isObject(value)) {
    return undefined;
  }
  const { type, root, path, change } = value;
  if (typeof root !== 'string' || typeof path !== 'string') {
    return undefined;
  }
  if (type === 'writing' || type === 'undoing') {
    const applied = toAppliedChange(change);
    return applied === undefined ? undefined : { type, root, path, change: applied };
  }
  const isEnd = type === 'written' || type === 'undone' || type === 'kept' || type === 'rejected';
  return isEnd ? { type, root, path } : undefined;
}

function toAppliedChange(value: unknown): AppliedChange | undefined {
  if (!isObject(value) || !Array.isArray(value['folders'])) {
    return undefined;
  }
  const folders = value['folders'].filter((folder) => typeof folder === 'string');
  const before = value['before'] === null ? null : toContent(value['before']);
  const after = value['after'] === null ? null : toContent(value['after']);
  return before === undefined || after === undefined ? undefined : { before, after, folders };
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
