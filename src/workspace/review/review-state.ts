import type { ReviewTarget } from '../../core/ports/review';
import type { DriftMark } from './carry-parts';
import type {
  AppliedChange,
  JournalRecord,
  Move,
  PlainRecord,
  WriteRecord,
} from './review-journal';

/** Stands for what belongs to a file as a whole: all of it where it has no parts, else its mode or its move. */
export const wholeUnit = '';

/** One write of a file, with the units it brought. */
export interface Write {
  /** Counts the writes of the file. */
  readonly no: number;
  readonly units: readonly string[];
  readonly change: AppliedChange;
  readonly isSettled: boolean;
  readonly there: readonly string[];
  readonly moved: Move | undefined;
}

export type UnitState =
  { readonly type: 'rejected' } | { readonly type: 'accepted'; readonly write: Write };

/** Where the review of one file stands. Units that are not in it are pending. */
export interface FileState {
  readonly units: ReadonlyMap<string, UnitState>;
  /** How many writes have come to their end. */
  readonly writes: number;
  /** A write that was begun and whose end is not known. */
  readonly open: WriteRecord | undefined;
  /** The user's edits against the accepted parts, as the last write left them, and the bytes they hold for. */
  readonly drift: { readonly sha256: string; readonly marks: readonly DriftMark[] } | undefined;
}

const pending: FileState = { units: new Map(), writes: 0, open: undefined, drift: undefined };

/** Where the review stands, as the journal tells it. */
export class ReviewState {
  readonly #files = new Map<string, FileState>();
  readonly #roots = new Map<string, string>();
  readonly #made = new Set<string>();

  constructor(records: readonly JournalRecord[]) {
    this.reload(records);
  }

  /** Forgets everything else: the journal has the last word. */
  reload(records: readonly JournalRecord[]): void {
    this.#files.clear();
    this.#roots.clear();
    this.#made.clear();
    records.forEach((record) => this.apply(record));
  }

  get(target: ReviewTarget): FileState {
    return this.#files.get(keyOf(target)) ?? pending;
  }

  /** Real place of a root when the review first wrote there. */
  realRoot(root: string): string | undefined {
    return this.#roots.get(root);
  }

  /** Whether accepting made a folder; absolute path. Others may have put something into it since. */
  isOwnFolder(folder: string): boolean {
    return this.#made.has(folder);
  }

  apply(record: JournalRecord): void {
    if (record.type === 'root') {
      this.#roots.set(record.root, this.#roots.get(record.root) ?? record.real);
      return;
    }
    if (record.type === 'writing') {
      record.change.folders.forEach((folder) => this.#made.add(folder));
    }
    this.#files.set(keyOf(record), nextState(this.get(record), record));
  }
}

function nextState(file: FileState, record: WriteRecord | PlainRecord): FileState {
  switch (record.type) {
    case 'writing':
    case 'undoing':
      return { ...file, open: record };
    case 'kept':
      return { ...file, open: undefined };
    case 'written':
    case 'undone':
      return file.open === undefined
        ? withUnits(file, unitsOf(record), undefined)
        : closed(file, file.open);
    case 'rejected':
      return withUnits(file, unitsOf(record), { type: 'rejected' });
    case 'reopened':
      return withUnits(file, unitsOf(record), undefined);
  }
}

/** The state once a begun write has come to its end. */
export function closed(file: FileState, open: WriteRecord): FileState {
  const { change, drift } = open;
  const isKnown = drift !== undefined && change.after?.kind === 'file';
  const write: Write = {
    no: file.writes,
    units: unitsOf(open),
    change,
    isSettled: open.isSettled === true,
    there: open.there ?? [],
    moved: open.moved,
  };
  const next = open.type === 'writing' ? ({ type: 'accepted', write } as const) : undefined;
  return {
    ...withUnits(file, write.units, next),
    writes: file.writes + 1,
    open: undefined,
    drift: isKnown ? { sha256: change.after.sha256, marks: drift } : undefined,
  };
}

function unitsOf(record: { readonly units?: readonly string[] }): readonly string[] {
  return record.units ?? [wholeUnit];
}

function withUnits(
  file: FileState,
  units: readonly string[],
  state: UnitState | undefined,
): FileState {
  const next = new Map(file.units);
  for (const unit of units) {
    if (state === undefined) {
      next.delete(unit);
    } else {
      next.set(unit, state);
    }
  }
  return { ...file, units: next };
}

export function keyOf(target: ReviewTarget): string {
  return `${target.root}\n${target.path}`;
}
