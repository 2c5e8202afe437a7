// The answers of others as folders: `peers/<token>/agent2/<root>/…`, read straight from their snapshots.
import { join } from 'node:path';
import type { Label } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { PeerSnapshot, PeersView } from '../core/ports/workspace';
import type { BaseLayer } from './base-layer';
import { LayeredRoot } from './layered-root';
import type { Manifest, ManifestEntry } from './manifest';
import { fixedBase } from './fixed-base';
import type { SnapshotStore } from './snapshot-store';
import { joinPath } from './upper-layer';

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
  readonly foldsNames?: boolean;
  /** What the agent's own folder holds at the start of the run; absent: nothing. */
  readonly seed?: ReadonlyMap<string, ManifestEntry>;
}

export interface Peers {
  /** The listing of agents and roots first, then one root per agent and folder. */
  readonly roots: readonly PeerRoot[];
  readonly folders: ReadonlyMap<Label, string>;
}

export interface PeersPlace {
  readonly shownPath: string;
  readonly templates: readonly RootTemplate[];
  readonly store: SnapshotStore;
}

/** Name of the file with the text of an answer. */
const answerName = 'ANSWER.md';

/** Throws `workspace/snapshot-failed` when a snapshot is not stored. */
export function makePeers(
  peers: readonly PeerSnapshot[],
  { token = '', previousAttempt }: PeersView,
  place: PeersPlace,
): Peers {
  const made = new PeerFolders(place);
  const folders = new Map<Label, string>();
  for (const { slot, label, snapshotId, text, folderName = `agent${slot}` } of peers) {
    const folder = joinPath(token, folderName);
    folders.set(label, join(place.shownPath, folder));
    made.addFolder(folder);
    if (snapshotId !== null) {
      made.addRoots(folder, manifestOf(place.store, snapshotId, label), place.templates);
    }
    if (text !== undefined) {
      made.addFile(joinPath(folder, answerName), text);
    }
  }
  if (previousAttempt !== undefined) {
    const manifest = manifestOf(place.store, previousAttempt, 'the previous attempt');
    made.addRoots(joinPath(token, 'previous_attempt'), manifest, place.templates);
  }
  for (const { name, seed } of place.templates) {
    const own = place.templates.filter((template) => template.name === name);
    if (seed !== undefined) {
      made.addRoots(joinPath(token, 'previous_turn'), new Map([[name, seed]]), own);
    }
  }
  return { roots: made.roots(), folders };
}

function manifestOf(store: SnapshotStore, id: string, whose: string): Manifest {
  const manifest = store.readManifest(id);
  if (manifest === undefined) {
    throw new MassGenError('workspace/snapshot-failed', `The files of ${whose} are missing.`);
  }
  return manifest;
}

/** Gathers what the root shows. */
class PeerFolders {
  readonly #place: PeersPlace;
  readonly #roots: PeerRoot[] = [];
  readonly #folders: string[] = [];
  readonly #files = new Map<string, Uint8Array>();

  constructor(place: PeersPlace) {
    this.#place = place;
  }

  addFolder(path: string): void {
    this.#folders.push(path);
  }

  addFile(path: string, text: string): void {
    this.#files.set(path, new TextEncoder().encode(text));
  }

  addRoots(folder: string, manifest: Manifest, templates: readonly RootTemplate[]): void {
    const { store, shownPath } = this.#place;
    for (const template of templates) {
      const root = new LayeredRoot({ ...template, kind: 'peers', canWrite: false, store });
      root.restore(manifest.get(template.name) ?? new Map());
      const path = joinPath(folder, template.folderName);
      this.#roots.push({ root, shownPath: join(shownPath, path) });
      this.addFolder(path);
    }
  }

  roots(): readonly PeerRoot[] {
    const { store, shownPath } = this.#place;
    const listing = new LayeredRoot({
      name: 'peers',
      kind: 'peers',
      canWrite: false,
      base: fixedBase(this.#folders, this.#files),
      store,
      isHidden: () => false,
    });
    return [{ root: listing, shownPath }, ...this.#roots];
  }
}
