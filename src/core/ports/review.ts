import type { Label, RunId, SnapshotId } from '../../base/ids';
import type { FileDecided } from '../../run/events';
import type { ContextRootInfo, FileChange } from '../../run/facts';

/** Present content of one of the user's files, from the open editor when there is one, else from disk. */
export interface LiveFile {
  readonly kind: 'file' | 'link' | 'other';
  /** For a link: the target text in UTF-8. */
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly isOpen: boolean;
  readonly isDirty: boolean;
  /** Changes whenever the content may have changed; compared just before a write. */
  readonly token: string;
}

/**
 * The user's files as a review reads and writes them. In the editor open documents go through the editor's own edits, so
 * that they can be undone there; closed files are written as bytes (temporary file beside it, then rename). All paths
 * are absolute and have been checked by the review to lie inside a context root.
 */
export interface LiveFiles {
  /** `undefined` when nothing is there. */
  read(path: string, signal: AbortSignal): Promise<LiveFile | undefined>;
  /**
   * Creates parent folders. Writes only while `expected` still holds (`undefined`: nothing is there); else answers
   * `changed` and leaves all as it is. With kind `link` a symbolic link is made whose target is the text in `bytes`.
   */
  write(
    path: string,
    content: { readonly bytes: Uint8Array; readonly mode: number; readonly kind?: 'file' | 'link' },
    expected: string | undefined,
    signal: AbortSignal,
  ): Promise<'written' | 'changed'>;
  /** Removes the file, then parent folders listed in `emptyFolders` that have become empty. */
  remove(
    path: string,
    expected: string,
    emptyFolders: readonly string[],
    signal: AbortSignal,
  ): Promise<'removed' | 'changed'>;
}

export interface ReviewTarget {
  readonly root: string;
  readonly path: string;
}

/** What happened to one file of an accept, reject or undo. */
export interface ReviewResult extends ReviewTarget {
  readonly outcome: 'done' | 'conflict' | 'skipped' | 'failed';
  /** One sentence for people; empty when done. */
  readonly detail: string;
}

/** Three versions of one file for a diff; `undefined` where the file does not exist in that version. */
export interface FileVersions {
  readonly base: Uint8Array | undefined;
  readonly proposed: Uint8Array | undefined;
  readonly live: Uint8Array | undefined;
  /** The proposal carried over to the live content: what Accept would leave behind. `undefined` on conflict. */
  readonly merged: Uint8Array | undefined;
  /** With conflict markers, for the conflict view; `undefined` when there is no conflict or the file is binary. */
  readonly mergedWithMarkers: string | undefined;
  readonly isConflict: boolean;
}

export interface ReviewSubject {
  readonly runId: RunId;
  readonly label: Label;
  readonly snapshotId: SnapshotId;
  readonly contextRoots: readonly ContextRootInfo[];
  readonly files: readonly FileChange[];
}

/**
 * The review of one stored snapshot. Only accept and undo write, one file at a time, each write preceded by a journal
 * record with its inverse, so that a crash leaves old or new bytes and Undo works after a reload.
 */
export interface ReviewSession {
  readonly subject: ReviewSubject;
  versions(target: ReviewTarget, signal: AbortSignal): Promise<FileVersions>;
  /** Without `targets`: every pending file without caution. Always answers for each file asked for. */
  accept(
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]>;
  reject(targets: readonly ReviewTarget[] | undefined): Promise<readonly ReviewResult[]>;
  /**
   * Settles a conflict with the bytes the user chose (`undefined`: no file). Written like an accepted file, journal and
   * Undo included; a file that changed after `versions` was asked is left alone and answers `conflict` again.
   */
  resolve(
    target: ReviewTarget,
    chosen: Uint8Array | undefined,
    signal: AbortSignal,
  ): Promise<ReviewResult>;
  /**
   * Takes accepted files back by the same three-way rule; later edits of the user survive. A rejected file that is named
   * becomes undecided again. Without targets: all accepted ones.
   */
  undo(
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]>;
}

/** Receives each decision as an event for the run's log, before the call that made it returns. */
export type DecisionSink = (event: FileDecided) => void;
