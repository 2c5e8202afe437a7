import type { PickResult, ReviewSubject, ReviewTarget } from '../../core/ports/review';
import type { MixPicked } from '../../run/events';
import type { FileChange, HunkInfo, PickedPart } from '../../run/facts';
import type { ReviewFile } from '../../run/state';
import { byPlace, isOverlap } from '../hunks/parts';
import type { SnapshotStore } from '../snapshot-store';
import { bytesOf } from './stored-versions';
import type { Proposal } from './proposal';
import { changeOf, fromAnswer, isSameBase, loadProposal } from './proposal';
import type { FileState } from './review-state';
import { wholeUnit } from './review-state';

export type PlannedPick =
  | { readonly kind: 'picked'; readonly event: MixPicked }
  | Exclude<PickResult, { readonly kind: 'picked' }>;

export interface PickRequest {
  readonly target: ReviewTarget;
  readonly parts: readonly PickedPart[];
  readonly state: FileState;
}

/** What would be proposed for a file once the user picked these parts; changes nothing. */
export function planPick(
  store: SnapshotStore,
  subject: ReviewSubject,
  request: PickRequest,
): PlannedPick {
  const { target, state } = request;
  const file = subject.files.find(({ root, path }) => root === target.root && path === target.path);
  const current = file === undefined ? undefined : loadProposal(store, subject, file);
  if (state.open !== undefined) {
    return refused('A write of this file has not come to its end; accept or undo it first.');
  }
  const wanted = distinct(allParts(request, current));
  const whole = wanted.find(({ hunk }) => hunk === undefined);
  const planned =
    whole === undefined
      ? planHunks(store, subject, { target, file, current, wanted })
      : planWhole(store, subject, { target, current, wanted, whole });
  if (planned.kind !== 'picked') {
    return planned;
  }
  const lost = lostUnits(planned.event, current, state);
  return lost
    ? refused('Accepted parts would be taken out of the proposal; undo them first.')
    : planned;
}

/** For a part: the file as it is proposed with other parts in its place. */
function allParts(
  { target, parts }: PickRequest,
  current: Proposal | undefined,
): readonly PickedPart[] {
  if (target.hunk === undefined) {
    return parts;
  }
  const rest = (current?.parts ?? []).filter(({ id }) => id !== target.hunk);
  return [...rest.map(({ label, info }) => ({ label, hunk: info })), ...parts];
}

