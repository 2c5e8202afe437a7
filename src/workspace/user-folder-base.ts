import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { raceAbort } from '../base/abort';
import type { DirectoryEntry, FileStat } from '../core/ports/workspace';
import type { BaseLayer, HiddenPaths } from './base-layer';
import type { WalkResult } from './base-walk';
import { walkBase } from './base-walk';
import type { BaseContent, FileContent } from './content';
import { isSameContent, sha256OfBytes } from './content';
import type { DiskFile, DiskStat } from './disk-read';
import { hasCode, isNotThere, kindOf, maxFileBytes, readFromDisk, statOnDisk } from './disk-read';
import { IdentityIndex } from './identity-index';
import type { HiddenRule } from './hidden-rule';
import type { SnapshotStore } from './snapshot-store';
import { parentOf } from './upper-layer';

export interface UserFolderOptions {
  /** Real path of an existing folder. */
  readonly folder: string;
  /** Name of the single file that is visible; `undefined` for the whole folder. */
  readonly only: string | undefined;
  readonly pins: ReadonlyMap<string, Uint8Array>;
  readonly isHidden: HiddenRule;
  readonly store: SnapshotStore;
}

/** Bytes of files that agents have read are held up to this sum, so that the base stands still under them. */
const heldBytesLimit = 64 * 1024 * 1024;

/** A folder with more paths is no project; what lies beyond is known only from when an agent first touches it. */
const walkLimit = 1_000_000;

const absent = 'absent';

const nothing = new Uint8Array();

/** One folder of the user, shared by all agents of a run. */
export class UserFolderBase implements BaseLayer {
  readonly folder: string;
  readonly pins: Map<string, Uint8Array>;
  readonly #options: UserFolderOptions;
  readonly #store: SnapshotStore;
  /** What each path was when the run began, as far as the walk has come. */
  readonly #start = new IdentityIndex();
  /** What each path was when an agent, or a copy for commands, first had its content. */
  readonly #seen = new IdentityIndex();
  readonly #held = new Map<string, Uint8Array>();
  readonly #captured = new Map<string, Promise<BaseContent>>();
  /** Paths that had already changed since the start when agents first had their content. */
  readonly #late = new Set<string>();
  /** Last answers about moved contents, each good while the file is the same. */
  readonly #compared = new Map<string, { readonly identity: string; readonly isMoved: boolean }>();
  readonly #closing = new AbortController();
  #walk: Promise<WalkResult> | undefined;
  #isWalkedWhole = false;
  #heldBytes = 0;

  constructor(options: UserFolderOptions) {
    this.#options = options;
    this.folder = options.folder;
    this.pins = new Map(options.pins);
    this.#store = options.store;
  }

