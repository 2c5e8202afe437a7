import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hasCode, isNotThere } from './disk-read';
import type { RuleSet } from './ignore-rules';
import { isIgnored, parseIgnoreRules } from './ignore-rules';
import { parentOf } from './upper-layer';

/**
 * Answers from the user's own ignore files (those above the root up to the repository's top, `info/exclude`, and nested
 * ones) which paths git leaves out. No git is run. Agents' edits of ignore files have no say.
 */
export class GitIgnore {
  readonly #folder: string;
  /** Path of the root inside the repository, with `/`; `''` when it is the top. */
  #inside = '';
  #outer: Promise<readonly RuleSet[]> | undefined;
  readonly #nested = new Map<string, Promise<RuleSet | undefined>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async isIgnored(path: string, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    this.#outer ??= this.#loadOuter();
    const sets = [...(await this.#outer)];
    for (const folder of foldersAbove(path)) {
      const set = await this.#load(folder);
      if (set !== undefined) {
        sets.push(set);
      }
    }
    const full = this.#inside === '' ? path : `${this.#inside}/${path}`;
    return isIgnored(sets, full, false);
  }

  async #loadOuter(): Promise<readonly RuleSet[]> {
    const top = await repositoryTop(this.#folder);
    if (top === undefined) {
      return [];
    }
    this.#inside = relative(top, this.#folder).split(sep).join('/');
    const sets = [await readRules(join(top, '.git', 'info', 'exclude'), '')];
    const parts = this.#inside === '' ? [] : this.#inside.split('/');
    for (let depth = 0; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/');
      sets.push(await readRules(join(top, folder, '.gitignore'), folder));
    }
    return sets.filter((set) => set !== undefined);
  }

  #load(folder: string): Promise<RuleSet | undefined> {
    let set = this.#nested.get(folder);
    if (set === undefined) {
      const full = [this.#inside, folder].filter((part) => part !== '').join('/');
      set = readRules(join(this.#folder, folder, '.gitignore'), full);
      this.#nested.set(folder, set);
    }
    return set;
  }
}

export async function readRules(file: string, folder: string): Promise<RuleSet | undefined> {
  try {
    if (!(await lstat(file)).isFile()) {
      return undefined;
    }
    return parseIgnoreRules(await readFile(file, 'utf8'), folder);
  } catch (error) {
    if (isNotThere(error) || hasCode(error, 'EACCES')) {
      return undefined;
    }
    throw error;
  }
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    folders.unshift(folder);
  }
  return ['', ...folders];
}

async function repositoryTop(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await lstat(join(at, '.git'));
      return at;
    } catch (error) {
      if (!isNotThere(error)) {
        throw error;
      }
    }
    if (dirname(at) === at) {
      return undefined;
    }
  }
}
