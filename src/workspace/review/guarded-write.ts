// One guarded write into the user's folder: recorded first, checked right before, and never over something unexpected.
import { sep } from 'node:path';
import type { LiveFile, LiveFiles, ReviewTarget } from '../../core/ports/review';
import { MassGenError } from '../../core/errors';
import type { ContextRootInfo } from '../../run/facts';
import { staysInside } from '../link-targets';
import type { SnapshotStore } from '../snapshot-store';
import type { DriftMark } from './carry-parts';
import type { Plan, Version } from './plan-change';
import { isSame } from './plan-change';
import type { AppliedChange, JournalRecord, ReviewJournal } from './review-journal';
import type { ReviewState } from './review-state';
import { keepVersion, toVersion } from './stored-versions';
import type { TargetPlace } from './target-place';
import { findTarget } from './target-place';

export interface ReviewParts {
  readonly store: SnapshotStore;
  readonly live: LiveFiles;
  readonly journal: ReviewJournal;
  readonly state: ReviewState;
  /** Real folders of the roots when this review was opened. */
  readonly realRoots: ReadonlyMap<string, string>;
}

/** A plan together with what the journal notes about it. */
export interface UnitPlan {
  readonly plan: Plan;
  readonly units: readonly string[];
  readonly isSettled?: true;
  readonly there?: readonly string[];
  readonly drift?: readonly DriftMark[];
}

export interface WriteRequest {
  readonly root: ContextRootInfo;
  /** The file of the review; its path is the one of the proposal. */
  readonly target: ReviewTarget;
  readonly type: 'writing' | 'undoing';
  /** Where the file is now and where it shall be, relative to the root; they differ for a move. */
  readonly from: string;
  readonly to: string;
  /** Folders to remove when they have become empty. */
  readonly emptyFolders: readonly string[];
  /** Mode of a read-only file that the review itself left behind. */
  readonly ownMode?: number | undefined;
  /** Decides from what is there now. Called again when the file changed in between. */
  readonly plan: (live: Version | 'other', token: string | undefined) => UnitPlan;
}

export type Written =
  /** `note` is for people, empty when there is nothing to know. */
  | { readonly type: 'written'; readonly units: readonly string[]; readonly note: string }
  | { readonly type: 'conflict'; readonly detail: string };

interface Sight {
  readonly place: TargetPlace;
  readonly live: LiveFile | undefined;
}

/** Rejects with what the disk or the editor refused; the state of the file is then found out at the next attempt. */
export async function writeGuarded(
  parts: ReviewParts,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<Written> {
  const isMove = request.from !== request.to;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const { source, dest } = await lookAtBoth(parts, request, signal);
    const present = toVersion(source.live);
    const planned = request.plan(present, source.live?.token);
    if (planned.plan.type === 'conflict') {
      return { type: 'conflict', detail: planned.plan.detail };
    }
    if (isMove && isTaken(source.live, dest.live)) {
      return { type: 'conflict', detail: `A file with the name ${request.to} exists by now.` };
    }
    const wanted = wantedVersion(planned.plan, present);
    const isIdle = planned.plan.type === 'nothing' && !isMove;
    refuseReadOnly(present, isIdle, request.ownMode);
    checkLink(wanted, request.to, dest.place.folder);
    begin(parts, request, planned, {
      before: present === 'other' ? null : keepVersion(parts.store, present),
      after: keepVersion(parts.store, wanted),
      folders: dest.place.missing,
    });
    if (isIdle || (await put(parts, request, { wanted, source, dest }, signal))) {
      end(parts, request, request.type === 'writing' ? 'written' : 'undone');
      return { type: 'written', units: planned.units, note: noteFor(source.live, isIdle) };
    }
    end(parts, request, 'kept');
  }
  return { type: 'conflict', detail: 'The file keeps changing; try again when it is at rest.' };
}

function end(
  parts: ReviewParts,
  { target }: WriteRequest,
  type: 'written' | 'undone' | 'kept',
): void {
  note(parts, { type, root: target.root, path: target.path });
}

/** Appends to the journal, then holds. */
export function note(parts: ReviewParts, record: JournalRecord): void {
  parts.journal.append(record);
  parts.state.apply(record);
}

/** A target's place, refused when the root leads elsewhere than it did. */
export async function placeOf(
  parts: ReviewParts,
  root: ContextRootInfo,
  path: string,
): Promise<TargetPlace> {
  const known = parts.state.realRoot(root.name) ?? parts.realRoots.get(root.name);
  return findTarget(root, path, known);
}

/** The user's files, bound to the root where the system can do that. */
export function boundFiles(parts: ReviewParts, place: TargetPlace): LiveFiles {
  return parts.live.within?.({ path: place.folder, real: place.real }) ?? parts.live;
}

