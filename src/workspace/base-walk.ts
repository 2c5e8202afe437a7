// What a folder of the user holds when a run begins. Reads names and sizes, never contents, and only beside other work: nothing waits for it
// but commands that must not see hidden files.
import { lstat } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, isNotThere, toDiskStat } from './disk-read';
import type { DiskStat } from './disk-read';
import type { HiddenRule } from './hidden-rule';
import { isGitPath } from './path-rules';
import { joinPath } from './upper-layer';

/** A path that agents may not see. What lies below a folder of these is not listed. */
export interface HiddenPath {
  readonly path: string;
  readonly isFolder: boolean;
}

export interface WalkOptions {
  readonly folder: string;
  /** Name of the only visible file; `undefined` for the whole folder. */
  readonly only: string | undefined;
  readonly isHidden: HiddenRule;
  /** No more paths than this are looked at. */
  readonly limit: number;
  /** Told about each visible file, link and folder. */
  readonly onEntry: (path: string, stat: DiskStat) => void;
}

export interface WalkResult {
  readonly hidden: readonly HiddenPath[];
  /** Pipes, sockets and devices. */
  readonly special: readonly string[];
  /** `false`: the folder holds more than the limit, and the rest was not looked at. */
  readonly isWhole: boolean;
}

/** Both together keep the file system busy and leave the process free: more in one go would be felt as a pause. */
const foldersAtOnce = 4;
const filesAtOnce = 16;

/** Links are not followed, and `.git` and hidden folders not entered. */
export async function walkBase(options: WalkOptions, signal: AbortSignal): Promise<WalkResult> {
  const walk = new Walk(options, signal);
  const workers = Array.from({ length: foldersAtOnce }, () => walk.work());
  await Promise.all(workers);
  return walk.result();
}

class Walk {
  readonly #options: WalkOptions;
  readonly #signal: AbortSignal;
  readonly #hidden: HiddenPath[] = [];
  readonly #special: string[] = [];
  readonly #folders = [''];
  #busy = 0;
  #left: number;
  readonly #waiting: (() => void)[] = [];

  constructor(options: WalkOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#left = options.limit;
  }

  result(): WalkResult {
    return { hidden: this.#hidden, special: this.#special, isWhole: this.#left >= 0 };
  }

  /** Takes one folder after the other until none is left and nobody else may find one. */
  async work(): Promise<void> {
    while (this.#folders.length > 0 || this.#busy > 0) {
      const folder = this.#folders.pop();
      if (folder === undefined) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      this.#busy += 1;
      try {
        await this.#visit(folder);
      } catch (error) {
        this.#folders.length = 0;
        throw error;
      } finally {
        this.#busy -= 1;
        this.#waiting.splice(0).forEach((wake) => wake());
      }
    }
  }

  async #visit(folder: string): Promise<void> {
    const { only } = this.#options;
    const names = only === undefined ? await namesIn(this.#place(folder)) : [only];
    for (let at = 0; at < names.length && this.#left >= 0; at += filesAtOnce) {
      this.#signal.throwIfAborted();
      const some = names.slice(at, at + filesAtOnce);
      await Promise.all(some.map((name) => this.#look(joinPath(folder, name))));
    }
  }

  async #look(path: string): Promise<void> {
    this.#left -= 1;
    const stat = this.#left < 0 || isGitPath(path) ? undefined : await peek(this.#place(path));
    if (stat === undefined) {
      return;
    }
    const isFolder = stat.kind === 'directory';
    if (this.#options.isHidden(path, isFolder)) {
      this.#hidden.push({ path, isFolder });
    } else if (stat.kind === 'other') {
      this.#special.push(path);
    } else {
      this.#options.onEntry(path, stat);
      if (isFolder) {
        this.#folders.push(path);
        this.#waiting.pop()?.();
      }
    }
  }

  #place(path: string): string {
    return path === '' ? this.#options.folder : join(this.#options.folder, path);
  }
}

/** A folder that may not be read or has gone holds nothing. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isNotThere(error) || hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) {
      return [];
    }
    throw error;
  }
}

/** With a callback, which costs a third less than a promise of the file system, a hundred thousand times. */
function peek(path: string): Promise<DiskStat | undefined> {
  return new Promise((resolve, reject) => {
    lstat(path, { bigint: true }, (error, stat) => {
      if (error === null) {
        resolve(toDiskStat(stat));
      } else if (isNotThere(error) || hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) {
        resolve(undefined);
      } else {
        reject(error);
      }
    });
  });
}
