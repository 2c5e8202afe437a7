import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryEntry, FileStat } from '../core/ports/workspace';
import type { BaseContent, FileContent } from './content';
import { isSameContent, sha256OfBytes } from './content';
import type { DiskStat } from './disk-read';
import { hasCode, isNotThere, kindOf, readFromDisk, statOnDisk } from './disk-read';
import type { SnapshotStore } from './snapshot-store';
import { parentOf } from './upper-layer';

/**
 * What lies below every agent's changes in one root, read only. Paths are relative with `/`, `''` is the root. Links are
 * never followed here: whoever asks has resolved the parents.
 */
export interface BaseLayer {
  /** Where commands' copies are made from; `undefined` for a root that starts empty. */
  readonly folder: string | undefined;
  stat(path: string, signal: AbortSignal): Promise<FileStat | undefined>;
  list(path: string, signal: AbortSignal): Promise<readonly DirectoryEntry[]>;
  /** `undefined` when there is no regular file. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  readLink(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Keeps the content a path had before the agents' first change; later calls answer the same. */
  capture(path: string, signal: AbortSignal): Promise<BaseContent>;
  /** Whether the user's file is no longer what was captured. */
  hasMoved(path: string, signal: AbortSignal): Promise<boolean>;
  /** Remembers what a command's copy was made from. */
  note(path: string, identity: string): void;
  /** Text of unsaved editors, by path. */
  readonly pins: ReadonlyMap<string, Uint8Array>;
}

/** A root that starts empty: the agent's own folder. */
export const emptyBase: BaseLayer = {
  folder: undefined,
  pins: new Map(),
  stat: async (path) =>
    path === '' ? { kind: 'directory', sizeBytes: 0, mode: 0o755 } : undefined,
  list: async () => [],
  read: async () => undefined,
  readLink: async () => undefined,
  capture: async () => null,
  hasMoved: async () => false,
  note: () => undefined,
};

interface Seen {
  readonly identity: string;
  readonly bytes?: Uint8Array;
}

/** Bytes of files that agents have read are held up to this sum, so that the base stands still under them. */
const heldBytesLimit = 64 * 1024 * 1024;

const nothing = new Uint8Array();

function hasMovedOn(seen: Seen | undefined, identity: string): boolean {
  return seen !== undefined && seen.identity !== identity;
}

/** One folder of the user, shared by all agents of a run. */
export class UserFolderBase implements BaseLayer {
  readonly folder: string;
  readonly pins: Map<string, Uint8Array>;
  readonly #only: string | undefined;
  readonly #store: SnapshotStore;
  readonly #seen = new Map<string, Seen>();
  readonly #captured = new Map<string, Promise<BaseContent>>();
  #heldBytes = 0;

  constructor(options: {
    /** Real path of an existing folder. */
    readonly folder: string;
    /** Name of the single file that is visible; `undefined` for the whole folder. */
    readonly only: string | undefined;
    readonly pins: ReadonlyMap<string, Uint8Array>;
    readonly store: SnapshotStore;
  }) {
    this.folder = options.folder;
    this.#only = options.only;
    this.pins = new Map(options.pins);
    this.#store = options.store;
  }

  async stat(path: string, signal: AbortSignal): Promise<FileStat | undefined> {
    const stat = await this.#disk(path, signal);
    const pin = this.pins.get(path);
    if (pin === undefined || (stat !== undefined && stat.kind !== 'file')) {
      return stat;
    }
    return { kind: 'file', sizeBytes: pin.length, mode: stat?.mode ?? 0o644 };
  }

