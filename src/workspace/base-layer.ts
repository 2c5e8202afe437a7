import type { DirectoryEntry, FileStat } from '../core/ports/workspace';
import type { HiddenPath } from './base-walk';
import type { BaseContent } from './content';

/** What commands must not see of a root. */
export interface HiddenPaths {
  readonly paths: readonly HiddenPath[];
  /** `false`: the folder is larger than is looked through, so others may be hidden too. */
  readonly isWhole: boolean;
}

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
  /** Where a file lies whose content is what the disk has now, whatever was read before; absent: nobody can say. */
  onDisk?(path: string): string | undefined;
  /** Keeps the content a path had before the agents' first change; later calls answer the same. */
  capture(path: string, signal: AbortSignal): Promise<BaseContent>;
  /** Whether the user's file is no longer what was captured. */
  hasMoved(path: string, signal: AbortSignal): Promise<boolean>;
  /** Remembers what a command's copy was made from. */
  note(path: string, identity: string): void;
  /**
   * Takes over what a stored snapshot says about a path, so that a run that goes on in another process keeps its base. What
   * was captured before stays.
   */
  adopt(path: string, base: BaseContent): void;
  /** The hidden paths as they were when the run began; waits until the folder has been looked through. */
  hiddenPaths(signal: AbortSignal): Promise<HiddenPaths>;
  /** Bytes that stand for what is on the disk, by path: text of unsaved editors, and of files saved during the run. */
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
  adopt: () => undefined,
  hiddenPaths: async () => ({ paths: [], isWhole: true }),
};
