// A write whose end the journal does not know: a crash, a full disk or a refusal came between.
import { join } from 'node:path';
import type { LiveFile, ReviewTarget } from '../../core/ports/review';
import type { ContextRootInfo } from '../../run/facts';
import { toByteText } from '../hunks/byte-text';
import { diffLineLists, splitLines } from '../text-lines';
import { foldersAbove } from './apply-order';
import type { ReviewParts } from './guarded-write';
import { boundFiles, note, placeOf } from './guarded-write';
import type { Version } from './plan-change';
import { isSame } from './plan-change';
import type { Move, WriteRecord } from './review-journal';
import type { FileState } from './review-state';
import { closed } from './review-state';
import { loadVersion, toVersion } from './stored-versions';
import type { TargetPlace } from './target-place';

/** One file whose last write is to be settled. */
export interface OpenFile {
  readonly root: ContextRootInfo;
  readonly target: ReviewTarget;
  /** Folders that go with a file that goes by this write; absolute, innermost first. */
  readonly foldersThatGo: (type: WriteRecord['type'], folder: string) => readonly string[];
}

/** Finds out from the user's files how the last write of a file ended, and records it. */
export async function settleOpenWrite(
  parts: ReviewParts,
  { root, target, foldersThatGo }: OpenFile,
  signal: AbortSignal,
): Promise<void> {
  const { open } = parts.state.get(target);
  if (open === undefined) {
    return;
  }
  await sweep(parts, root, open, signal);
  const isDone =
    (await finishTorn(parts, root, open, signal)) ||
    (await finishMove(parts, root, open, signal)) ||
    (await isWritten(parts, root, open, signal));
  const done = open.type === 'writing' ? 'written' : 'undone';
  const place = await placeOf(parts, root, open.path);
  if (!isDone && open.type === 'writing') {
    await removeIfEmpty(parts, place, ownFolders(open, place), signal);
  }
  if (isDone && (open.moved !== undefined || open.change.after === null)) {
    await removeIfEmpty(parts, place, foldersThatGo(open.type, place.folder), signal);
  }
  note(parts, { type: isDone ? done : 'kept', root: target.root, path: target.path });
}

/** A killed process may have left a temporary file, which is also a second name of the file that it wrote last. */
async function sweep(
  parts: ReviewParts,
  root: ContextRootInfo,
  { path, moved }: WriteRecord,
  signal: AbortSignal,
): Promise<void> {
  for (const each of moved === undefined ? [path] : [moved.from, moved.to]) {
    const place = await placeOf(parts, root, each);
    await boundFiles(parts, place).sweep?.(place.path, signal);
  }
}

/**
 * Folders that were made for a file which then did not come. The list comes from a file on the disk: only folders on the
 * way to the file can have been made for it.
 */
function ownFolders({ path, moved, change }: WriteRecord, { folder }: TargetPlace): string[] {
  return foldersAbove(moved?.to ?? path)
    .map((each) => join(folder, each))
    .filter((each) => change.folders.includes(each));
}

async function removeIfEmpty(
  parts: ReviewParts,
  place: TargetPlace,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const folder of folders) {
    const live = await parts.live.read(folder, signal);
    if (live?.kind === 'folder' && live.isEmpty === true) {
      await boundFiles(parts, place).remove(folder, live.token, [], signal);
    }
  }
}

/** The state as `settleOpenWrite` would leave it, without touching or recording anything. */
export async function seenState(
  parts: ReviewParts,
  root: ContextRootInfo,
  target: ReviewTarget,
  signal: AbortSignal,
): Promise<FileState> {
  const state = parts.state.get(target);
  if (state.open === undefined) {
    return state;
  }
  const isDone = await isWritten(parts, root, state.open, signal);
  return isDone ? closed(state, state.open) : { ...state, open: undefined };
}

