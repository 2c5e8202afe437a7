// One root as confined commands see it: the layers, merged by the kernel at the place of the user's own folder.
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { MassGenError } from '../../core/errors';
import type { ChangeNotices, CommandChange, CommandView } from '../command/command-view';
import { statOnDisk } from '../disk-read';
import type { LayeredRoot } from '../layered-root';
import type { RootPlaces } from '../link-targets';
import type { SnapshotStore } from '../snapshot-store';
import { placePath } from '../command/place-path';
import type { MountHolder } from './mount-holder';
import type { TopLayer } from './top-layer';
import { nameOf, parentOf } from '../upper-layer';
import { inFolderBelow } from './anchored-files';
import { UpperWalk } from './upper-walk';

export class OverlayView implements CommandView {
  readonly root: LayeredRoot;
  readonly folder: string;
  readonly #layers: string;
  readonly #top: TopLayer;
  readonly #roots: readonly RootPlaces[];
  readonly #walk: UpperWalk;
  /** Paths that the layers hold otherwise than `upper`, because nothing was mounted when they changed. */
  readonly #pending: Set<string>;
  /** Held open, so that it is this view and no other whatever becomes of the holder. */
  #handle: FileHandle | undefined;

  constructor(options: {
    readonly root: LayeredRoot;
    /** Where the merged view is to be seen. */
    readonly folder: string;
    /** A folder for this view alone, outside of what commands see. */
    readonly layers: string;
    readonly top: TopLayer;
    readonly roots: readonly RootPlaces[];
    readonly store: SnapshotStore;
  }) {
    this.root = options.root;
    this.folder = options.folder;
    this.#layers = options.layers;
    this.#top = options.top;
    this.#roots = options.roots;
    this.#pending = new Set(options.root.changedPaths());
    this.#walk = new UpperWalk({
      ...options,
      upper: join(options.layers, 'upper'),
      userFolder: options.top.base.folder ?? '',
    });
  }

  /** Shows the merged view inside the holder's namespace and writes into it what has changed since the last time. */
  async mount(holder: MountHolder, signal: AbortSignal): Promise<void> {
    for (const name of ['upper', 'work', 'base', 'top']) {
      await mkdir(join(this.#layers, name), { recursive: true, mode: 0o755 });
    }
    const base = this.#top.base.folder ?? '';
    const stat = await statOnDisk(base, signal);
    if (stat?.kind !== 'directory') {
      throw new MassGenError('workspace/not-found', `The folder ${this.folder} is gone.`, {
        hint: 'Nothing can be run before it is there again; what has been done so far is kept.',
      });
    }
    // What the user lets others do with the folder stands: the top folder of `upper` decides it.
    await chmod(join(this.#layers, 'upper'), stat.mode | 0o700);
    await holder.mount(
      { folder: this.#layers, top: this.#top.folder, base, target: this.folder },
      signal,
    );
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const handle = await open(holder.outside(this.folder), flags);
    this.#handle = handle;
    const merged = pathOf(handle);
    this.#walk.mounted();
    const paths = [...this.#pending].sort();
    for (const path of paths) {
      await this.follow(path, signal);
      this.#pending.delete(path);
    }
    await this.#protect(holder, merged, signal);
  }

  /** Nothing runs yet that could put a link in the way between the look and the mount. */
  async #protect(holder: MountHolder, merged: string, signal: AbortSignal): Promise<void> {
    for (const path of this.root.canWrite ? this.root.protectedPaths : []) {
      const isThere = await inFolderBelow(merged, parentOf(path), async (held) => {
        const stat = await lstat(join(held, nameOf(path))).catch(() => undefined);
        return stat?.isSymbolicLink() === false;
      });
      if (isThere === true) {
        await holder.protect(path === '' ? this.folder : join(this.folder, path), signal);
      }
    }
  }

  get isMounted(): boolean {
    return this.#handle !== undefined;
  }

  /** The merged view as this process sees it; `undefined` while nothing is mounted. Links must not be followed in it. */
  get merged(): string | undefined {
    return this.#handle === undefined ? undefined : pathOf(this.#handle);
  }

  /** Whether some part of a relative path is a link. */
  async passesLink(path: string): Promise<boolean> {
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count++) {
      const above = parts.slice(0, count).join('/');
      const stat = await lstat(join(this.merged ?? '', above)).catch(() => undefined);
      if (stat?.isSymbolicLink() === true) {
        return true;
      }
    }
    return false;
  }

  /** Before the holder ends: from now on what changes is kept for the next mount. */
  async leave(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async settle(signal: AbortSignal): Promise<void> {
    await this.#walk.settle(signal);
  }

  async follow(path: string, signal: AbortSignal): Promise<void> {
    const { merged } = this;
    if (merged === undefined) {
      this.#pending.add(path);
      return;
    }
    const { root } = this;
    // A link that leads out does no harm here: where it leads, nothing can be written.
    const placing = { root, top: merged, places: this.#roots, keepsOutward: true };
    await placePath(placing, path, signal);
    await this.#walk.remember(path, signal);
  }

  async changesSinceLastLook(
    notices: ChangeNotices,
    signal: AbortSignal,
  ): Promise<readonly CommandChange[]> {
    const { merged } = this;
    return merged === undefined ? [] : this.#walk.changes(merged, notices, signal);
  }
}

/** Ends in a name of its own, so that it is taken for the folder and not for a link to it. */
function pathOf(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}/.`;
}
