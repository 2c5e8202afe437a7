import type { FileChange } from '../../run/facts';
import type { BaseLayer } from '../base-layer';
import type { BaseContent, UpperEntry } from '../content';
import type { ManifestEntry } from '../manifest';
import type { SnapshotStore } from '../snapshot-store';
import type { ChangeContext, ChangedPath } from './file-change';
import { toFileChange } from './file-change';
import { findRenames } from './renames';
import { Similarity } from './similarity';

export interface ChangedRoot {
  readonly name: string;
  readonly base: BaseLayer;
  readonly ignore: ChangeContext['ignore'];
  /** In path order. */
  readonly changes: ReadonlyMap<string, ManifestEntry>;
}

/**
 * Lists of changes of one workspace, made again and again while it is worked in. What did not change since the last list is not compared anew, so
 * a list costs as much as the changes between the two, and one look at each changed file of the user.
 */
export class ChangeSets {
  readonly #store: SnapshotStore;
  #known = new Map<string, FileChange>();
  readonly #similarity: Similarity;

  constructor(store: SnapshotStore) {
    this.#store = store;
    this.#similarity = new Similarity(store);
  }

  /** The changes of all roots, root by root, in path order. */
  async list(roots: readonly ChangedRoot[], signal: AbortSignal): Promise<readonly FileChange[]> {
    const known = new Map<string, FileChange>();
    const lists = roots.map(async (root) => {
      const paths = changedPaths(root.changes, this.#similarity);
      return Promise.all(
        paths.map(async (changed) => {
          const change = await this.#change(root, changed, known, signal);
          return (await hasMoved(root.base, changed, signal))
            ? { ...change, baseMoved: true }
            : change;
        }),
      );
    });
    const changes = (await Promise.all(lists)).flat();
    this.#known = known;
    this.#similarity.forgetTexts();
    return changes;
  }

  async #change(
    { name, ignore }: ChangedRoot,
    changed: ChangedPath,
    known: Map<string, FileChange>,
    signal: AbortSignal,
  ): Promise<FileChange> {
    const key = keyOf(name, changed);
    const context = { root: name, store: this.#store, ignore };
    const change = this.#known.get(key) ?? (await toFileChange(context, changed, signal));
    known.set(key, change);
    return change;
  }
}

/** A file that was moved is one change: its deletion is not listed apart. */
function changedPaths(
  changes: ReadonlyMap<string, ManifestEntry>,
  similarity: Similarity,
): readonly ChangedPath[] {
  const renames = findRenames(changes, similarity);
  const moved = new Set(renames.values());
  return [...changes]
    .filter(([path]) => !moved.has(path))
    .map(([path, entry]) => {
      const from = renames.get(path);
      const before = from === undefined ? undefined : changes.get(from);
      return { path, from, entry: before === undefined ? entry : { ...entry, base: before.base } };
    });
}

async function hasMoved(
  base: BaseLayer,
  { path, from }: ChangedPath,
  signal: AbortSignal,
): Promise<boolean> {
  const isMoved = await base.hasMoved(path, signal);
  return isMoved || (from !== undefined && (await base.hasMoved(from, signal)));
}

function keyOf(root: string, { path, from, entry }: ChangedPath): string {
  return [root, path, from ?? '', contentKey(entry.base), contentKey(entry.now)].join('\n');
}

function contentKey(content: UpperEntry | BaseContent): string {
  switch (content?.kind) {
    case 'file':
      return `${content.sha256} ${content.mode}`;
    case 'link':
      return `link ${content.target}`;
    case 'folder':
      return `folder ${content.mode}`;
    default:
      return content?.kind ?? 'nothing';
  }
}
