import type { DirectoryEntry, FileStat, WorkspaceRoot } from '../core/ports/workspace';
import type { BaseLayer } from './base-layer';
import type { BaseContent, UpperEntry } from './content';
import { deleted, isSameContent } from './content';
import type { HiddenRule } from './hidden-rule';
import type { ManifestEntry } from './manifest';
import { foldName } from './name-folding';
import type { SnapshotStore } from './snapshot-store';
import { UpperLayer, joinPath, parentOf } from './upper-layer';

export interface LayeredRootOptions {
  readonly name: string;
  readonly kind: WorkspaceRoot['kind'];
  readonly canWrite: boolean;
  /** Relative to the root; absent: none. */
  readonly protectedPaths?: readonly string[];
  readonly base: BaseLayer;
  readonly store: SnapshotStore;
  readonly isHidden: HiddenRule;
  /** Names that differ in case alone are one name here; absent: they are two. */
  readonly foldsNames?: boolean;
}

/** One root as one agent sees it: its changes over the user's folder. Paths are relative; links are not followed. */
export class LayeredRoot {
  readonly name: string;
  readonly kind: WorkspaceRoot['kind'];
  readonly canWrite: boolean;
  readonly protectedPaths: readonly string[];
  readonly base: BaseLayer;
  readonly isHidden: HiddenRule;
  readonly #foldsNames: boolean;
  readonly #store: SnapshotStore;
  readonly #upper = new UpperLayer();

  constructor(options: LayeredRootOptions) {
    this.name = options.name;
    this.kind = options.kind;
    this.canWrite = options.canWrite;
    this.protectedPaths = options.protectedPaths ?? [];
    this.base = options.base;
    this.isHidden = options.isHidden;
    this.#foldsNames = options.foldsNames ?? false;
    this.#store = options.store;
  }

