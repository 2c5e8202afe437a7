import type { SnapshotId } from '../base/ids';
import { toolResultsFolder } from '../base/tool-results';
import type { Snapshot } from '../core/ports/workspace';
import { MassGenError, isCancelled } from '../core/errors';
import type { ChangeSets, ChangedRoot } from './change-set/change-set';
import type { GitIgnore } from './git-ignore';
import type { LayeredRoot } from './layered-root';
import { staysInside } from './link-targets';
import type { Manifest, ManifestEntry } from './manifest';
import { isGitPath } from './path-rules';
import type { SnapshotStore } from './snapshot-store';
import type { Warn } from './warnings';

export interface SnapshotRoot {
  readonly root: LayeredRoot;
  readonly ignore: GitIgnore | undefined;
}

/**
 * Stores what the roots differ by from the user's folders. Changes that may never be applied (read-only roots, below
 * `.git`, links that lead out) are left out with a warning. Throws `workspace/snapshot-failed`.
 */
export async function snapshotOf(
  roots: readonly SnapshotRoot[],
  options: {
    readonly store: SnapshotStore;
    readonly changeSets: ChangeSets;
    readonly warn: Warn;
  },
  signal: AbortSignal,
): Promise<Snapshot> {
  try {
    const changed: ChangedRoot[] = [];
    for (const { root, ignore } of roots) {
      const changes = withoutToolResults(root, await applicable(root, options.warn, signal));
      changed.push({ name: root.name, base: root.base, ignore, changes });
    }
    const manifest: Manifest = new Map(changed.map(({ name, changes }) => [name, changes]));
    const id = options.store.save(manifest);
    return { id, changes: await options.changeSets.list(changed, signal) };
  } catch (error) {
    if (isCancelled(error) || signal.aborted) {
      throw error;
    }
    throw new MassGenError('workspace/snapshot-failed', 'The files of this answer were not kept.', {
      cause: error,
    });
  }
}

/** What an agent keeps for its own reading is no part of its answer. */
function withoutToolResults(
  { kind }: LayeredRoot,
  changes: ReadonlyMap<string, ManifestEntry>,
): ReadonlyMap<string, ManifestEntry> {
  const isKept = (path: string): boolean =>
    path === toolResultsFolder || path.startsWith(`${toolResultsFolder}/`);
  return kind === 'private' ? new Map([...changes].filter(([path]) => !isKept(path))) : changes;
}

/** Stores all of it and answers its id alone, without comparing contents. */
export async function frozen(
  roots: readonly LayeredRoot[],
  options: { readonly store: SnapshotStore; readonly warn: Warn },
  signal: AbortSignal,
): Promise<SnapshotId> {
  const manifest = new Map<string, ReadonlyMap<string, ManifestEntry>>();
  for (const root of roots) {
    manifest.set(root.name, await applicable(root, options.warn, signal));
  }
  return options.store.save(manifest);
}

async function applicable(
  root: LayeredRoot,
  warn: Warn,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ManifestEntry>> {
  if (!root.canWrite) {
    return new Map();
  }
  const changes = new Map(await root.changes(signal));
  for (const [path, { now }] of changes) {
    const leadsOut = now.kind === 'link' && !staysInside(path, now.target, root.base.folder);
    if (leadsOut) {
      warn(
        'link-left-out',
        `The link ${root.name}/${path} leads outside (${now.target}) and is left out.`,
      );
    }
    if (leadsOut || isGitPath(path)) {
      changes.delete(path);
    }
  }
  return changes;
}
