import type { Label, RunId, SnapshotId } from '../../base/ids';
import type { FileDecided, MixPicked } from '../../run/events';
import type { ContextRootInfo, FileChange, HunkInfo, PickedPart } from '../../run/facts';
import type { ReviewDecision, ReviewFile } from '../../run/state';

/** Present content of one of the user's files, from the open editor when there is one, else from disk. */
export interface LiveFile {
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  /** For a link: the target text in UTF-8. */
  readonly bytes: Uint8Array;
  readonly mode: number;
  /** For a folder: nothing is in it. */
  readonly isEmpty?: boolean;
  /** How many names the file has on the disk, where that is more than one. */
  readonly names?: number;
  /** Equal for two paths that lead to one and the same file; absent where that is not known. */
  readonly identity?: string;
  readonly isOpen: boolean;
  readonly isDirty: boolean;
  /** Changes whenever the content may have changed; compared just before a write. */
  readonly token: string;
}

/** A folder that writes must stay in: as it is spelled in paths, and with links resolved. */
export interface FolderBounds {
  readonly path: string;
  readonly real: string;
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
   * `changed` and leaves all as it is. With kind `link` a symbolic link is made whose target is the text in `bytes`; with
   * kind `folder` an empty folder.
   */
  write(
    path: string,
    content: {
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly kind?: 'file' | 'link' | 'folder';
    },
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
  /** Gives a file another spelling of its own name, where the system takes both for one. Absent: not possible here. */
  rename?(
    from: string,
    to: string,
    expected: string,
    signal: AbortSignal,
  ): Promise<'written' | 'changed'>;
  /** Removes what writes of processes that are gone left beside this path. Absent: nothing is ever left. */
  sweep?(path: string, signal: AbortSignal): Promise<void>;
  /**
   * The same files, where each write makes sure that it ends inside the folder even when somebody puts a link into the way
   * meanwhile; it throws `workspace/path-escape` then. Absent: paths are taken at their word.
   */
  within?(bounds: FolderBounds): LiveFiles;
}

/** A file of the review, or one part of it. */
export interface ReviewTarget {
  readonly root: string;
  readonly path: string;
  /** Id of the part; absent: the whole file. */
  readonly hunk?: string;
}

/** What happened to one file or part of an accept, reject or undo. */
export interface ReviewResult extends ReviewTarget {
  readonly outcome: 'done' | 'conflict' | 'skipped' | 'failed';
  /** A sentence or two for people; when done mostly empty, else what to know, e.g. that a file has several names. */
  readonly detail: string;
}

/** One part of a file as the diff of the live file against `merged` shows it. */
export interface ShownHunk {
  readonly info: HunkInfo;
  readonly from: Label;
  readonly decision: ReviewDecision;
  /** Lines it takes in the live text and in `merged`, from 0, end exclusive; `null` when it cannot be placed (conflict). */
  readonly live: { readonly start: number; readonly end: number } | null;
  readonly merged: { readonly start: number; readonly end: number } | null;
}

/** Versions of one file for a diff; `undefined` where the file does not exist in that version. */
export interface FileVersions {
  readonly base: Uint8Array | undefined;
  readonly proposed: Uint8Array | undefined;
  readonly live: Uint8Array | undefined;
  /** The parts that are not rejected, carried over to the live content: what Accept would leave behind. `undefined` on conflict. */
  readonly merged: Uint8Array | undefined;
  /**
   * With conflict markers, for the conflict view; `undefined` when there is no conflict or the file is binary. Asked for
   * one part, it holds no other part that is not accepted.
   */
  readonly mergedWithMarkers: string | undefined;
  /** Of the file, or of the one part that was asked for. */
  readonly isConflict: boolean;
  /** In the order of the file; empty when only the whole file can be decided. */
  readonly hunks: readonly ShownHunk[];
}

/** An answer whose files can be looked at and taken over in parts. */
export interface ReviewCandidate {
  readonly label: Label;
  readonly snapshotId: SnapshotId;
  readonly files: readonly FileChange[];
}

export interface ReviewSubject {
  readonly runId: RunId;
  readonly label: Label;
  readonly snapshotId: SnapshotId;
  readonly contextRoots: readonly ContextRootInfo[];
  /** As the run's state has them: with decisions, and with parts of other answers where the user took some. */
  readonly files: readonly ReviewFile[];
  /** All answers with files, the reviewed one included. */
  readonly candidates: readonly ReviewCandidate[];
}

/** What another answer has in the place of a file or part. */
export interface Alternative {
  readonly label: Label;
  readonly change: FileChange;
  /** Parts that touch the same lines of the base; empty where the whole file would be taken. */
  readonly hunks: readonly HunkInfo[];
  /** Its bytes are the same as those that are proposed now. */
  readonly isSame: boolean;
}

export type PickResult =
  | { readonly kind: 'picked' }
  /** Parts overlap; nothing was changed. */
  | {
      readonly kind: 'overlap';
      readonly pairs: readonly (readonly [PickedPart, PickedPart])[];
    }
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * The review of one stored snapshot, or of what the user put together of several. Only accept, resolve and undo write,
 * one file at a time, each write preceded by a journal record with its inverse, so that a crash leaves old or new bytes
 * and Undo works after a reload.
 */
export interface ReviewSession {
  readonly subject: ReviewSubject;
  versions(target: ReviewTarget, signal: AbortSignal): Promise<FileVersions>;
  /** Without `targets`: every pending file and part without caution. Always answers for each target asked for. */
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
   * Takes accepted files or parts back by the same three-way rule; later edits of the user survive. A rejected one that
   * is named becomes undecided again. Without targets: all accepted ones.
   */
  undo(
    targets: readonly ReviewTarget[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewResult[]>;
  /** What the other answers have here, in the order of the candidates; those without a change are left out. */
  alternatives(target: ReviewTarget, signal: AbortSignal): Promise<readonly Alternative[]>;
  /**
   * Proposes these parts for a file instead of what is proposed now. Parts that were accepted stay accepted; taking one of
   * them out of the proposal is refused until it is undone.
   */
  pick(
    target: ReviewTarget,
    parts: readonly PickedPart[],
    signal: AbortSignal,
  ): Promise<PickResult>;
  /** Stores what is proposed now, rejected parts left out, as a snapshot; equal content has an equal id. */
  composed(signal: AbortSignal): Promise<SnapshotId>;
  /** The same against the base as a unified diff that git can apply, binary files included, one line of provenance per file. */
  patch(signal: AbortSignal): Promise<Uint8Array>;
}

/** What an automatic application may do without a person. */
export interface AutoApply {
  /** A file that changed since the run began: leave all as it is, leave out that file, or merge what is clean. */
  readonly onDrift: 'fail' | 'skip' | 'merge';
}

/** Receives each decision as an event for the run's log, before the call that made it returns. */
export type DecisionSink = (event: FileDecided | MixPicked) => void;
