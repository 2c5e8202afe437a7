import type { FileChange } from '../../run/facts';
import type { BaseContent, UpperEntry } from '../content';
import type { GitIgnore } from '../git-ignore';
import { hunksOf } from '../hunks/hunks-of';
import type { ManifestEntry } from '../manifest';
import type { SnapshotStore } from '../snapshot-store';
import { countLines } from '../text-lines';
import { cautionOf } from './caution';

/** One path of a change set: what it became, and what it was, under another path if it was moved. */
export interface ChangedPath {
  readonly path: string;
  readonly from: string | undefined;
  readonly entry: ManifestEntry;
}

export interface ChangeContext {
  readonly root: string;
  readonly store: SnapshotStore;
  /** `undefined` for the agent's own folder. */
  readonly ignore: GitIgnore | undefined;
}

/** Most new files have it, so it is not told of each. */
const commonMode = 0o644;

/** The entry of a list of changes for one path, computed from the bytes of both sides alone. */
export async function toFileChange(
  { root, store, ignore }: ChangeContext,
  { path, from, entry }: ChangedPath,
  signal: AbortSignal,
): Promise<FileChange> {
  const kind = from === undefined ? kindOf(entry.now, entry.base) : 'rename';
  const modes = modesOf(entry);
  const caution =
    ignore && (await cautionOf([path, from ?? path], entry, { ignore, store }, signal));
  return {
    ...{ root, path, kind },
    ...(from === undefined ? {} : { from }),
    ...(modes === undefined ? {} : { modes }),
    ...textOf(path, entry, { store, hasParts: ignore !== undefined }),
    sizeBytes: entry.now.kind === 'file' ? entry.now.sizeBytes : linkBytes(entry.now),
    ...(caution === undefined ? {} : { caution }),
  };
}

function kindOf(now: UpperEntry, base: BaseContent): FileChange['kind'] {
  switch (now.kind) {
    case 'folder':
    case 'link':
      return now.kind;
    case 'deleted':
      return base?.kind === 'folder' ? 'folder' : 'delete';
    case 'file':
      if (base === null || base.kind === 'folder') {
        return 'add';
      }
      return base.kind === 'file' && base.sha256 === now.sha256 ? 'mode' : 'modify';
  }
}

function modesOf({ now, base }: ManifestEntry): FileChange['modes'] {
  const modes = { before: modeOf(base), after: modeOf(now) };
  const isFolder = now.kind === 'folder' || base?.kind === 'folder';
  if (modes.before === null || modes.after === null) {
    const isSpecial = modes.after !== null && modes.after !== commonMode;
    return isFolder || isSpecial ? modes : undefined;
  }
  return modes.before === modes.after ? undefined : modes;
}

function modeOf(content: UpperEntry | BaseContent): number | null {
  return content?.kind === 'file' || content?.kind === 'folder' ? content.mode : null;
}

type TextOfChange = Pick<FileChange, 'added' | 'removed' | 'isBinary' | 'hunks' | 'wholeFile'>;

const noText: TextOfChange = { added: 0, removed: 0, isBinary: false };

/** Lines, and the parts of a file that was there before. */
function textOf(
  path: string,
  { now, base }: ManifestEntry,
  { store, hasParts }: { readonly store: SnapshotStore; readonly hasParts: boolean },
): TextOfChange {
  const before = base?.kind === 'file' ? store.readContent(base) : undefined;
  const after = now.kind === 'file' ? store.readContent(now) : undefined;
  if (before === undefined && after === undefined) {
    return noText;
  }
  const parts =
    hasParts && before !== undefined && after !== undefined
      ? hunksOf(before, after, path)
      : undefined;
  if (parts === undefined || 'wholeFile' in parts) {
    return { ...countLines(before, after), ...parts };
  }
  const { hunks } = parts;
  return {
    added: hunks.reduce((sum, { added }) => sum + added, 0),
    removed: hunks.reduce((sum, { removed }) => sum + removed, 0),
    isBinary: false,
    ...(hunks.length === 0 ? {} : { hunks }),
  };
}

function linkBytes(now: UpperEntry): number {
  return now.kind === 'link' ? new TextEncoder().encode(now.target).length : 0;
}
