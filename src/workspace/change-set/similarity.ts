import { toByteText } from '../hunks/byte-text';
import type { SnapshotStore } from '../snapshot-store';
import { splitLines } from '../text-lines';

/** Larger files are compared by their hash alone. */
const longestCompared = 1024 * 1024;

/** A line → how often a file has it; blank lines are left out. */
type Lines = ReadonlyMap<string, number>;

/** How much two stored files have in common. Remembers what it has read and compared while it is asked for again. */
export class Similarity {
  readonly #store: SnapshotStore;
  readonly #lines = new Map<string, Lines | undefined>();
  readonly #scores = new Map<string, number>();

  constructor(store: SnapshotStore) {
    this.#store = store;
  }

  /** Part of the lines of the longer file that the other one has too, 0 to 1; 0 for what is not text. */
  of(one: string, two: string): number {
    const key = `${one} ${two}`;
    let score = this.#scores.get(key);
    if (score === undefined) {
      score = common(this.#linesOf(one), this.#linesOf(two));
      this.#scores.set(key, score);
    }
    return score;
  }

  /** Lets go of the texts; what came out of the comparisons stays. */
  forgetTexts(): void {
    this.#lines.clear();
  }

  #linesOf(sha256: string): Lines | undefined {
    if (!this.#lines.has(sha256)) {
      const bytes = this.#store.getBytes(sha256);
      const isShort = bytes !== undefined && bytes.length <= longestCompared;
      this.#lines.set(sha256, isShort ? toLines(bytes) : undefined);
    }
    return this.#lines.get(sha256);
  }
}

function toLines(bytes: Uint8Array): Lines | undefined {
  const text = toByteText(bytes)?.text;
  if (text === undefined) {
    return undefined;
  }
  const lines = new Map<string, number>();
  for (const line of splitLines(text)) {
    const key = line.trim();
    if (key !== '') {
      lines.set(key, (lines.get(key) ?? 0) + 1);
    }
  }
  return lines;
}

function common(one: Lines | undefined, two: Lines | undefined): number {
  if (one === undefined || two === undefined) {
    return 0;
  }
  const longer = Math.max(total(one), total(two));
  let shared = 0;
  for (const [line, count] of one) {
    shared += Math.min(count, two.get(line) ?? 0);
  }
  return longer === 0 ? 0 : shared / longer;
}

function total(lines: Lines): number {
  return [...lines.values()].reduce((sum, count) => sum + count, 0);
}