async function lookAtBoth(
  parts: ReviewParts,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<{ readonly source: Sight; readonly dest: Sight }> {
  const source = await look(parts, request, request.from, signal);
  const isMove = request.from !== request.to;
  return { source, dest: isMove ? await look(parts, request, request.to, signal) : source };
}

async function look(
  parts: ReviewParts,
  { root }: WriteRequest,
  path: string,
  signal: AbortSignal,
): Promise<Sight> {
  const place = await placeOf(parts, root, path);
  return { place, live: await parts.live.read(place.path, signal) };
}

/** Two spellings of one name lead to one file on some systems; then the new name is as good as free. */
function isTaken(source: LiveFile | undefined, dest: LiveFile | undefined): boolean {
  const isOneFile =
    source?.identity !== undefined &&
    source.identity === dest?.identity &&
    (source.names ?? 1) === 1;
  return dest !== undefined && !isOneFile;
}

function wantedVersion(plan: Plan, present: Version | 'other'): Version {
  if (plan.type === 'write') {
    return plan.version;
  }
  return plan.type === 'nothing' && present !== 'other' ? present : undefined;
}

/** A file that is not to be written is not replaced either, although its folder would allow that. */
function refuseReadOnly(
  present: Version | 'other',
  isIdle: boolean,
  ownMode: number | undefined,
): void {
  if (isIdle || typeof present !== 'object' || present.kind !== 'file') {
    return;
  }
  if ((present.mode & 0o222) === 0 && present.mode !== ownMode) {
    throw new MassGenError('workspace/read-only', 'The file is read-only.', {
      hint: 'Make it writable, then try again.',
    });
  }
}

function noteFor(live: LiveFile | undefined, isIdle: boolean): string {
  const names = live?.kind === 'file' ? (live.names ?? 1) : 1;
  return names > 1 && !isIdle
    ? `The file has ${names} names on the disk; it was changed in place, under all of them.`
    : '';
}

/** The inverse is on the disk before anything is written. */
function begin(
  parts: ReviewParts,
  request: WriteRequest,
  planned: UnitPlan,
  change: AppliedChange,
): void {
  const { root, path } = request.target;
  const real = parts.realRoots.get(root);
  if (real !== undefined && parts.state.realRoot(root) === undefined) {
    note(parts, { type: 'root', root, real });
  }
  const { plan: _plan, ...notes } = planned;
  const { from, to } = request;
  parts.store.sync();
  note(parts, {
    type: request.type,
    ...{ root, path, ...notes, change },
    ...(from === to ? {} : { moved: { from, to } }),
  });
}

interface Move {
  readonly wanted: Version;
  readonly source: Sight;
  readonly dest: Sight;
}

/** Answers `false` when a file changed in between. */
async function put(
  parts: ReviewParts,
  request: WriteRequest,
  move: Move,
  signal: AbortSignal,
): Promise<boolean> {
  // The way there is looked at once more: between the two looks a folder may have become a link.
  const place = await placeOf(parts, request.root, request.to);
  const files = boundFiles(parts, place);
  const { wanted, source } = move;
  // The list comes from a file on the disk, so it is not taken at its word.
  const emptyFolders = request.emptyFolders.filter((each) => each.startsWith(place.folder + sep));
  if (request.from !== request.to) {
    return wanted !== undefined && putMoved(files, { ...move, wanted, emptyFolders }, signal);
  }
  if (wanted === undefined) {
    return (
      source.live === undefined ||
      (await files.remove(place.path, source.live.token, emptyFolders, signal)) === 'removed'
    );
  }
  const outcome = await files.write(place.path, toNew(wanted), source.live?.token, signal);
  return outcome === 'written';
}

/** The new file is whole before the old one goes: in between there are two, never none. */
async function putMoved(
  files: LiveFiles,
  move: Move & {
    readonly wanted: Exclude<Version, undefined>;
    readonly emptyFolders: readonly string[];
  },
  signal: AbortSignal,
): Promise<boolean> {
  const { wanted, source, dest } = move;
  const token = source.live?.token;
  if (token === undefined) {
    return false;
  }
  const [from, to] = [source.place.path, dest.place.path];
  if (dest.live !== undefined) {
    if ((await files.rename?.(from, to, token, signal)) !== 'written') {
      return false;
    }
    const renamed = await files.read(to, signal);
    return (await files.write(to, toNew(wanted), renamed?.token, signal)) === 'written';
  }
  if ((await files.write(to, toNew(wanted), undefined, signal)) !== 'written') {
    return false;
  }
  if ((await files.remove(from, token, move.emptyFolders, signal)) === 'removed') {
    return true;
  }
  const made = await files.read(to, signal);
  const present = toVersion(made);
  if (made !== undefined && present !== 'other' && isSame(present, wanted)) {
    await files.remove(to, made.token, dest.place.missing, signal);
  }
  return false;
}

function toNew(version: Exclude<Version, undefined>): Parameters<LiveFiles['write']>[1] {
  switch (version.kind) {
    case 'link':
      return { kind: 'link', bytes: new TextEncoder().encode(version.target), mode: 0o777 };
    case 'folder':
      return { kind: 'folder', bytes: new Uint8Array(), mode: version.mode };
    case 'file':
      return version;
  }
}

function checkLink(wanted: Version, path: string, folder: string): void {
  if (wanted?.kind === 'link' && !staysInside(path, wanted.target, folder)) {
    throw new MassGenError(
      'workspace/path-escape',
      `The link leads to ${wanted.target}, outside the folder.`,
    );
  }
}