  /** The name under which a folder already holds what the system takes for `name`; else `name` itself. */
  async nameIn(folder: string, name: string, signal: AbortSignal): Promise<string> {
    if (!this.#foldsNames) {
      return name;
    }
    const names = [...(await this.#entries(folder, signal)).keys()];
    const folded = foldName(name);
    return names.includes(name) ? name : (names.find((one) => foldName(one) === folded) ?? name);
  }

  /** Whether agents may read the path and not change it. */
  isProtected(path: string): boolean {
    return this.protectedPaths.some((each) => each === '' || `${path}/`.startsWith(`${each}/`));
  }

  /** `undefined` when nothing is there for the agent. */
  async stat(path: string, signal: AbortSignal): Promise<FileStat | undefined> {
    const entry = this.#upper.get(path);
    if (entry?.kind === 'file') {
      return { kind: 'file', sizeBytes: entry.sizeBytes, mode: entry.mode };
    }
    if (entry?.kind === 'link') {
      return { kind: 'link', sizeBytes: entry.target.length, mode: 0o777 };
    }
    if (entry?.kind === 'folder') {
      return { kind: 'directory', sizeBytes: 0, mode: entry.mode };
    }
    const isOpen = entry === undefined && !(await this.#isCovered(path, signal));
    const below = isOpen ? await this.base.stat(path, signal) : undefined;
    // What the agent put into a folder of the user leaves the folder as it is.
    return this.#upper.isFolder(path) && below?.kind !== 'directory'
      ? { kind: 'directory', sizeBytes: 0, mode: 0o755 }
      : below;
  }

  /** Names in order of their code units; hidden ones are left out. */
  async list(path: string, signal: AbortSignal): Promise<readonly DirectoryEntry[]> {
    return [...(await this.#entries(path, signal))]
      .map(([name, kind]) => ({ name, kind }))
      .filter(({ name, kind }) => !this.isHidden(joinPath(path, name), kind === 'directory'))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #entries(
    path: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, FileStat['kind']>> {
    const found = new Map<string, FileStat['kind']>();
    if (await this.#showsBase(path, signal)) {
      for (const entry of await this.base.list(path, signal)) {
        if (this.#upper.get(joinPath(path, entry.name))?.kind !== 'deleted') {
          found.set(entry.name, entry.kind);
        }
      }
    }
    for (const name of this.#upper.childNames(path)) {
      const entry = this.#upper.get(joinPath(path, name));
      found.set(name, entry?.kind === 'file' || entry?.kind === 'link' ? entry.kind : 'directory');
    }
    return found;
  }

  /** Where a file lies that the agent sees as it is on the user's disk; `undefined` for any other. */
  async onDisk(path: string, signal: AbortSignal): Promise<string | undefined> {
    const isOpen = this.#upper.get(path) === undefined && !(await this.#isCovered(path, signal));
    return isOpen ? this.base.onDisk?.(path) : undefined;
  }

  /** `undefined` when there is no regular file. */
  async read(path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const entry = this.#upper.get(path);
    if (entry === undefined) {
      return (await this.#isCovered(path, signal)) ? undefined : this.base.read(path, signal);
    }
    return entry.kind === 'file' ? this.#store.getBytes(entry.sha256) : undefined;
  }

  async readLink(path: string, signal: AbortSignal): Promise<string | undefined> {
    const entry = this.#upper.get(path);
    if (entry === undefined) {
      return (await this.#isCovered(path, signal)) ? undefined : this.base.readLink(path, signal);
    }
    return entry.kind === 'link' ? entry.target : undefined;
  }

  /** Puts a file in place with the mode of what was there, else 0644. Answers what now stands in the layer. */
  async write(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<UpperEntry> {
    const before = await this.stat(path, signal);
    const entry: UpperEntry = {
      kind: 'file',
      sha256: this.#store.putBytes(bytes),
      sizeBytes: bytes.length,
      mode: before?.kind === 'file' ? before.mode : 0o644,
    };
    await this.put(path, entry, signal);
    return entry;
  }

  /**
   * Sets what the agent made of a path. What equals the base is no change and leaves the layer. What the base holds below a
   * folder that goes is not gone by that: each path has an entry of its own.
   */
  async put(path: string, entry: UpperEntry, signal: AbortSignal): Promise<void> {
    const base = await this.base.capture(path, signal);
    signal.throwIfAborted();
    this.#upper.set(path, isSameContent(base, entry) ? undefined : entry);
    if (entry.kind !== 'deleted') {
      await this.#reviveFolders(path, signal);
    }
  }

  /** A folder that was removed and made anew is there again, with what is in it now. */
  async #reviveFolders(path: string, signal: AbortSignal): Promise<void> {
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
      const isGone = this.#upper.get(above)?.kind === 'deleted';
      if (isGone && (await this.base.stat(above, signal))?.kind === 'directory') {
        this.#upper.set(above, undefined);
      }
    }
  }

  async remove(path: string, signal: AbortSignal): Promise<void> {
    await this.put(path, deleted, signal);
  }

  changedPaths(): readonly string[] {
    return this.#upper.paths();
  }

  upperEntry(path: string): UpperEntry | undefined {
    return this.#upper.get(path);
  }

  /** What differs from the base, in path order. Of the folders those that are empty, and those that are gone. */
  async changes(signal: AbortSignal): Promise<ReadonlyMap<string, ManifestEntry>> {
    const result = new Map<string, ManifestEntry>();
    for (const path of this.#upper.paths().sort()) {
      const now = this.#upper.get(path);
      const base: BaseContent = await this.base.capture(path, signal);
      if (now === undefined || isSameContent(now, base)) {
        continue;
      }
      if (now.kind !== 'folder') {
        // A folder that gives way to a file goes with the last of what was in it.
        const isReplaced = base?.kind === 'folder' && now.kind !== 'deleted';
        result.set(path, { now, base: isReplaced ? null : base });
      } else if (await this.#isEmpty(path, signal)) {
        result.set(path, { now, base });
      } else if (base !== null && base.kind !== 'folder') {
        // What is in the folder says that it is there; that a file had to give way for it is told here.
        result.set(path, { now: deleted, base });
      }
    }
    return result;
  }

  async #isEmpty(folder: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#entries(folder, signal)).size === 0;
  }

  async #showsBase(folder: string, signal: AbortSignal): Promise<boolean> {
    const entry = this.#upper.get(folder);
    const isOpen =
      entry === undefined || (entry.kind === 'folder' && !(await this.#hides(folder, signal)));
    return isOpen && !(await this.#isCovered(folder, signal));
  }

  /** Below what the agent has put in the place of a folder, or made of a link, the user's files do not show through. */
  async #isCovered(path: string, signal: AbortSignal): Promise<boolean> {
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
      if (await this.#hides(above, signal)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an entry of the agent keeps what the base has below the path from being seen. */
  async #hides(path: string, signal: AbortSignal): Promise<boolean> {
    const entry = this.#upper.get(path);
    return entry?.kind === 'deleted' || entry?.kind === 'folder'
      ? (await this.base.stat(path, signal))?.kind === 'link'
      : entry !== undefined;
  }

  /** Makes the layer equal to a stored one; answers the paths that changed by it. */
  restore(changes: ReadonlyMap<string, ManifestEntry>): readonly string[] {
    const touched: string[] = [];
    for (const path of this.#upper.paths()) {
      if (!changes.has(path)) {
        this.#upper.set(path, undefined);
        touched.push(path);
      }
    }
    for (const [path, { now, base }] of changes) {
      this.base.adopt(path, base);
      const before = this.#upper.get(path);
      if (before === undefined || !isSameContent(before, now)) {
        this.#upper.set(path, now);
        touched.push(path);
      }
    }
    return touched;
  }
}