  /** Starts to look through the folder, once; `close` ends it. Resolves when that is done. */
  async begin(): Promise<WalkResult> {
    if (this.#walk === undefined) {
      const { folder, only, isHidden } = this.#options;
      const onEntry = (path: string, stat: DiskStat): void => this.#start.note(path, stat.version);
      const options = { folder, only, isHidden, onEntry, limit: walkLimit };
      this.#walk = walkBase(options, this.#closing.signal).then((result) => {
        this.#isWalkedWhole = result.isWhole;
        return result;
      });
    }
    return this.#walk;
  }

  close(reason: unknown): void {
    this.#closing.abort(reason);
  }

  async hiddenPaths(signal: AbortSignal): Promise<HiddenPaths> {
    const { hidden, isWhole } = await raceAbort(this.begin(), signal);
    return { paths: hidden, isWhole };
  }

  /** From now on agents see these bytes, unless they have already had others. Hidden paths are left out. */
  pin(path: string, bytes: Uint8Array): void {
    const isHidden = !this.#isVisible(path) || this.#options.isHidden(path, false);
    const isKnown = this.pins.has(path) || this.#held.has(path) || this.#captured.has(path);
    if (path !== '' && !isHidden && !isKnown && bytes.length <= maxFileBytes) {
      this.pins.set(path, bytes);
    }
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
        .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
        .filter(({ kind }) => kind !== 'other');
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
    const file = await readFromDisk(this.#place(path), signal);
    const held = this.#held.get(path);
    if (held !== undefined) {
      const isSame = file !== undefined && this.#seen.matches(path, file.stat.identity);
      return isSame ? file.bytes : held;
    }
    if (file !== undefined) {
      this.#hold(path, file);
    }
    return file?.bytes;
  }

  onDisk(path: string): string | undefined {
    const isOther = this.pins.has(path) || this.#held.has(path) || this.#captured.has(path);
    return isOther || !this.#isVisible(path) ? undefined : this.#place(path);
  }

  async readLink(path: string, signal: AbortSignal): Promise<string | undefined> {
    const stat = await this.#disk(path, signal);
    return stat?.kind === 'link' ? readlink(this.#place(path)) : undefined;
  }

  async capture(path: string, signal: AbortSignal): Promise<BaseContent> {
    return this.#captured.get(path) ?? this.#setCaptured(path, this.#captureNow(path, signal));
  }

  adopt(path: string, base: BaseContent): void {
    if (!this.#captured.has(path)) {
      const content = base === null ? this.#folderOrNothing(path) : Promise.resolve(base);
      void this.#setCaptured(path, content);
    }
  }

  #setCaptured(path: string, content: Promise<BaseContent>): Promise<BaseContent> {
    this.#captured.set(path, content);
    // A capture that was given up is made again by the next one who needs it.
    content.catch(() => this.#captured.delete(path));
    return content;
  }

  /** For a file in the place of a folder a snapshot says that there was nothing. */
  async #folderOrNothing(path: string): Promise<BaseContent> {
    const stat = await this.#own(path, this.#closing.signal);
    return stat?.kind === 'directory' ? { kind: 'folder', mode: stat.mode } : null;
  }

  note(path: string, identity: string): void {
    this.#seen.note(path, identity);
  }

  async hasMoved(path: string, signal: AbortSignal): Promise<boolean> {
    const captured = await this.capture(path, signal);
    if (captured?.kind === 'unknown' || this.#late.has(path)) {
      return true;
    }
    const identity = (await this.#disk(path, signal))?.identity ?? absent;
    if (this.#seen.matches(path, identity)) {
      return false;
    }
    const last = this.#compared.get(path);
    if (last?.identity === identity) {
      return last.isMoved;
    }
    const now = await this.#glance(path, await this.#own(path, signal), signal);
    const isMoved = !isSameContent(now, captured);
    this.#compared.set(path, { identity, isMoved });
    return isMoved;
  }

  async #captureNow(path: string, signal: AbortSignal): Promise<BaseContent> {
    const stat = await this.#own(path, signal);
    const identity = stat?.identity ?? absent;
    const hasMovedOn = this.#seen.has(path) && !this.#seen.matches(path, identity);
    const stands = this.pins.get(path) ?? (hasMovedOn ? this.#held.get(path) : undefined);
    if (stands !== undefined) {
      if (this.#isUnsavedText(path, stat)) {
        this.note(path, identity);
      }
      return this.#keep(stands, stat?.mode ?? 0o644);
    }
    if (hasMovedOn) {
      return { kind: 'unknown' };
    }
    this.note(path, identity);
    this.#compareWithStart(path, stat);
    return this.#present(path, stat, signal);
  }

  /** The editor held this text over the same file when the run began: as long as the file stands, nothing has moved. */
  #isUnsavedText(path: string, stat: DiskStat | undefined): boolean {
    const isChanged = this.#start.has(path) && !this.#start.matches(path, stat?.version ?? absent);
    return this.#options.pins.has(path) && !isChanged;
  }

  /** Content that agents are about to have: is it still what was there when the run began? */
  #compareWithStart(path: string, stat: DiskStat | undefined): void {
    const version = stat?.version ?? absent;
    const isOther = this.#start.has(path)
      ? !this.#start.matches(path, version)
      : this.#isWalkedWhole && stat !== undefined;
    if (isOther) {
      this.#late.add(path);
    } else {
      // The walk may come by later, when the user has changed the file.
      this.#start.note(path, version);
    }
  }

  /** Content on the disk right now; its bytes are kept. */
  async #present(
    path: string,
    stat: DiskStat | undefined,
    signal: AbortSignal,
  ): Promise<BaseContent> {
    if (stat?.kind !== 'file') {
      return this.#withoutBytes(path, stat);
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
      return this.#withoutBytes(path, stat);
    }
    const { bytes } = (await readFromDisk(this.#place(path), signal)) ?? { bytes: nothing };
    return {
      kind: 'file',
      sha256: sha256OfBytes(bytes),
      sizeBytes: bytes.length,
      mode: stat.mode,
    };
  }

  async #withoutBytes(path: string, stat: DiskStat | undefined): Promise<BaseContent> {
    switch (stat?.kind) {
      case 'link':
        return { kind: 'link', target: await readlink(this.#place(path)) };
      case 'directory':
        return { kind: 'folder', mode: stat.mode };
      default:
        return stat === undefined ? null : { kind: 'unknown' };
    }
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

  /** Remembers what an agent has read; the bytes too while there is room. */
  #hold(path: string, { bytes, stat }: DiskFile): void {
    this.note(path, stat.identity);
    const isFirst = this.#seen.matches(path, stat.identity);
    if (isFirst && this.#heldBytes + bytes.length <= heldBytesLimit) {
      this.#heldBytes += bytes.length;
      this.#held.set(path, bytes);
      this.#compareWithStart(path, stat);
    }
  }

  async #disk(path: string, signal: AbortSignal): Promise<DiskStat | undefined> {
    return this.#isVisible(path) ? statOnDisk(this.#place(path), signal) : undefined;
  }

  #isVisible(path: string): boolean {
    const { only } = this.#options;
    return only === undefined || path === '' || path === only;
  }

  #place(path: string): string {
    return path === '' ? this.folder : join(this.folder, path);
  }
}
