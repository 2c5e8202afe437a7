import { join } from 'node:path';
import type { RunId, SnapshotId } from '../base/ids';
import { MassGenError } from '../core/errors';
import { BlobPack } from './blob-pack';
import type { BaseContent, UpperEntry } from './content';
import type { Manifest, ManifestEntry } from './manifest';
import { decodeManifest, encodeManifest } from './manifest';

/** The stored snapshots of one run. They outlive the run's workspaces, so a review can be opened again later. */
export interface SnapshotStore {
  /** Keeps the manifest and answers its id, the sha256 of its text. */
  save(manifest: Manifest): SnapshotId;
  /** `undefined` when the run has no such snapshot. Throws `storage/corrupt`. */
  readManifest(id: SnapshotId): Manifest | undefined;
  readEntry(id: SnapshotId, root: string, path: string): ManifestEntry | undefined;
  /** Bytes of a file, target text of a link; `undefined` for nothing, a deletion or an unknown base. */
  readContent(content: UpperEntry | BaseContent): Uint8Array | undefined;
  putBytes(bytes: Uint8Array): string;
  getBytes(sha256: string): Uint8Array | undefined;
  /** Returns when everything that was put is on the disk. */
  sync(): void;
  close(): void;
}

/** Folder of a run below `dir`, shared with whatever else is kept per run. */
export function runFolder(dir: string, runId: RunId): string {
  if (!/^[\w.-]{1,128}$/.test(runId) || /^\.+$/.test(runId)) {
    throw new MassGenError('bug/invariant', `${JSON.stringify(runId)} cannot name a folder.`);
  }
  return join(dir, runId);
}

/** Nothing is created on the disk before the first write. */
export function openSnapshotStore(options: {
  readonly dir: string;
  readonly runId: RunId;
}): SnapshotStore {
  const pack = new BlobPack(join(runFolder(options.dir, options.runId), 'blobs.pack'));
  const decoded = new Map<SnapshotId, Manifest>();

  const readManifest = (id: SnapshotId): Manifest | undefined => {
    const known = decoded.get(id);
    const bytes = known === undefined ? pack.get(id) : undefined;
    if (bytes === undefined) {
      return known;
    }
    const manifest = decodeManifest(bytes);
    decoded.set(id, manifest);
    return manifest;
  };
  return {
    save(manifest): SnapshotId {
      const { id, bytes } = encodeManifest(manifest);
      pack.put(bytes);
      return id;
    },
    readManifest,
    readEntry: (id, root, path) => readManifest(id)?.get(root)?.get(path),
    readContent(content): Uint8Array | undefined {
      if (content?.kind === 'link') {
        return new TextEncoder().encode(content.target);
      }
      return content?.kind === 'file' ? pack.get(content.sha256) : undefined;
    },
    putBytes: (bytes) => pack.put(bytes),
    getBytes: (sha256) => pack.get(sha256),
    sync: () => pack.sync(),
    close: () => pack.close(),
  };
}
