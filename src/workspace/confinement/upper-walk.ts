// Reads from the upper layer of a mount what an agent's commands changed.
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { raceAbort } from '../../base/abort';
import { isMassGenError } from '../../core/errors';
import type { ChangeNotices, CommandChange } from '../command/command-view';
import { deleted } from '../content';
import { hasCode, linkOnDisk, readFromDisk, statOnDisk } from '../disk-read';
import type { LayeredRoot } from '../layered-root';
import type { RootPlaces } from '../link-targets';
import { toUserTarget } from '../link-targets';
import { isTooLong } from '../path-guard';
import { isGitPath } from '../path-rules';
import type { SnapshotStore } from '../snapshot-store';
import { joinPath, nameOf, parentOf } from '../upper-layer';
import { inFolder, inFolderBelow } from './anchored-files';

/** Longer than the step of a file system's clock: a change after this time bears another time than one before. */
const clockStepMs = 20;

const folderMark = 'folder:';

interface Look {
  readonly merged: string;
  readonly notices: ChangeNotices;
  readonly signal: AbortSignal;
  readonly changes: Map<string, CommandChange>;
  readonly seen: Set<string>;
}

export class UpperWalk {
  readonly #upper: string;
  readonly #root: LayeredRoot;
  readonly #userFolder: string;
  readonly #roots: readonly RootPlaces[];
  readonly #store: SnapshotStore;
  /** Identity of everything in the layer at the last look. */
  readonly #known = new Map<string, string>();
  /** What was new at a look, and when; it may change once more in the same step of the clock. */
  readonly #fresh = new Map<string, number>();
  /** In ms of the steady clock. */
  #lookedAt = 0;
  /** In ms of the calendar. */
  #mountedAt = 0;

  constructor(options: {
    readonly upper: string;
    readonly root: LayeredRoot;
    readonly userFolder: string;
    readonly roots: readonly RootPlaces[];
    readonly store: SnapshotStore;
  }) {
    this.#upper = options.upper;
    this.#root = options.root;
    this.#userFolder = options.userFolder;
    this.#roots = options.roots;
    this.#store = options.store;
  }

  mounted(): void {
    this.#mountedAt = Date.now();
  }

  async settle(signal: AbortSignal): Promise<void> {
    const left = this.#lookedAt + clockStepMs - performance.now();
    if (left > 0) {
      await raceAbort(delay(left), signal);
    }
  }

  /** Takes a path as it is now for known, with the folders that lead to it. */
  async remember(path: string, signal: AbortSignal): Promise<void> {
    for (let at = path; at !== ''; at = parentOf(at)) {
      // Not through links: what lies behind one has a path of its own.
      const stat = await inFolderBelow(this.#upper, parentOf(at), (held) =>
        statOnDisk(join(held, nameOf(at)), signal),
      );
      if (stat === undefined) {
        this.#known.delete(at);
      } else {
        this.#known.set(at, identityOf(stat));
      }
    }
    this.#lookedAt = performance.now();
  }

  async changes(
    merged: string,
    notices: ChangeNotices,
    signal: AbortSignal,
  ): Promise<readonly CommandChange[]> {
    const look: Look = { merged, notices, signal, changes: new Map(), seen: new Set() };
    await inFolder(this.#upper, (held) => this.#folder(look, held, ''));
    for (const path of [...this.#known.keys()].filter((known) => !look.seen.has(known))) {
      this.#known.delete(path);
      if (!look.changes.has(path) && !(await isThere(merged, path))) {
        look.changes.set(path, { path, entry: deleted });
      }
    }
    this.#lookedAt = performance.now();
    return [...look.changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async #folder(look: Look, held: string, folder: string): Promise<void> {
    look.signal.throwIfAborted();
    const entries = await readdir(held, { withFileTypes: true });
    await this.#goneFromMerged(look, folder, entries);
    for (const entry of entries) {
      const path = joinPath(folder, entry.name);
      if (!isGitPath(path)) {
        await this.#entry(look, held, path, entry);
      }
    }
  }

  async #entry(look: Look, held: string, path: string, entry: Dirent): Promise<void> {
    const place = `${held}/${entry.name}`;
    const stat = await statOnDisk(place, look.signal);
    if (stat === undefined) {
      return;
    }
    look.seen.add(path);
    const identity = identityOf(stat);
    const isSame = this.#known.get(path) === identity && !this.#fresh.has(path);
    this.#note(path, identity);
    if (stat.kind === 'directory') {
      await this.#directory(look, place, path, { mode: stat.mode, isSame });
    } else if (isSame) {
      return;
    } else if (stat.kind === 'other') {
      await this.#whiteoutOrOther(look, place, path);
    } else {
      await this.#goneBelow(look, path, false);
      await this.#content(look, place, path, stat.kind);
    }
    this.#known.set(path, identity);
  }

  /** Until a look that comes later than the step of the clock, a file that was new is read each time. */
  #note(path: string, identity: string): void {
    const now = performance.now();
    if (this.#known.get(path) !== identity) {
      this.#fresh.set(path, now);
    } else if (now - (this.#fresh.get(path) ?? 0) > clockStepMs) {
      this.#fresh.delete(path);
    }
  }

  async #directory(
    look: Look,
    place: string,
    path: string,
    { mode, isSame }: { readonly mode: number; readonly isSame: boolean },
  ): Promise<void> {
    const base = await this.#root.base.stat(path, look.signal);
    if (base !== undefined && base.kind !== 'directory') {
      // What stood here is gone; an entry for the folder itself says so only while nothing is in it.
      const names = await inFolder(place, (held) => readdir(held));
      const isEmpty = names?.length === 0;
      look.changes.set(path, { path, entry: isEmpty ? { kind: 'folder', mode } : deleted });
    } else if (base === undefined || !isSame) {
      // Told each time: it may have been full at the last look, and empty folders are what counts.
      look.changes.set(path, { path, entry: { kind: 'folder', mode } });
    }
    if (isTooLong(path)) {
      look.notices.tooDeep(path);
      this.#keepBelow(look, path);
      return;
    }
    const isOpen = await inFolder(place, async (inner) => {
      await this.#folder(look, inner, path);
      return true;
    }).catch((error: unknown) => {
      if (!hasCode(error, 'EACCES')) {
        throw error;
      }
    });
    if (isOpen !== true) {
      look.notices.unreadable(path);
      this.#keepBelow(look, path);
    }
  }

  /** What lies below a folder that cannot be looked into counts as unchanged. */
  #keepBelow(look: Look, folder: string): void {
    for (const path of this.#known.keys()) {
      if (path.startsWith(`${folder}/`)) {
        look.seen.add(path);
      }
    }
  }

