// The answers of others as folders: `peers/agent2/<root>/…`, read straight from their snapshots.
import { join } from 'node:path';
import type { Slot } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { PeerSnapshot } from '../core/ports/workspace';
import type { BaseLayer } from './base-layer';
import { emptyBase } from './base-layer';
import { LayeredRoot } from './layered-root';
import type { SnapshotStore } from './snapshot-store';
import { joinPath, parentOf } from './upper-layer';

export interface PeerRoot {
  readonly root: LayeredRoot;
  readonly shownPath: string;
}

/** Roots a peer's answer consists of, as the viewer's own roots are made. */
export interface RootTemplate {
  readonly name: string;
  /** Name of the folder it is shown under. */
  readonly folderName: string;
  readonly base: BaseLayer;
  readonly isHidden: LayeredRoot['isHidden'];
}

export interface Peers {
  /** The listing of agents and roots first, then one root per agent and folder. */
  readonly roots: readonly PeerRoot[];
  readonly folders: ReadonlyMap<Slot, string>;
}

/** Throws `workspace/snapshot-failed` when a snapshot is not stored. */
export function makePeers(
  peers: readonly PeerSnapshot[],
  options: {
    readonly shownPath: string;
    readonly templates: readonly RootTemplate[];
    readonly store: SnapshotStore;
  },
): Peers {
  const { shownPath, templates, store } = options;
  const roots: PeerRoot[] = [];
  const listed: string[] = [];
  const folders = new Map<Slot, string>();
  for (const peer of peers) {
    const manifest = store.readManifest(peer.snapshotId);
    if (manifest === undefined) {
      throw new MassGenError(
        'workspace/snapshot-failed',
        `The files of ${peer.label} are missing.`,
      );
    }
    const folder = `agent${peer.slot}`;
    folders.set(peer.slot, join(shownPath, folder));
    for (const template of templates) {
      const root = new LayeredRoot({ ...template, kind: 'peers', canWrite: false, store });
      root.restore(manifest.get(template.name) ?? new Map());
      const path = joinPath(folder, template.folderName);
      roots.push({ root, shownPath: join(shownPath, path) });
      listed.push(path);
    }
  }
  const listing = new LayeredRoot({
    name: 'peers',
    kind: 'peers',
    canWrite: false,
    base: foldersOnly(listed),
    store,
    isHidden: () => false,
  });
  return { roots: [{ root: listing, shownPath }, ...roots], folders };
}

/** A base that holds nothing but folders. */
function foldersOnly(paths: readonly string[]): BaseLayer {
  const all = new Set([''].concat(paths, paths.map(parentOf)));
  return {
    ...emptyBase,
    stat: async (path) =>
      all.has(path) ? { kind: 'directory', sizeBytes: 0, mode: 0o555 } : undefined,
    list: async (path) =>
      [...all]
        .filter((each) => each !== '' && parentOf(each) === path)
        .map((each) => ({
          name: each.slice(path === '' ? 0 : path.length + 1),
          kind: 'directory',
        })),
  };
}
