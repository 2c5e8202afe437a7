// The real folder that commands of one agent work in: a copy of its layered root, made at its first command.
import { constants } from 'node:fs';
import { chmod, copyFile, lstat, lutimes, mkdir, readFile, readdir } from 'node:fs/promises';
import { readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { raceAbort } from '../../base/abort';
import { MassGenError } from '../../core/errors';
import { inFolder, inFolderBelow } from '../confinement/anchored-files';
import type { UpperEntry } from '../content';
import { deleted } from '../content';
import type { DiskStat } from '../disk-read';
import { hasCode, isNotThere, linkOnDisk, readFromDisk, statOnDisk } from '../disk-read';
import type { LayeredRoot } from '../layered-root';
import type { RootPlaces } from '../link-targets';
import { toShownTarget, toUserTarget } from '../link-targets';
import { isTooLong } from '../path-guard';
import { isGitPath } from '../path-rules';
import type { SnapshotStore } from '../snapshot-store';
import { joinPath, nameOf, parentOf } from '../upper-layer';
import { eachOf } from './each-of';
import type { ChangeNotices, CommandChange, CommandView } from './command-view';
import { placePath } from './place-path';
import { isGitConfig, isLeftOutOfGit, withoutCredentials, withoutOutsidePaths } from './git-folder';

export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
}

interface Look {
  readonly found: { readonly path: string; readonly stat: DiskStat }[];
  /** Folders that could not be looked into; what lies below them counts as unchanged. */
  readonly closed: string[];
  /** The same for those that lie too deep. */
  readonly deep: string[];
}

const folderMark = 'folder:';

/** Longer than the step of a file system's clock: a change after this time bears another time than one before. */
const clockStepMs = 20;

export class CommandCopy implements CommandView {
  readonly folder: string;
  readonly root: LayeredRoot;
  readonly #roots: readonly RootPlaces[];
  readonly #store: SnapshotStore;
  readonly #known = new Map<string, string>();
  /** Folders in the place of a file or link of the base. */
  readonly #replaced = new Set<string>();
  #isMade = false;
  /** When the known identities were taken, in ms of the steady clock. */
  #lookedAt = 0;

  constructor(options: {
    readonly root: LayeredRoot;
    readonly folder: string;
    readonly roots: readonly RootPlaces[];
    readonly store: SnapshotStore;
  }) {
    this.root = options.root;
    this.folder = options.folder;
    this.#roots = options.roots;
    this.#store = options.store;
  }

  get isMade(): boolean {
    return this.#isMade;
  }

