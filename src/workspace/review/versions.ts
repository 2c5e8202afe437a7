import type { FileVersions, ReviewSubject, ReviewTarget, ShownHunk } from '../../core/ports/review';
import type { ContextRootInfo } from '../../run/facts';
import { toBytes, utf8Text } from '../hunks/byte-text';
import type { CarriedParts } from './carry-parts';
import { decisionOf } from './decisions';
import { placesOf } from './file-review';
import type { ReviewParts } from './guarded-write';
import { placeOf } from './guarded-write';
import { markConflicts } from './merge-text';
import { seenState } from './open-write';
import type { SideNames } from './merge-text';
import type { Plan, Version } from './plan-change';
import { planChange } from './plan-change';
import { carryTo } from './plan-parts';
import type { Proposal } from './proposal';
import { loadProposal } from './proposal';
import type { FileState } from './review-state';
import { wholeUnit } from './review-state';
import { bytesOf, toVersion } from './stored-versions';

export interface ShownVersions {
  readonly versions: FileVersions;
  /** Where the live file was read and its token; `undefined` place: it has none. */
  readonly place: string | undefined;
  readonly token: string | undefined;
}

const nothing: FileVersions = {
  base: undefined,
  proposed: undefined,
  live: undefined,
  merged: undefined,
  mergedWithMarkers: undefined,
  isConflict: false,
  hunks: [],
};

/** Reads; records and writes nothing. */
export async function showVersions(
  parts: ReviewParts,
  subject: ReviewSubject,
  target: ReviewTarget,
  signal: AbortSignal,
): Promise<ShownVersions> {
  const file = subject.files.find(({ root, path }) => root === target.root && path === target.path);
  const proposal = file === undefined ? undefined : loadProposal(parts.store, subject, file);
  const root = subject.contextRoots.find(({ name }) => name === target.root);
  if (root === undefined) {
    const proposed = bytesOf(proposal?.proposed);
    const versions = { ...nothing, proposed, merged: proposed };
    return { versions, place: undefined, token: undefined };
  }
  const state = await seenState(parts, root, target, signal);
  const path = proposal === undefined ? target.path : placesOf(proposal, state, false).from;
  const live = await readLive(parts, root, path, signal);
  const names = { live: 'your file', proposed: file?.parts?.[0]?.label ?? subject.label };
  const versions =
    proposal === undefined
      ? { ...nothing, live: bytesOf(live.version), merged: bytesOf(live.version) }
      : toVersions(proposal, { state, live: live.version, names, hunk: target.hunk });
  return { versions, place: live.place, token: live.token };
}

async function readLive(
  parts: ReviewParts,
  root: ContextRootInfo,
  path: string,
  signal: AbortSignal,
): Promise<{
  readonly place: string;
  readonly token: string | undefined;
  readonly version: Version | 'other';
}> {
  const { path: place } = await placeOf(parts, root, path);
  const live = await parts.live.read(place, signal);
  return { place, token: live?.token, version: toVersion(live) };
}

interface Shown {
  readonly state: FileState;
  readonly live: Version | 'other';
  readonly names: SideNames;
  /** The one part that a conflict is shown for; `undefined`: all that are undecided. */
  readonly hunk: string | undefined;
}

function toVersions(proposal: Proposal, shown: Shown): FileVersions {
  const { state, live, names, hunk } = shown;
  const { base, proposed, parts } = proposal;
  const sides = { base: bytesOf(base), proposed: bytesOf(proposed), live: bytesOf(live) };
  if (parts.length === 0) {
    const isDone = state.units.get(wholeUnit)?.type === 'accepted';
    const plan: Plan = isDone ? { type: 'nothing' } : planChange({ base, proposed, live }, names);
    return {
      ...sides,
      merged: mergedBytes(plan, live),
      mergedWithMarkers: plan.type === 'conflict' ? plan.withMarkers : undefined,
      isConflict: plan.type === 'conflict',
      hunks: [],
    };
  }
  const add = parts.flatMap(({ id }) => (state.units.has(id) ? [] : [id]));
  const carried = carryTo(proposal, { state, live, add, remove: [] });
  if (typeof carried === 'string') {
    const hunks = parts.map((part) => toShown(part, state, undefined));
    const isConflict = add.length > 0;
    return { ...sides, merged: undefined, mergedWithMarkers: undefined, isConflict, hunks };
  }
  const { codec } = proposal.text;
  const text = carried.lines.join('');
  return {
    ...sides,
    merged: carried.conflicts.size > 0 ? undefined : toBytes({ codec, text }),
    ...conflictOf(proposal, shown, hunk === undefined ? add : add.filter((id) => id === hunk)),
    hunks: parts.map((part) => toShown(part, state, carried)),
  };
}

/** What is settled is written and counts for these parts alone, so no other undecided part may be in its text. */
function conflictOf(
  proposal: Proposal,
  { state, live, names }: Shown,
  add: readonly string[],
): Pick<FileVersions, 'isConflict' | 'mergedWithMarkers'> {
  const carried = carryTo(proposal, { state, live, add, remove: [] });
  if (typeof carried === 'string' || carried.conflicts.size === 0) {
    return { isConflict: false, mergedWithMarkers: undefined };
  }
  const { codec } = proposal.text;
  const text = markConflicts(carried.regions, names);
  return { isConflict: true, mergedWithMarkers: utf8Text({ codec, text }) };
}

/** Without `carried` there are no lines for any part. */
function toShown(
  { id, info, label }: Proposal['parts'][number],
  state: FileState,
  carried: CarriedParts | undefined,
): ShownHunk {
  const { decision } = decisionOf(state, id);
  const isLost = carried === undefined || carried.conflicts.has(id);
  const place = carried?.places.get(id);
  return {
    ...{ info, from: label },
    decision: decision === 'pending' && isLost ? 'conflict' : decision,
    live: place?.live ?? null,
    merged: place?.merged ?? null,
  };
}

function mergedBytes(plan: Plan, live: Version | 'other'): Uint8Array | undefined {
  if (plan.type === 'nothing') {
    return bytesOf(live);
  }
  return plan.type === 'write' ? bytesOf(plan.version) : undefined;
}
