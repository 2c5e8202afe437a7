import { createHash } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseLayer } from '../base-layer';
import { withoutCredentials, withoutOutsidePaths } from '../command/git-folder';
import { readFromDisk } from '../disk-read';
import type { HiddenRule } from '../hidden-rule';
import { parentOf } from '../upper-layer';
import { marksOf } from './base-marks';
import type { MountHolder } from './mount-holder';
import { shellWord } from './shell-word';

/**
 * The folder that lies over a folder of the user and under what an agent changes: whiteouts for what is hidden, the text
 * of unsaved editors, and repositories' config without credentials. Changed only while nothing is mounted on it.
 */
export class TopLayer {
  readonly folder: string;
  readonly base: BaseLayer;
  readonly #isHidden: HiddenRule;
  readonly #made = new Map<string, string>();

  constructor(options: {
    readonly folder: string;
    readonly base: BaseLayer;
    readonly isHidden: HiddenRule;
  }) {
    this.folder = options.folder;
    this.base = options.base;
    this.#isHidden = options.isHidden;
  }

  /** Brings the folder in line with the base; the holder makes the whiteouts. */
  async refresh(holder: MountHolder, signal: AbortSignal): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o755 });
    const wanted = await this.#wanted(signal);
    for (const [path, version] of this.#made) {
      if (wanted.get(path)?.version !== version) {
        await rm(join(this.folder, path), { recursive: true, force: true });
        this.#made.delete(path);
      }
    }
    const whiteouts: string[] = [];
    for (const [path, { version, bytes, mode }] of wanted) {
      if (this.#made.has(path)) {
        continue;
      }
      await this.#makeParents(path, signal);
      const place = join(this.folder, path);
      if (bytes === undefined) {
        whiteouts.push(`mknod ${shellWord(place)} c 0 0`);
      } else {
        await writeFile(place, bytes, { mode: 0o600 });
        await chmod(place, mode);
      }
      this.#made.set(path, version);
    }
    if (whiteouts.length > 0) {
      await holder.run(whiteouts.join(' && '), signal);
    }
  }

  async #wanted(signal: AbortSignal): Promise<ReadonlyMap<string, Wanted>> {
    const wanted = new Map<string, Wanted>();
    const { hidden, gitConfigs } = await marksOf(this.base, this.#isHidden, signal);
    for (const path of hidden) {
      wanted.set(path, { version: 'hidden', bytes: undefined, mode: 0 });
    }
    const isCovered = (path: string): boolean => {
      for (let above = path; above !== ''; above = parentOf(above)) {
        if (wanted.get(above)?.version === 'hidden') {
          return true;
        }
      }
      return false;
    };
    for (const path of gitConfigs) {
      const file = await readFromDisk(join(this.base.folder ?? '', path), signal);
      const text = Buffer.from(file?.bytes ?? []).toString('latin1');
      const safe = withoutCredentials(withoutOutsidePaths(text));
      wanted.set(path, contentOf(Buffer.from(safe, 'latin1'), file?.stat.mode ?? 0o644));
    }
    for (const [path, bytes] of this.base.pins) {
      if (!isCovered(path)) {
        const stat = await this.base.stat(path, signal);
        wanted.set(path, contentOf(bytes, stat?.mode ?? 0o644));
      }
    }
    return wanted;
  }

  /** A folder here decides the mode of the merged one. */
  async #makeParents(path: string, signal: AbortSignal): Promise<void> {
    const parent = parentOf(path);
    if (parent === '') {
      return;
    }
    await this.#makeParents(parent, signal);
    const place = join(this.folder, parent);
    await mkdir(place, { recursive: true });
    await chmod(place, ((await this.base.stat(parent, signal))?.mode ?? 0o755) | 0o700);
  }
}

interface Wanted {
  readonly version: string;
  /** `undefined` for a whiteout. */
  readonly bytes: Uint8Array | undefined;
  readonly mode: number;
}

function contentOf(bytes: Uint8Array, mode: number): Wanted {
  return { version: `${mode}:${createHash('sha256').update(bytes).digest('hex')}`, bytes, mode };
}
