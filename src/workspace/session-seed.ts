import type { RunId, SnapshotId } from '../base/ids';
import type { Manifest, ManifestEntry } from './manifest';
import { openSnapshotStore } from './snapshot-store';
import type { SnapshotStore } from './snapshot-store';

/** An answer of an earlier run of the same session. */
export interface SeedSource {
  readonly runId: RunId;
  readonly snapshotId: SnapshotId;
}

/**
 * What an earlier answer left in the folder of its agent, copied into the store of this run, which then stands alone.
 * `undefined` when it is not stored any more. Deletions are left out: there was nothing before.
 */
export function readSeed(
  source: SeedSource,
  target: { readonly dir: string; readonly store: SnapshotStore; readonly rootName: string },
): ReadonlyMap<string, ManifestEntry> | undefined {
  const earlier = openSnapshotStore({ dir: target.dir, runId: source.runId });
  try {
    const manifest = earlier.readManifest(source.snapshotId);
    return manifest === undefined ? undefined : copied(manifest, earlier, target);
  } finally {
    earlier.close();
  }
}

function copied(
  manifest: Manifest,
  earlier: SnapshotStore,
  { store, rootName }: { readonly store: SnapshotStore; readonly rootName: string },
): ReadonlyMap<string, ManifestEntry> {
  const seed = new Map<string, ManifestEntry>();
  for (const [path, { now }] of manifest.get(rootName) ?? []) {
    const bytes = now.kind === 'file' ? earlier.getBytes(now.sha256) : undefined;
    if (bytes !== undefined) {
      store.putBytes(bytes);
    }
    if (bytes !== undefined || now.kind === 'link' || now.kind === 'folder') {
      seed.set(path, { now, base: null });
    }
  }
  return seed;
}