  async #whiteoutOrOther(look: Look, place: string, path: string): Promise<void> {
    const stat = await lstat(place).catch(() => undefined);
    if (stat === undefined) {
      return;
    }
    await this.#goneBelow(look, path, true);
    if (!stat.isCharacterDevice() || stat.rdev !== 0) {
      look.notices.noRegularFile(path);
    }
  }

  async #content(look: Look, place: string, path: string, kind: 'file' | 'link'): Promise<void> {
    if (kind === 'link') {
      const written = await linkOnDisk(place);
      if (written !== undefined) {
        const target = toUserTarget(written, this.#roots);
        look.changes.set(path, { path, entry: { kind: 'link', target } });
      }
      return;
    }
    try {
      const file = await readFromDisk(place, look.signal);
      if (file !== undefined) {
        const sha256 = this.#store.putBytes(file.bytes);
        const entry = {
          ...({ kind: 'file', sha256 } as const),
          ...{ sizeBytes: file.bytes.length, mode: file.stat.mode },
        };
        look.changes.set(path, { path, entry });
      }
    } catch (error) {
      if (isMassGenError(error) && error.code === 'workspace/too-large') {
        look.notices.tooLarge(path);
      } else if (hasCode(error, 'EACCES')) {
        look.notices.unreadable(path);
      } else {
        throw error;
      }
    }
  }

  /**
   * A folder that was removed and made anew hides the base without a mark that can be read here; what is missing from the
   * merged listing tells. What the user made since the mount is missing there too, and is no deletion.
   */
  async #goneFromMerged(look: Look, folder: string, entries: readonly Dirent[]): Promise<void> {
    const base = await this.#baseEntries(look, folder);
    if (base.length === 0) {
      return;
    }
    const merged = await inFolderBelow(look.merged, folder, (held) => readdir(held));
    const present = new Set([...(merged ?? []), ...entries.map(({ name }) => name)]);
    for (const path of base.filter((each) => merged !== undefined && !present.has(nameOf(each)))) {
      const stat = await lstat(join(this.#userFolder, path)).catch(() => undefined);
      if (stat !== undefined && stat.ctimeMs < this.#mountedAt - clockStepMs) {
        await this.#goneBelow(look, path, true);
      }
    }
  }

  /** Marks what the base holds at and below a path as deleted. */
  async #goneBelow(look: Look, path: string, isGoneItself: boolean): Promise<void> {
    const open = [path];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at !== path || isGoneItself) {
        look.changes.set(at, { path: at, entry: deleted });
      }
      open.push(...(isTooLong(at) ? [] : await this.#baseEntries(look, at)));
    }
    const wasFolder = this.#known.get(path)?.startsWith(folderMark) === true;
    for (const known of wasFolder ? [...this.#known.keys()] : []) {
      if (known.startsWith(`${path}/`)) {
        this.#known.delete(known);
        look.changes.set(known, { path: known, entry: deleted });
      }
    }
  }

  /** Paths of what agents may see in a folder of the base. */
  async #baseEntries(look: Look, folder: string): Promise<readonly string[]> {
    const stat = folder === '' ? undefined : await this.#root.base.stat(folder, look.signal);
    if (folder !== '' && stat?.kind !== 'directory') {
      return [];
    }
    return (await this.#root.base.list(folder, look.signal))
      .filter(({ kind }) => kind !== 'other')
      .map(({ name, kind }) => ({ path: joinPath(folder, name), isFolder: kind === 'directory' }))
      .filter(({ path, isFolder }) => !this.#root.isHidden(path, isFolder) && !isGitPath(path))
      .map(({ path }) => path);
  }
}

function identityOf(stat: {
  readonly kind: string;
  readonly mode: number;
  readonly identity: string;
}): string {
  return stat.kind === 'directory' ? `${folderMark}${stat.mode}` : stat.identity;
}

async function isThere(merged: string, path: string): Promise<boolean> {
  const found = await inFolderBelow(merged, parentOf(path), (held) =>
    lstat(`${held}/${nameOf(path)}`).then(
      () => true,
      () => false,
    ),
  );
  return found ?? false;
}
