// One guarded write into the user's folder: recorded first, checked right before, and never over something unexpected.
import { sep } from 'node:path';
import type { LiveFiles, ReviewTarget } from '../../core/ports/review';
import { MassGenError } from '../../core/errors';
import type { ContextRootInfo } from '../../run/facts';
import { staysInside } from '../link-targets';
import type { SnapshotStore } from '../snapshot-store';
import type { Plan, Version } from './plan-change';
import type { AppliedChange, JournalRecord, ReviewJournal } from './review-journal';
import type { FileState, ReviewState } from './review-state';
import { keepVersion, loadVersion, toVersion } from './stored-versions';
import { findTarget } from './target-place';

export interface WriteParts {
  readonly store: SnapshotStore;
  readonly live: LiveFiles;
  readonly journal: ReviewJournal;
  readonly state: ReviewState;
}

export interface WriteRequest {
  readonly root: ContextRootInfo;
  readonly target: ReviewTarget;
  readonly kind: 'writing' | 'undoing';
  /** Folders to remove when they have become empty; for undoing. */
  readonly emptyFolders: readonly string[];
  /** Decides from what is there now. Called again when the file changed in between. */
  readonly plan: (live: Version | 'other', token: string | undefined) => Plan;
}

/** What was done: `nothing` means the file already was as wanted. */
export type Written =
  { readonly type: 'written' | 'nothing' } | { readonly type: 'conflict'; readonly detail: string };

/** Rejects with what the disk or the editor refused; the state of the file is then found out at the next attempt. */
export async function writeGuarded(
  parts: WriteParts,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<Written> {
  await finishTorn(parts, request, signal);
  for (let attempt = 1; attempt <= 2; attempt++) {
    const place = await findTarget(request.root, request.target.path);
    const live = await parts.live.read(place.path, signal);
    const version = toVersion(live);
    const plan = request.plan(version, live?.token);
    if (plan.type === 'conflict') {
      return { type: 'conflict', detail: plan.detail };
    }
    const wanted = wantedVersion(plan, version);
    checkLink(wanted, request.target.path, place.folder);
    const change = {
      before: version === 'other' ? null : keepVersion(parts.store, version),
      after: keepVersion(parts.store, wanted),
      folders: place.missing,
    };
    begin(parts, request, change, plan);
    if (plan.type === 'nothing' || (await put(parts, request, { wanted, live }, signal))) {
      record(parts, { type: request.kind === 'writing' ? 'written' : 'undone', ...request.target });
      return { type: plan.type === 'nothing' ? 'nothing' : 'written' };
    }
    record(parts, { type: 'kept', ...request.target });
  }
  return { type: 'conflict', detail: 'The file keeps changing; try again when it is at rest.' };
}

/**
 * A file with several names is written in place, so a crash may have left only its beginning. What is missing would look
 * like an edit of the user; the journal knows better.
 */
async function finishTorn(
  parts: WriteParts,
  { root, target }: WriteRequest,
  signal: AbortSignal,
): Promise<void> {
  const state = parts.state.get(target);
  const whole =
    state.type === 'uncertain' ? loadVersion(parts.store, state.change.after) : undefined;
  if (whole?.kind !== 'file') {
    return;
  }
  const { path } = await findTarget(root, target.path);
  const live = await parts.live.read(path, signal);
  const isTorn =
    live?.kind === 'file' &&
    live.bytes.length < whole.bytes.length &&
    Buffer.compare(live.bytes, whole.bytes.subarray(0, live.bytes.length)) === 0;
  if (isTorn && !isBefore(parts.store, state, live.bytes)) {
    await parts.live.write(path, whole, live.token, signal);
  }
}

/** The old bytes may themselves be a beginning of the new ones. */
function isBefore(store: SnapshotStore, state: FileState, bytes: Uint8Array): boolean {
  const before = state.type === 'uncertain' ? loadVersion(store, state.change.before) : undefined;
  return before?.kind === 'file' && Buffer.compare(before.bytes, bytes) === 0;
}

function wantedVersion(plan: Plan, present: Version | 'other'): Version {
  if (plan.type === 'write') {
    return plan.version;
  }
  return plan.type === 'nothing' && present !== 'other' ? present : undefined;
}

/** The inverse is on the disk before anything is written. */
function begin(parts: WriteParts, request: WriteRequest, change: AppliedChange, plan: Plan): void {
  const known = parts.state.get(request.target);
  if (plan.type === 'nothing' && request.kind === 'writing' && known.type === 'uncertain') {
    // An earlier write got through although its end was not recorded: its inverse stays the right one.
    return;
  }
  parts.store.sync();
  record(parts, { type: request.kind, ...request.target, change });
}

/** Answers `false` when the file changed in between. */
async function put(
  parts: WriteParts,
  request: WriteRequest,
  files: { readonly wanted: Version; readonly live: { readonly token: string } | undefined },
  signal: AbortSignal,
): Promise<boolean> {
  // The way there is looked at once more: between the two looks a folder may have become a link.
  const { path, folder } = await findTarget(request.root, request.target.path);
  const { wanted, live } = files;
  if (wanted === undefined) {
    // The list comes from a file on the disk, so it is not taken at its word.
    const emptyFolders = request.emptyFolders.filter((each) => each.startsWith(folder + sep));
    return (
      live === undefined ||
      (await parts.live.remove(path, live.token, emptyFolders, signal)) === 'removed'
    );
  }
  const content =
    wanted.kind === 'link'
      ? { kind: wanted.kind, bytes: new TextEncoder().encode(wanted.target), mode: 0o777 }
      : wanted;
  return (await parts.live.write(path, content, live?.token, signal)) === 'written';
}

function checkLink(wanted: Version, path: string, folder: string): void {
  if (wanted?.kind === 'link' && !staysInside(path, wanted.target, folder)) {
    throw new MassGenError(
      'workspace/path-escape',
      `The link leads to ${wanted.target}, outside the folder.`,
    );
  }
}

function record(parts: WriteParts, entry: JournalRecord): void {
  parts.journal.append(entry);
  parts.state.apply(entry);
}
