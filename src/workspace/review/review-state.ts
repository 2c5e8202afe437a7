import type { ReviewTarget } from '../../core/ports/review';
import type { AppliedChange, JournalRecord } from './review-journal';

export type FileState =
  | { readonly type: 'pending' }
  | { readonly type: 'rejected' }
  /** Written by us; undone by going from `after` back to `before`. */
  | { readonly type: 'accepted'; readonly change: AppliedChange }
  /** A write was begun and its end is not known: the file has the old bytes or the new ones. */
  | { readonly type: 'uncertain'; readonly change: AppliedChange };

const pending: FileState = { type: 'pending' };

/** Where the review of each file stands, as the journal tells it. */
export class ReviewState {
  readonly #files = new Map<string, FileState>();
  readonly #undoing = new Map<string, FileState>();

  constructor(records: readonly JournalRecord[]) {
    this.reload(records);
  }

  /** Forgets everything else: the journal has the last word. */
  reload(records: readonly JournalRecord[]): void {
    this.#files.clear();
    this.#undoing.clear();
    records.forEach((record) => this.apply(record));
  }

  get(target: ReviewTarget): FileState {
    return this.#files.get(keyOf(target)) ?? pending;
  }

  apply(record: JournalRecord): void {
    const key = keyOf(record);
    const before = this.get(record);
    switch (record.type) {
      case 'writing':
        this.#files.set(key, { type: 'uncertain', change: record.change });
        return;
      case 'undoing':
        this.#undoing.set(key, before);
        return;
      case 'written':
        if (before.type === 'uncertain') {
          this.#files.set(key, { type: 'accepted', change: before.change });
        }
        return;
      case 'kept':
        // A write that did not happen leaves a file pending; an undo that did not happen leaves it accepted.
        this.#files.set(key, this.#undoing.get(key) ?? pending);
        this.#undoing.delete(key);
        return;
      case 'undone':
        this.#undoing.delete(key);
        this.#files.set(key, pending);
        return;
      case 'rejected':
        this.#files.set(key, { type: 'rejected' });
        return;
    }
  }
}

export function keyOf(target: ReviewTarget): string {
  return `${target.root}\n${target.path}`;
}