  async list(path: string, signal: AbortSignal): Promise<readonly DirectoryEntry[]> {
    signal.throwIfAborted();
    try {
      const entries = await readdir(this.#place(path), { withFileTypes: true });
      return entries
        .filter((entry) => this.#isVisible(path === '' ? entry.name : `${path}/${entry.name}`))
        .map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    } catch (error) {
      if (isNotThere(error) || hasCode(error, 'EACCES')) {
        return [];
      }
      throw error;
    }
  }

  async read(path: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const pin = this.pins.get(path);
    if (pin !== undefined || !this.#isVisible(path)) {
      return pin;
    }
    const seen = this.#seen.get(path);
    const file = await readFromDisk(this.#place(path), signal);
    if (seen?.bytes !== undefined) {
      return seen.identity === file?.stat.identity ? file.bytes : seen.bytes;
    }
    if (file !== undefined) {
      this.#hold(path, seen?.identity ?? file.stat.identity, file);
    }
    return file?.bytes;
  }

  async readLink(path: string, signal: AbortSignal): Promise<string | undefined> {
    const stat = await this.#disk(path, signal);
    return stat?.kind === 'link' ? readlink(this.#place(path)) : undefined;
  }

  async capture(path: string, signal: AbortSignal): Promise<BaseContent> {
    let known = this.#captured.get(path);
    if (known === undefined) {
      known = this.#captureNow(path, signal);
      this.#captured.set(path, known);
      // A capture that was given up is made again by the next one who needs it.
      known.catch(() => this.#captured.delete(path));
    }
    return known;
  }

  async hasMoved(path: string, signal: AbortSignal): Promise<boolean> {
    const captured = await this.capture(path, signal);
    const now = await this.#own(path, signal);
    if (captured?.kind === 'unknown') {
      return true;
    }
    if (now?.identity !== undefined && now.identity === this.#seen.get(path)?.identity) {
      return false;
    }
    return !isSameContent(await this.#glance(path, now, signal), captured);
  }

  note(path: string, identity: string): void {
    if (!this.#seen.has(path)) {
      this.#seen.set(path, { identity });
    }
  }

  async #captureNow(path: string, signal: AbortSignal): Promise<BaseContent> {
    const stat = await this.#own(path, signal);
    const identity = stat?.identity ?? 'absent';
    const seen = this.#seen.get(path);
    const stands = this.pins.get(path) ?? (hasMovedOn(seen, identity) ? seen?.bytes : undefined);
    if (stands !== undefined) {
      this.note(path, identity);
      return this.#keep(stands, stat?.mode ?? 0o644);
    }
    if (hasMovedOn(seen, identity)) {
      return { kind: 'unknown' };
    }
    this.note(path, identity);
    return this.#present(path, stat, signal);
  }

  /** Content on the disk right now; its bytes are kept. */
  async #present(
    path: string,
    stat: DiskStat | undefined,
    signal: AbortSignal,
  ): Promise<BaseContent> {
    if (stat?.kind === 'link') {
      return { kind: 'link', target: await readlink(this.#place(path)) };
    }
    if (stat?.kind !== 'file') {
      return stat?.kind === 'other' ? { kind: 'unknown' } : null;
    }
    const file = await readFromDisk(this.#place(path), signal);
    return file?.stat.identity === stat.identity
      ? this.#keep(file.bytes, stat.mode)
      : { kind: 'unknown' };
  }

  /** Present content by hash, without keeping its bytes. */
  async #glance(
    path: string,
    stat: DiskStat | undefined,
    signal: AbortSignal,
  ): Promise<BaseContent> {
    if (stat?.kind !== 'file') {
      return this.#present(path, stat, signal);
    }
    const { bytes } = (await readFromDisk(this.#place(path), signal)) ?? { bytes: nothing };
    return {
      kind: 'file',
      sha256: sha256OfBytes(bytes),
      sizeBytes: bytes.length,
      mode: stat.mode,
    };
  }

  /** Behind a link nothing stands under this path: what an agent puts there takes the place of the link. */
  async #own(path: string, signal: AbortSignal): Promise<DiskStat | undefined> {
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
      if ((await this.#disk(above, signal))?.kind === 'link') {
        return undefined;
      }
    }
    return this.#disk(path, signal);
  }

  #keep(bytes: Uint8Array, mode: number): FileContent {
    return { kind: 'file', sha256: this.#store.putBytes(bytes), sizeBytes: bytes.length, mode };
  }

  #hold(
    path: string,
    identity: string,
    file: { readonly bytes: Uint8Array; readonly stat: DiskStat },
  ): void {
    const isSame = identity === file.stat.identity;
    if (isSame && this.#heldBytes + file.bytes.length <= heldBytesLimit) {
      this.#heldBytes += file.bytes.length;
      this.#seen.set(path, { identity, bytes: file.bytes });
    } else {
      this.note(path, identity);
    }
  }

  async #disk(path: string, signal: AbortSignal): Promise<DiskStat | undefined> {
    return this.#isVisible(path) ? statOnDisk(this.#place(path), signal) : undefined;
  }

  #isVisible(path: string): boolean {
    return this.#only === undefined || path === '' || path === this.#only;
  }

  #place(path: string): string {
    return path === '' ? this.folder : join(this.folder, path);
  }
}