  /** Makes the copy unless it exists. Throws `workspace/too-large`; nothing is left behind then. */
  async make(limits: CopyLimits, signal: AbortSignal): Promise<void> {
    if (this.#isMade) {
      return;
    }
    try {
      await this.#copyBase(limits, signal);
      for (const path of new Set([...this.root.base.pins.keys(), ...this.root.changedPaths()])) {
        await this.#place(path, signal);
      }
      for (const { path, stat } of (await this.#walk(signal)).found) {
        this.#remember(path, stat);
      }
      this.#isMade = true;
    } catch (error) {
      await rm(this.folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Resolves when whatever changes from now on can be told from what is known. */
  async settle(signal: AbortSignal): Promise<void> {
    const left = this.#lookedAt + clockStepMs - performance.now();
    if (left > 0) {
      await raceAbort(delay(left), signal);
    }
  }

  /** Brings one path of the copy in line with the layers, after a file tool or a restore changed them. */
  async follow(path: string, signal: AbortSignal): Promise<void> {
    if (!this.#isMade) {
      return;
    }
    await this.#place(path, signal);
    const stat = await statOnDisk(join(this.folder, path), signal);
    if (stat === undefined) {
      this.#known.delete(path);
    } else if (stat.kind === 'directory') {
      // What it stands for is found out at the next look.
      this.#known.set(path, folderMark);
    } else {
      this.#remember(path, stat);
    }
    await this.#followFoldersAbove(path, signal);
  }

  /** They may have come, or gone, with what is in them. */
  async #followFoldersAbove(path: string, signal: AbortSignal): Promise<void> {
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
      const stat = await statOnDisk(join(this.folder, above), signal);
      if (stat === undefined) {
        this.#known.delete(above);
      } else if (stat.kind === 'directory' && !this.#known.has(above)) {
        this.#known.set(above, folderMark);
      }
    }
  }

  /** What is different from the last look, in path order. Below `.git` nothing is looked at. */
  async changesSinceLastLook(
    notices: ChangeNotices,
    signal: AbortSignal,
  ): Promise<readonly CommandChange[]> {
    const { found, closed, deep } = await this.#walk(signal);
    const changes: CommandChange[] = [];
    closed.forEach((path) => notices.unreadable(path));
    deep.forEach((path) => notices.tooDeep(path));
    const unknown = [...closed, ...deep];
    const full = new Set([...found.map(({ path }) => parentOf(path)), ...unknown]);
    await eachOf(found, signal, async ({ path, stat }) => {
      const known = this.#known.get(path);
      const isFolder = stat.kind === 'directory';
      const isSame = known === identityOf(stat);
      if (isFolder) {
        const isFull = full.has(path);
        const isOfBase = await this.#noteReplaced(path, isSame && isFull, signal);
        const isReplaced = this.#replaced.has(path);
        // Told each time: a folder may have been full at the last look, and empty ones are what counts.
        if (!isSame || !(isFull || isOfBase) || isReplaced) {
          const entry = { kind: 'folder', mode: stat.mode } as const;
          changes.push({ path, entry: isFull && isReplaced ? deleted : entry });
        }
      }
      if (!isFolder && !isSame) {
        const entry = await this.#entryOf(path, stat, notices, signal);
        changes.push(...(entry === undefined ? [] : [{ path, entry }]));
      }
      this.#remember(path, stat);
    });
    const present = new Set(found.map(({ path }) => path));
    const isUnknown = (path: string): boolean =>
      unknown.some((each) => path.startsWith(`${each}/`));
    for (const path of [...this.#known.keys()].filter((known) => !present.has(known))) {
      if (isUnknown(path)) {
        continue;
      }
      this.#known.delete(path);
      this.#replaced.delete(path);
      changes.push({ path, entry: deleted });
    }
    return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * What took the place of a file must say that the file is gone, when what is in the folder says that the folder is there.
   * Answers whether a folder that is not known was there from the start.
   */
  async #noteReplaced(path: string, isKnown: boolean, signal: AbortSignal): Promise<boolean> {
    if (isKnown) {
      return false;
    }
    const base = await this.root.base.stat(path, signal);
    if (base !== undefined && base.kind !== 'directory') {
      this.#replaced.add(path);
    } else {
      this.#replaced.delete(path);
    }
    return base?.kind === 'directory';
  }

  async #copyBase(limits: CopyLimits, signal: AbortSignal): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const from = this.root.base.folder;
    if (from === undefined) {
      return;
    }
    let bytes = 0;
    const found = await this.#listBase('', limits.files, signal);
    await eachOf(found, signal, async (path) => {
      const stat = await statOnDisk(join(from, path), signal);
      bytes += stat?.kind === 'file' ? stat.sizeBytes : 0;
      if (bytes > limits.bytes) {
        throw tooLarge(`more than ${Math.round(limits.bytes / 1e6)} MB`);
      }
      if (stat !== undefined) {
        await this.#copyOne(from, path, stat);
      }
    });
  }

  /** Paths of files and links to copy; folders are made on the way. */
  async #listBase(folder: string, limit: number, signal: AbortSignal): Promise<string[]> {
    const paths: string[] = [];
    const open = [folder];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const { name, kind } of await this.root.base.list(at, signal)) {
        const path = joinPath(at, name);
        if (this.root.isHidden(path, kind === 'directory') || isLeftOutOfGit(path, kind)) {
          continue;
        }
        if (kind === 'directory') {
          const mode = (await this.root.base.stat(path, signal))?.mode ?? 0o755;
          const place = join(this.folder, path);
          await mkdir(place, { recursive: true });
          // Files are about to come into it.
          await chmod(place, mode | 0o700);
          open.push(path);
        } else if (kind !== 'other') {
          paths.push(path);
        }
      }
      if (paths.length > limit) {
        throw tooLarge(`more than ${limit} files`);
      }
    }
    return paths;
  }

  async #copyOne(from: string, path: string, stat: DiskStat): Promise<void> {
    const source = join(from, path);
    const target = join(this.folder, path);
    if (stat.kind === 'link') {
      const shown = toShownTarget(path, await readlink(source), this.#roots);
      if (shown !== undefined) {
        await symlink(shown, target);
      }
      return;
    }
    if (isGitConfig(path)) {
      const safe = withoutCredentials(withoutOutsidePaths(await readFile(source, 'latin1')));
      await writeFile(target, safe, 'latin1');
      return;
    }
    try {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (isNotThere(error) || hasCode(error, 'EACCES')) {
        return;
      }
      throw error;
    }
    await chmod(target, stat.mode);
    // Build tools compare times; a copy that is new as a whole would be rebuilt as a whole.
    const { atime, mtime } = await lstat(source);
    await lutimes(target, atime, mtime);
    this.root.base.note(path, stat.identity);
  }

  async #place(path: string, signal: AbortSignal): Promise<void> {
    const { root, folder: top } = this;
    // A link that leads out was made by the agent itself; without a place to point to it stays away.
    await placePath({ root, top, places: this.#roots, keepsOutward: false }, path, signal);
  }

  /** Commands may still work in here: no folder is entered through a link that they put in its place meanwhile. */
  async #walk(signal: AbortSignal): Promise<Look> {
    const look = { found: [], closed: [], deep: [] };
    await inFolder(this.folder, (held) => this.#walkFolder(held, '', look, signal));
    return look;
  }

  async #walkFolder(held: string, folder: string, look: Look, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const entries = await readdir(held, { withFileTypes: true });
    const folders: string[] = [];
    await eachOf(entries, signal, async (entry) => {
      const path = joinPath(folder, entry.name);
      const stat = isGitPath(path) ? undefined : await statOnDisk(`${held}/${entry.name}`, signal);
      if (stat === undefined || stat.kind === 'other') {
        return;
      }
      look.found.push({ path, stat });
      if (stat.kind === 'directory') {
        folders.push(entry.name);
      }
    });
    for (const name of folders) {
      const path = joinPath(folder, name);
      if (isTooLong(path)) {
        look.deep.push(path);
        continue;
      }
      const isOpen = await inFolder(`${held}/${name}`, async (inner) => {
        await this.#walkFolder(inner, path, look, signal);
        return true;
      });
      if (isOpen !== true) {
        look.closed.push(path);
      }
    }
  }

  async #entryOf(
    path: string,
    stat: DiskStat,
    notices: ChangeNotices,
    signal: AbortSignal,
  ): Promise<UpperEntry | undefined> {
    return inFolderBelow(this.folder, parentOf(path), async (held) => {
      const place = `${held}/${nameOf(path)}`;
      if (stat.kind === 'link') {
        const target = await linkOnDisk(place);
        return target === undefined
          ? undefined
          : { kind: 'link', target: toUserTarget(target, this.#roots) };
      }
      try {
        const file = await readFromDisk(place, signal);
        if (file === undefined) {
          return undefined;
        }
        const sha256 = this.#store.putBytes(file.bytes);
        return { kind: 'file', sha256, sizeBytes: file.bytes.length, mode: file.stat.mode };
      } catch (error) {
        if (error instanceof MassGenError && error.code === 'workspace/too-large') {
          notices.tooLarge(path);
          return undefined;
        }
        if (hasCode(error, 'EACCES')) {
          notices.unreadable(path);
          return undefined;
        }
        throw error;
      }
    });
  }

  #remember(path: string, stat: DiskStat): void {
    this.#known.set(path, identityOf(stat));
    this.#lookedAt = performance.now();
  }
}

function identityOf(stat: DiskStat): string {
  return stat.kind === 'directory' ? `${folderMark}${stat.mode}` : stat.identity;
}

function tooLarge(what: string): MassGenError {
  return new MassGenError(
    'workspace/too-large',
    `Commands are not possible here: the folder holds ${what} to copy.`,
    { hint: 'Give the task a smaller folder, or go on without commands.' },
  );
}