/** Two answers that change the same lines in the same way have one part. */
function distinct(parts: readonly PickedPart[]): readonly PickedPart[] {
  const known = new Set<string>();
  return parts.filter(({ label, hunk }) => {
    const key = hunk?.id ?? label;
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

function planWhole(
  store: SnapshotStore,
  subject: ReviewSubject,
  pick: {
    readonly target: ReviewTarget;
    readonly current: Proposal | undefined;
    readonly wanted: readonly PickedPart[];
    readonly whole: PickedPart;
  },
): PlannedPick {
  const { target, wanted, whole } = pick;
  const change = changeOf(subject, whole.label, target);
  if (wanted.length > 1) {
    return refused('A whole file and parts of others cannot be put together.');
  }
  if (
    change?.path !== target.path ||
    fromAnswer(store, subject, { label: whole.label, change }) === undefined
  ) {
    return refused(`${whole.label} has no such file.`);
  }
  return toEvent(target, [{ label: whole.label }], change);
}

function planHunks(
  store: SnapshotStore,
  subject: ReviewSubject,
  pick: {
    readonly target: ReviewTarget;
    readonly file: ReviewFile | undefined;
    readonly current: Proposal | undefined;
    readonly wanted: readonly PickedPart[];
  },
): PlannedPick {
  const { target, file, current, wanted } = pick;
  const frame = frameFor(subject, file ?? target, wanted) ?? file;
  if (frame === undefined) {
    return refused('No answer has such a file.');
  }
  const parts = resolved(store, subject, frame, wanted);
  if (typeof parts === 'string') {
    return refused(parts);
  }
  const pairs = overlaps(parts);
  if (pairs.length > 0) {
    return { kind: 'overlap', pairs };
  }
  const change = mixedChange({ ...frame, path: target.path }, parts);
  const event = {
    type: 'mix-picked',
    root: target.root,
    path: target.path,
    parts,
    change,
  } as const;
  return sized(store, subject, event, current);
}

/** The change that says where the file stands and with which mode: that of the reviewed answer where it has parts. */
function frameFor(
  subject: ReviewSubject,
  file: ReviewTarget,
  wanted: readonly PickedPart[],
): FileChange | undefined {
  const own = changeOf(subject, subject.label, file);
  return own?.hunks === undefined
    ? changeOf(subject, wanted[0]?.label ?? subject.label, file)
    : own;
}

/** The parts as their answers have them, in the order of their lines; one sentence when one of them cannot be taken. */
function resolved(
  store: SnapshotStore,
  subject: ReviewSubject,
  frame: FileChange,
  wanted: readonly PickedPart[],
): readonly PickedPart[] | string {
  const parts: (PickedPart & { readonly hunk: HunkInfo })[] = [];
  let base: Proposal['base'] | undefined;
  for (const { label, hunk } of wanted) {
    const theirs = fileOf(store, subject, label, frame);
    const info = theirs?.parts.find(({ id }) => id === hunk?.id)?.info;
    if (theirs === undefined || info === undefined) {
      return `${label} has no such part.`;
    }
    if (parts.length > 0 && !isSameBase(base, theirs.base)) {
      return `${label} started from another text of this file; take its whole file.`;
    }
    ({ base } = theirs);
    parts.push({ label, hunk: info });
  }
  return parts.sort((a, b) => byPlace(a.hunk, b.hunk));
}

function fileOf(
  store: SnapshotStore,
  subject: ReviewSubject,
  label: PickedPart['label'],
  file: FileChange,
): Proposal | undefined {
  const change = changeOf(subject, label, file);
  return change === undefined ? undefined : fromAnswer(store, subject, { label, change });
}

function overlaps(parts: readonly PickedPart[]): readonly (readonly [PickedPart, PickedPart])[] {
  return parts.flatMap((a, index) =>
    parts
      .slice(index + 1)
      .flatMap((b): readonly (readonly [PickedPart, PickedPart])[] =>
        a.hunk !== undefined && b.hunk !== undefined && isOverlap(a.hunk, b.hunk) ? [[a, b]] : [],
      ),
  );
}

/** The file against its base with these parts and nothing else. */
function mixedChange(frame: FileChange, parts: readonly PickedPart[]): FileChange {
  let shift = 0;
  const hunks = parts.flatMap(({ hunk }): readonly HunkInfo[] => {
    if (hunk === undefined) {
      return [];
    }
    const placed = { ...hunk, newStart: hunk.baseStart + shift };
    shift += hunk.newLines - hunk.baseLines;
    return [placed];
  });
  const { wholeFile: _reason, ...rest } = frame;
  return {
    ...rest,
    hunks,
    added: hunks.reduce((sum, { added }) => sum + added, 0),
    removed: hunks.reduce((sum, { removed }) => sum + removed, 0),
    isBinary: false,
  };
}

/** With the size that the file comes to. */
function sized(
  store: SnapshotStore,
  subject: ReviewSubject,
  event: MixPicked,
  current: Proposal | undefined,
): PlannedPick {
  const { change, parts } = event;
  const mixed = loadProposal(store, subject, { ...change, parts, decision: 'pending' });
  if (mixed === undefined) {
    return refused('The stored files of these parts are gone or damaged.');
  }
  const pairs = joinedLines(mixed, parts);
  if (pairs.length > 0) {
    return { kind: 'overlap', pairs };
  }
  const bytes = bytesOf(mixed.proposed) ?? bytesOf(current?.proposed);
  return {
    kind: 'picked',
    event: { ...event, change: { ...change, sizeBytes: bytes?.length ?? 0 } },
  };
}

/** Parts of which one ends without a line end and the next would go on in that line. */
function joinedLines(
  { parts }: Proposal,
  picked: readonly PickedPart[],
): readonly (readonly [PickedPart, PickedPart])[] {
  const pickOf = (id: string): readonly PickedPart[] =>
    picked.filter(({ hunk }) => hunk?.id === id).slice(0, 1);
  return parts.slice(1).flatMap((next, index) => {
    const part = parts[index];
    const isJoined =
      part !== undefined &&
      /[^\r\n]$/.test(part.lines.at(-1) ?? '') &&
      part.info.baseStart + part.info.baseLines === next.info.baseStart;
    return isJoined
      ? pickOf(part.id).flatMap((a) => pickOf(next.id).map((b) => [a, b] as const))
      : [];
  });
}

function toEvent(
  { root, path }: ReviewTarget,
  parts: readonly PickedPart[],
  change: FileChange,
): PlannedPick {
  return { kind: 'picked', event: { type: 'mix-picked', root, path, parts, change } };
}

/** Whether something that was accepted would no longer be proposed. */
function lostUnits(
  { change, parts }: MixPicked,
  current: Proposal | undefined,
  { units }: FileState,
): boolean {
  const accepted = [...units].flatMap(([unit, { type }]) => (type === 'accepted' ? [unit] : []));
  const next = new Set((change.hunks ?? []).map(({ id }) => id));
  const isSettled = [...units.values()].some(
    (unit) => unit.type === 'accepted' && unit.write.isSettled,
  );
  if (isSettled) {
    return true;
  }
  return accepted.some((unit) =>
    unit === wholeUnit ? !isFrameKept(current, change, parts) : !next.has(unit),
  );
}

function isFrameKept(
  current: Proposal | undefined,
  change: FileChange,
  parts: readonly PickedPart[],
): boolean {
  const hasParts =
    current !== undefined && current.parts.length > 0 && parts[0]?.hunk !== undefined;
  return (
    hasParts &&
    change.from === current.file.from &&
    change.modes?.after === current.file.modes?.after
  );
}

function refused(detail: string): { readonly kind: 'refused'; readonly detail: string } {
  return { kind: 'refused', detail };
}
