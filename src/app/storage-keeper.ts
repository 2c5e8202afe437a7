import { randomBytes } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { RunId } from '../base/ids';
import { isMassGenError } from '../core/errors';
import type { RunState } from '../run/state';
import { bytesBelow, changedAt } from '../storage/bytes-below';
import {
  foldersIn,
  forsakenFolders,
  isAtWork,
  markedFolders,
  runsIn,
  whileLocked,
} from '../storage/own-folders';
import { runFolder } from '../storage/run-folder';
import { removeFolder } from '../workspace/remove-folder';
import { triedFolders, triedMark } from '../workspace/tried/write-tree';
import type { Retention, StorageUse, StoredItem } from './app-contract';
import type { Services } from './services';

type Kept = Pick<Services, 'storageDir' | 'store' | 'artifacts' | 'clock' | 'logger'>;

/** Where folders wait for their removal; whatever is in it has been given up. */
const removing = 'removing';

interface Found extends StoredItem {
  /** Folders that go with it, most important first. */
  readonly paths: readonly string[];
}

const dayMs = 86_400_000;

/**
 * What the product keeps on the disk, and its removal: only folders that carry its own mark, never a run that is at work
 * or under review. A folder is renamed before it is removed, so that none is ever seen half removed.
 */
export class StorageKeeper {
  readonly #parts: Kept;
  /** Lets go of a run before it is removed; answers `false` when it is at work here. */
  readonly #release: (runId: RunId) => Promise<boolean>;

  constructor(parts: Kept, release: (runId: RunId) => Promise<boolean>) {
    this.#parts = parts;
    this.#release = release;
  }

  async use(signal: AbortSignal): Promise<StorageUse> {
    const found = await this.#find(signal);
    const items = found.map(({ paths: _paths, ...item }) => item);
    const bytes = await bytesBelow(this.#parts.storageDir, signal);
    return {
      folder: this.#parts.storageDir,
      bytes,
      items: items.toSorted((a, b) => b.bytes - a.bytes),
    };
  }

  /** Answers the bytes that were freed. */
  async cleanUp(ids: readonly string[], signal: AbortSignal): Promise<number> {
    const wanted = new Set(ids);
    const found = await this.#find(signal);
    return this.#removeAll(
      found.filter(({ id }) => wanted.has(id)),
      signal,
    );
  }

