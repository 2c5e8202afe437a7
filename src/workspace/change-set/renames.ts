// Which deleted file an added one was. The same entries always give the same pairs.
import type { FileContent } from '../content';
import type { ManifestEntry } from '../manifest';
import { foldName } from '../name-folding';
import { isDependencyFolder } from '../path-rules';
import { nameOf } from '../upper-layer';
import type { Similarity } from './similarity';

/** Of the lines that are not blank; less in common is another file. */
const leastSimilarity = 0.6;

/** With more pairs than this only files that kept their name are compared. */
const mostPairs = 10_000;

interface Candidate {
  readonly path: string;
  readonly file: FileContent;
}

interface Pair {
  readonly from: Candidate;
  readonly to: Candidate;
  readonly score: number;
}

/** New path → old path, each of them at most once. */
export function findRenames(
  changes: ReadonlyMap<string, ManifestEntry>,
  similarity: Similarity,
): ReadonlyMap<string, string> {
  const matching = new Matching(changes);
  // Both are one file where names fold, so a deletion apart from the addition would take away what was just written.
  matching.pairUp(({ path }) => foldName(path));
  matching.pairUp(({ path, file }) => bytesOf(file, nameOf(path)));
  matching.pairUp(({ file }) => bytesOf(file, ''));
  matching.pairUpBest((from, to) => similarity.of(from.file.sha256, to.file.sha256));
  return matching.pairs;
}

function bytesOf({ sha256, sizeBytes }: FileContent, name: string): string | undefined {
  return sizeBytes === 0 ? undefined : `${sha256} ${name}`;
}

class Matching {
  readonly pairs = new Map<string, string>();
  #gone: readonly Candidate[];
  #come: readonly Candidate[];

  constructor(changes: ReadonlyMap<string, ManifestEntry>) {
    const all = [...changes].filter(([path]) => !path.split('/').some(isDependencyFolder));
    this.#gone = all.flatMap(([path, { now, base }]) =>
      now.kind === 'deleted' && base?.kind === 'file' ? [{ path, file: base }] : [],
    );
    this.#come = all.flatMap(([path, { now, base }]) =>
      now.kind === 'file' && base === null ? [{ path, file: now }] : [],
    );
  }

  /** Those with the same key, in the order of the paths. Without a key a file stays alone. */
  pairUp(
    keyOf: (candidate: Candidate) => string | undefined,
    fits: (from: Candidate, to: Candidate) => boolean = () => true,
  ): void {
    const free = new Set(this.#gone);
    const byKey = grouped(this.#gone, keyOf);
    for (const to of this.#come) {
      const key = keyOf(to);
      const same = key === undefined ? [] : (byKey.get(key) ?? []);
      const from = same.find((one) => free.has(one) && fits(one, to));
      if (from !== undefined) {
        this.pairs.set(to.path, from.path);
        free.delete(from);
      }
    }
    this.#dropPaired(free);
  }

  /** Those that are most alike first, then those that keep their name, then in the order of the paths. */
  pairUpBest(scoreOf: (from: Candidate, to: Candidate) => number): void {
    if (this.#gone.length * this.#come.length > mostPairs) {
      this.pairUp(
        ({ path }) => nameOf(path),
        (from, to) => scoreOf(from, to) >= leastSimilarity,
      );
      return;
    }
    const free = new Set(this.#gone);
    for (const { from, to } of this.#ranked(scoreOf)) {
      if (free.has(from) && !this.pairs.has(to.path)) {
        this.pairs.set(to.path, from.path);
        free.delete(from);
      }
    }
    this.#dropPaired(free);
  }

  #ranked(scoreOf: (from: Candidate, to: Candidate) => number): readonly Pair[] {
    const keepsName = ({ from, to }: Pair): number =>
      nameOf(from.path) === nameOf(to.path) ? 1 : 0;
    // Candidates are in path order and sorting is stable, so equal pairs stay in that order.
    return this.#gone
      .flatMap((from) => this.#come.map((to) => ({ from, to, score: scoreOf(from, to) })))
      .filter(({ score }) => score >= leastSimilarity)
      .sort((a, b) => b.score - a.score || keepsName(b) - keepsName(a));
  }

  #dropPaired(free: ReadonlySet<Candidate>): void {
    this.#gone = this.#gone.filter((from) => free.has(from));
    this.#come = this.#come.filter((to) => !this.pairs.has(to.path));
  }
}

function grouped(
  candidates: readonly Candidate[],
  keyOf: (candidate: Candidate) => string | undefined,
): ReadonlyMap<string, readonly Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    if (key !== undefined) {
      const group = groups.get(key) ?? [];
      group.push(candidate);
      groups.set(key, group);
    }
  }
  return groups;
}
