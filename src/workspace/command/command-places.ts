// Where commands of one agent see its roots on the disk: merged by the kernel where that is possible, else as copies.
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MountHolder } from '../confinement/mount-holder';
import { OverlayView } from '../confinement/overlay-view';
import type { Sandbox } from '../confinement/sandbox';
import { hasLayers } from '../confinement/sandbox';
import { TopLayer } from '../confinement/top-layer';
import type { BaseLayer } from '../base-layer';
import type { LayeredRoot } from '../layered-root';
import type { RootPlaces } from '../link-targets';
import type { SnapshotStore } from '../snapshot-store';
import type { Warn } from '../warnings';
import type { CommandRoot } from './command-root';
import type { CopyLimits } from './command-copy';
import { CommandCopy } from './command-copy';
import { takeChanges } from './take-changes';

type View = CommandCopy | OverlayView;

export interface PlacesOptions {
  /** The agent's private folder. */
  readonly folder: string;
  readonly peersFolder: string;
  readonly roots: readonly CommandRoot[];
  readonly limits: CopyLimits;
  readonly store: SnapshotStore;
  readonly sandbox: Sandbox;
  readonly warn: Warn;
}

/** Every method but `follow` of an unmounted root is called by one caller at a time. */
export class CommandPlaces {
  readonly #options: PlacesOptions;
  readonly #places: readonly RootPlaces[];
  readonly #tops = new Map<BaseLayer, TopLayer>();
  readonly #own: readonly { readonly at: CommandRoot; readonly view: View }[];
  #peers: readonly View[] = [];
  #oldPeers: readonly View[] = [];
  #peerCount = 0;
  #holder: MountHolder | undefined;
  #users = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#places = options.roots.map(({ root, shownPath }) => ({
      userFolder: root.base.folder,
      shown: shownPath,
    }));
    this.#own = options.roots.map((at, index) => ({ at, view: this.#viewOf(at, `own${index}`) }));
  }

  get holder(): MountHolder | undefined {
    return this.#holder;
  }

  /** Folders that a confined command may write and read. */
  get bound(): { readonly writable: readonly string[]; readonly readable: readonly string[] } {
    const folders = (canWrite: boolean): readonly string[] =>
      this.#own.filter(({ at }) => at.root.canWrite === canWrite).map(({ view }) => view.folder);
    const peers = this.#peers.some(isPresent) ? [this.#options.peersFolder] : [];
    return { writable: folders(true), readable: [...folders(false), ...peers] };
  }

  /** The view in which an absolute path as the agent sees it lies, and the rest of the path. */
  overlayAt(path: string): { readonly view: OverlayView; readonly inside: string } | undefined {
    for (const { view } of this.#own) {
      if (view instanceof OverlayView && `${path}/`.startsWith(`${view.folder}/`)) {
        return { view, inside: path.slice(view.folder.length + 1) };
      }
    }
    return undefined;
  }

  /** Answers of others as commands see them: made only when a command names them. */
  showPeers(roots: readonly CommandRoot[]): void {
    this.#oldPeers = [...this.#oldPeers, ...this.#peers.filter(isPresent)];
    this.#peers = roots.map((root) => this.#viewOf(root, `peer${this.#peerCount++}`));
  }

  async follow(root: LayeredRoot, paths: Iterable<string>, signal: AbortSignal): Promise<void> {
    const view = this.#own.find(({ at }) => at.root === root)?.view;
    for (const path of paths) {
      await view?.follow(path, signal);
    }
  }

  /** Makes everything there that a command may use. Each call is followed by one of `leave`, also when it throws. */
  async enter(text: string, signal: AbortSignal): Promise<void> {
    this.#users += 1;
    const { sandbox } = this.#options;
    if (hasLayers(sandbox)) {
      await this.#mountOwn(sandbox, signal);
    }
    for (const { view } of this.#own) {
      if (view instanceof CommandCopy) {
        await view.make(this.#options.limits, signal);
      }
    }
    await this.#removeOldPeers(signal);
    if (text.includes(basename(this.#options.peersFolder))) {
      await this.#makePeers(signal);
    }
    for (const { view } of this.#own) {
      await view.settle(signal);
    }
  }

  /** Takes over what commands changed. */
  async collect(signal: AbortSignal): Promise<void> {
    for (const { at, view } of this.#own) {
      await takeChanges(at, view, this.#options.warn, signal);
    }
  }

  /** The mounts end with the last command that uses them. */
  async leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users === 0) {
      await this.close();
    }
  }

  async close(): Promise<void> {
    const holder = this.#holder;
    this.#holder = undefined;
    for (const view of [...this.#own.map((own) => own.view), ...this.#peers, ...this.#oldPeers]) {
      if (view instanceof OverlayView) {
        await view.leave();
      }
    }
    await holder?.end();
  }

  async #mountOwn(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
    if (this.#holder !== undefined || !hasLayers(sandbox)) {
      return;
    }
    const views = this.#own.map(({ view }) => view).filter((view) => view instanceof OverlayView);
    if (views.length === 0 && !this.#peers.some((view) => view instanceof OverlayView)) {
      return;
    }
    const holder = await MountHolder.start(sandbox.programs, signal);
    this.#holder = holder;
    for (const top of this.#tops.values()) {
      await top.refresh(holder, signal);
    }
    for (const view of views) {
      await view.mount(holder, signal);
    }
  }

  async #removeOldPeers(signal: AbortSignal): Promise<void> {
    if (this.#oldPeers.length === 0) {
      return;
    }
    for (const view of this.#oldPeers) {
      if (view instanceof OverlayView && view.isMounted && this.#holder !== undefined) {
        await view.leave();
        await this.#holder.unmount(view.folder, signal);
      }
    }
    await rm(this.#options.peersFolder, { recursive: true, force: true });
    this.#oldPeers = [];
  }

  async #makePeers(signal: AbortSignal): Promise<void> {
    for (const view of this.#peers) {
      if (view instanceof CommandCopy) {
        await view.make(this.#options.limits, signal);
      } else if (this.#holder !== undefined && !view.isMounted) {
        await mkdir(view.folder, { recursive: true, mode: 0o755 });
        await view.mount(this.#holder, signal);
      }
    }
  }

  #viewOf({ root, shownPath, isLayered }: CommandRoot, name: string): View {
    const { store, folder } = this.#options;
    const shared = { root, folder: shownPath, roots: this.#places, store };
    if (!isLayered) {
      return new CommandCopy(shared);
    }
    const top =
      this.#tops.get(root.base) ??
      new TopLayer({
        folder: join(folder, layersFolder, `top${this.#tops.size}`),
        base: root.base,
        isHidden: root.isHidden,
      });
    this.#tops.set(root.base, top);
    return new OverlayView({ ...shared, layers: join(folder, layersFolder, name), top });
  }
}

/** In the agent's private folder; commands see nothing of it. */
export const layersFolder = '.layers';

function isPresent(view: View): boolean {
  return view instanceof CommandCopy ? view.isMade : view.isMounted;
}
