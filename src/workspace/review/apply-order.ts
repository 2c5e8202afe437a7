import { join } from 'node:path';
import type { ReviewSubject, ReviewTarget } from '../../core/ports/review';
import type { ManifestEntry } from '../manifest';
import type { SnapshotStore } from '../snapshot-store';
import { parentOf } from '../upper-layer';

/**
 * Files first, then modes, links and deletions, so that a stop half way has lost nothing. A deletion or a move that makes
 * room comes before what takes the room: a file in whose place a folder is made, or the files of a folder that gives way.
 */
export function inWriteOrder(
  targets: readonly (ReviewTarget & { readonly from?: string })[],
  entryOf: (target: ReviewTarget) => ManifestEntry | undefined,
): readonly ReviewTarget[] {
  const entries = targets.map((target, index) => ({ target, index, now: entryOf(target)?.now }));
  const taken = new Set<string>();
  const folders = new Set<string>();
  for (const { target, now } of entries) {
    if (now !== undefined && now.kind !== 'deleted' && now.kind !== 'folder') {
      taken.add(keyOf(target.root, target.path));
      foldersAbove(target.path).forEach((folder) => folders.add(keyOf(target.root, folder)));
    }
  }
  const makesRoom = (root: string, path: string): boolean =>
    folders.has(keyOf(root, path)) ||
    foldersAbove(path).some((folder) => taken.has(keyOf(root, folder)));
  const rank = ({ target, now }: (typeof entries)[number]): number => {
    const { root, path, from } = target;
    if (now?.kind === 'deleted') {
      return makesRoom(root, path) ? 0 : 3;
    }
    if (from !== undefined && makesRoom(root, from)) {
      return 0;
    }
    return now?.kind === 'link' ? 2 : now?.kind === 'folder' ? 4 : 1;
  };
  return entries
    .map((entry) => ({ ...entry, rank: rank(entry) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ target }) => target);
}

/**
 * Folders that go with the last of their files: all above it, unless the proposal keeps one of them as an empty folder.
 * Absolute, innermost first.
 */
export function foldersThatGo(
  store: SnapshotStore,
  subject: ReviewSubject,
  target: ReviewTarget & { readonly from?: string },
  folder: string,
): readonly string[] {
  const above = foldersAbove(target.from ?? target.path);
  const kept = above.findIndex(
    (path) => store.readEntry(subject.snapshotId, target.root, path)?.now.kind === 'folder',
  );
  return (kept < 0 ? above : above.slice(0, kept)).map((path) => join(folder, path));
}

/** Innermost first, without the top. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    folders.push(folder);
  }
  return folders;
}

function keyOf(root: string, path: string): string {
  return `${root}\n${path}`;
}
