import type { UpperEntry } from '../content';
import type { LayeredRoot } from '../layered-root';

/** What a command changed; bytes are in the store. */
export interface CommandChange {
  readonly path: string;
  readonly entry: UpperEntry;
}

/** Tells what could not be taken over; `path` is relative to the root. */
export interface ChangeNotices {
  tooLarge(path: string): void;
  unreadable(path: string): void;
  tooDeep(path: string): void;
  noRegularFile(path: string): void;
}

/** One root as commands of one agent see it on the disk. */
export interface CommandView {
  readonly root: LayeredRoot;
  /** Absolute path under which commands see it. */
  readonly folder: string;
  /** Resolves when whatever changes from now on can be told from what is known. */
  settle(signal: AbortSignal): Promise<void>;
  /** Brings one path in line with the layers, after a file tool or a restore changed them. */
  follow(path: string, signal: AbortSignal): Promise<void>;
  /** What is different from the last look, in path order. Below `.git` nothing is looked at. */
  changesSinceLastLook(
    notices: ChangeNotices,
    signal: AbortSignal,
  ): Promise<readonly CommandChange[]>;
}