  /** Removes what was left behind, and the oldest beyond the limits. */
  async retain({ runs, days, bytes }: Retention, signal: AbortSignal): Promise<number> {
    const found = (await this.#find(signal)).toSorted((a, b) => b.changedAt - a.changedAt);
    const oldest = days === null ? 0 : this.#parts.clock.now() - days * dayMs;
    let [count, sum] = [0, 0];
    const beyond = found.filter((item) => {
      count += item.kind === 'run' ? 1 : 0;
      sum += item.bytes;
      const isTooMuch =
        (item.kind === 'run' && runs !== null && count > runs) || (bytes !== null && sum > bytes);
      return item.kind === 'leftover' || item.changedAt < oldest || isTooMuch;
    });
    return this.#removeAll(beyond, signal);
  }

  /** What a process that was killed has left behind. */
  async removeLeftovers(signal: AbortSignal): Promise<void> {
    await this.#removeAll(await this.#leftovers(signal), signal);
  }

  async #find(signal: AbortSignal): Promise<readonly Found[]> {
    const found: Found[] = [];
    for (const runId of runsIn(this.#parts.storageDir)) {
      found.push(await this.#run(runId, signal));
    }
    const tried = join(this.#parts.storageDir, triedFolders);
    for (const name of markedFolders(tried, triedMark)) {
      const path = join(tried, name);
      const title = foldersIn(path).join(', ') || name;
      found.push(await this.#item({ id: `tried:${name}`, kind: 'tried', title }, [path], signal));
    }
    return [...found, ...(await this.#leftovers(signal))];
  }

  async #leftovers(signal: AbortSignal): Promise<readonly Found[]> {
    const { storageDir, clock } = this.#parts;
    const given = join(storageDir, removing);
    const paths = [
      ...runsIn(storageDir).flatMap((runId) => forsakenFolders(storageDir, runId, clock)),
      ...foldersIn(given).map((name) => join(given, name)),
    ];
    const found: Found[] = [];
    for (const path of paths) {
      const title = relative(storageDir, path).split(sep).join('/');
      const id = `leftover:${title}`;
      found.push(await this.#item({ id, kind: 'leftover', title }, [path], signal));
    }
    return found;
  }

  async #run(runId: RunId, signal: AbortSignal): Promise<Found> {
    const { storageDir, store, artifacts, clock } = this.#parts;
    const { dir, log } = runFolder(storageDir, runId);
    const state = await store.open(runId).then(
      (stored) => stored.state,
      () => undefined,
    );
    const readable = state === undefined ? undefined : artifacts.dirOf(state);
    const isOurs = readable !== undefined && isInside(storageDir, readable);
    const keptBecause = isAtWork(storageDir, runId, clock)
      ? 'It is at work, or open in another window.'
      : reviewOf(state);
    return {
      ...(await this.#item(
        { id: `run:${runId}`, kind: 'run', title: state?.task ?? runId },
        [dir, ...(isOurs ? [readable] : [])],
        signal,
      )),
      changedAt: await changedAt(log),
      ...(keptBecause === undefined ? {} : { keptBecause }),
    };
  }

  async #item(
    item: Pick<StoredItem, 'id' | 'kind' | 'title'>,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<Found> {
    let bytes = 0;
    for (const path of paths) {
      bytes += await bytesBelow(path, signal);
    }
    return { ...item, bytes, changedAt: await changedAt(paths[0] ?? ''), paths };
  }

  async #removeAll(found: readonly Found[], signal: AbortSignal): Promise<number> {
    let freed = 0;
    for (const item of found) {
      signal.throwIfAborted();
      if (item.keptBecause === undefined && (await this.#remove(item))) {
        freed += item.bytes;
      }
    }
    return freed;
  }

  /** Answers whether it is gone. What is opened meanwhile, or cannot be removed, stays. */
  async #remove(item: Found): Promise<boolean> {
    const { storageDir, clock, logger } = this.#parts;
    try {
      if (item.kind !== 'run') {
        await this.#discard(item.paths);
        return true;
      }
      const runId = item.id.slice('run:'.length);
      if (!(await this.#release(runId))) {
        return false;
      }
      const aside = await whileLocked({ storageDir, runId, clock }, async () =>
        this.#isDecided(runId).then((isDecided) => (isDecided ? this.#aside(item.paths) : [])),
      );
      await Promise.all(aside.map(removeFolder));
      return aside.length > 0;
    } catch (error) {
      const level = isMassGenError(error, 'storage/locked') ? 'info' : 'warn';
      logger[level]('storage', `${item.title} was not removed: ${String(error)}`);
      return false;
    }
  }

  /** Somebody may have gone on with the run since it was looked at. */
  async #isDecided(runId: RunId): Promise<boolean> {
    const stored = await this.#parts.store.open(runId).catch(() => undefined);
    return reviewOf(stored?.state) === undefined;
  }

  async #discard(paths: readonly string[]): Promise<void> {
    await Promise.all((await this.#aside(paths)).map(removeFolder));
  }

  async #aside(paths: readonly string[]): Promise<readonly string[]> {
    const dir = join(this.#parts.storageDir, removing);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const moved: string[] = [];
    for (const path of paths) {
      if (dirname(path) === dir) {
        moved.push(path);
        continue;
      }
      const target = join(dir, randomBytes(8).toString('hex'));
      try {
        await rename(path, target);
        moved.push(target);
      } catch (error) {
        // The readable files may never have been written, or were removed by hand.
        if (path === paths[0]) {
          throw error;
        }
      }
    }
    return moved;
  }
}

function reviewOf(state: RunState | undefined): string | undefined {
  const isOpen = state?.review?.files.some(
    ({ decision }) => decision === 'pending' || decision === 'conflict',
  );
  return isOpen === true ? 'Its proposal has files that you have not decided about.' : undefined;
}

function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== '' && !inner.startsWith('..') && !inner.startsWith(sep);
}