/** Later edits of the user may lie over both versions; then the one that is nearer counts. */
async function isWritten(
  parts: ReviewParts,
  root: ContextRootInfo,
  open: WriteRecord,
  signal: AbortSignal,
): Promise<boolean> {
  const live = await read(parts, root, open.moved?.to ?? open.path, signal);
  const after = loadVersion(parts.store, open.change.after);
  if (live === 'other' || isSame(live, after)) {
    return live !== 'other';
  }
  // Before a move nothing was in the new place, so that whatever is there now is not ours.
  if (open.moved !== undefined) {
    return false;
  }
  const before = loadVersion(parts.store, open.change.before);
  return !isSame(live, before) && distance(live, after) < distance(live, before);
}

/**
 * A file with several names is written in place, so a crash may have left only its beginning. What is missing would look
 * like an edit of the user; the journal knows better.
 */
async function finishTorn(
  parts: ReviewParts,
  root: ContextRootInfo,
  open: WriteRecord,
  signal: AbortSignal,
): Promise<boolean> {
  const whole = loadVersion(parts.store, open.change.after);
  const before = loadVersion(parts.store, open.change.before);
  if (whole?.kind !== 'file' || open.moved !== undefined) {
    return false;
  }
  const place = await placeOf(parts, root, open.path);
  const live = await parts.live.read(place.path, signal);
  // The old bytes may themselves be a beginning of the new ones.
  const isOld =
    live !== undefined && before?.kind === 'file' && Buffer.compare(before.bytes, live.bytes) === 0;
  if (!isTornFile(live, whole.bytes) || isOld) {
    return false;
  }
  const result = await boundFiles(parts, place).write(place.path, whole, live.token, signal);
  return result === 'written';
}

/** Files with one name are never written in place: of those, a piece is what the user left. */
function isTornFile(live: LiveFile | undefined, whole: Uint8Array): live is LiveFile {
  return (
    live?.kind === 'file' &&
    (live.names ?? 1) > 1 &&
    live.bytes.length < whole.length &&
    Buffer.compare(live.bytes, whole.subarray(0, live.bytes.length)) === 0
  );
}

/** The new file of a move was there and the old one had not gone yet. */
async function finishMove(
  parts: ReviewParts,
  root: ContextRootInfo,
  open: WriteRecord,
  signal: AbortSignal,
): Promise<boolean> {
  if (open.moved === undefined || !(await isWritten(parts, root, open, signal))) {
    return false;
  }
  const place = await placeOf(parts, root, open.moved.from);
  const old = await parts.live.read(place.path, signal);
  const dest = await placeOf(parts, root, open.moved.to);
  const now = await parts.live.read(dest.path, signal);
  if (old === undefined || isOneFile(old, now, open.moved)) {
    return true;
  }
  if (isSameAsVersion(toVersion(old), loadVersion(parts.store, open.change.before))) {
    await boundFiles(parts, place).remove(place.path, old.token, [], signal);
  }
  return true;
}

/** Two spellings of one name may be one file; where nobody can tell, they are. */
function isOneFile(old: LiveFile, now: LiveFile | undefined, { from, to }: Move): boolean {
  const identity = now?.identity;
  if (old.identity !== undefined && identity !== undefined) {
    return old.identity === identity && (old.names ?? 1) === 1;
  }
  return from.normalize().toLowerCase() === to.normalize().toLowerCase();
}

async function read(
  parts: ReviewParts,
  root: ContextRootInfo,
  path: string,
  signal: AbortSignal,
): Promise<Version | 'other'> {
  const place = await placeOf(parts, root, path);
  return toVersion(await parts.live.read(place.path, signal));
}

function isSameAsVersion(live: Version | 'other', version: Version): boolean {
  return live !== 'other' && isSame(live, version);
}

/** Changed lines between two texts; what is not text is as far away as can be. */
function distance(a: Version, b: Version): number {
  const [from, to] = [a, b].map((each) =>
    each?.kind === 'file' ? toByteText(each.bytes) : undefined,
  );
  if (from === undefined || from.codec !== to?.codec) {
    return Number.POSITIVE_INFINITY;
  }
  return diffLineLists(splitLines(from.text), splitLines(to.text)).reduce(
    (sum, { start, end, lines }) => sum + end - start + lines.length,
    0,
  );
}
