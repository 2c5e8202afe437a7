// Accepting, settling and taking back what belongs to one file of a review.
import type { ReviewTarget } from '../../core/ports/review';
import type { ContextRootInfo } from '../../run/facts';
import type { ReviewParts, UnitPlan, WriteRequest, Written } from './guarded-write';
import { writeGuarded } from './guarded-write';
import type { SideNames } from './merge-text';
import type { Version } from './plan-change';
import { planChange } from './plan-change';
import type { PartsPlan } from './plan-parts';
import { planParts } from './plan-parts';
import type { Proposal } from './proposal';
import type { FileState, Write } from './review-state';
import { wholeUnit } from './review-state';
import { loadVersion } from './stored-versions';

export interface FileInReview {
  readonly parts: ReviewParts;
  readonly root: ContextRootInfo;
  readonly target: ReviewTarget;
  readonly proposal: Proposal;
  readonly names: SideNames;
  /** Folders that go with this file when it goes. */
  readonly foldersThatGo: readonly string[];
  /** Folders above it that accepting has made. */
  readonly ownFolders: readonly string[];
}

/** What came of a request for some units of a file. */
export interface UnitOutcome {
  readonly done: readonly string[];
  /** Units that stay as they were, with one sentence each. */
  readonly conflicts: ReadonlyMap<string, string>;
  readonly skipped: ReadonlyMap<string, string>;
  /** Something to know although it was done. */
  readonly note: string;
}

/** `file`: everything that is undecided; else ids of parts. */
export type AskedUnits = 'file' | readonly string[];

export async function acceptUnits(
  file: FileInReview,
  asked: AskedUnits,
  signal: AbortSignal,
): Promise<UnitOutcome> {
  const { proposal, target } = file;
  const state = file.parts.state.get(target);
  const frame = frameUnits(proposal, state, asked);
  const wanted = wantedUnits(proposal, state, asked);
  const { from, to } = placesOf(proposal, state, frame.includes(wholeUnit));
  let last: PartsPlan | undefined;
  const plan = (live: Version | 'other'): UnitPlan => {
    if (proposal.parts.length === 0) {
      const { base, proposed } = proposal;
      return { plan: planChange({ base, proposed, live }, file.names), units: [wholeUnit] };
    }
    last = planParts(proposal, { state, live, add: wanted, remove: [], frame });
    return last;
  };
  const written = await writeGuarded(
    file.parts,
    { ...requestFor(file), type: 'writing', from, to, plan },
    signal,
  );
  return toOutcome(written, proposal.parts.length === 0 ? [wholeUnit] : wanted, last);
}

/** Puts the user's own bytes in the place of what is undecided; `undefined`: no file. */
export async function settleUnits(
  file: FileInReview,
  asked: AskedUnits,
  chosen: WriteRequest['plan'],
  signal: AbortSignal,
): Promise<UnitOutcome> {
  const { proposal, target } = file;
  const state = file.parts.state.get(target);
  const frame = frameUnits(proposal, state, asked);
  const wanted = proposal.parts.length === 0 ? [] : wantedUnits(proposal, state, asked);
  const units = [...new Set([...wanted, ...(asked === 'file' ? [wholeUnit] : frame)])];
  const { from, to } = placesOf(proposal, state, units.includes(wholeUnit));
  const plan: WriteRequest['plan'] = (live, token) => {
    const { plan: own } = chosen(live, token);
    return { plan: own, units, isSettled: true };
  };
  const written = await writeGuarded(
    file.parts,
    { ...requestFor(file), type: 'writing', from, to, plan },
    signal,
  );
  return toOutcome(written, units, undefined);
}

/** Takes accepted units back; later edits of the user stay. */
export async function undoUnits(
  file: FileInReview,
  asked: AskedUnits,
  signal: AbortSignal,
): Promise<UnitOutcome> {
  const accepted = acceptedWrites(file.parts.state.get(file.target));
  const named = asked === 'file' ? [...accepted.keys()] : asked;
  const outcomes: UnitOutcome[] = [];
  for (const write of wholeWrites(file, accepted)) {
    if (write.units.some((unit) => named.includes(unit))) {
      outcomes.push(
        write.units.every((unit) => named.includes(unit) || unit === wholeUnit)
          ? await takeBack(file, write, signal)
          : onlyTogether(write.units.filter((unit) => named.includes(unit))),
      );
    }
  }
  const rest = named.filter((unit) => outcomes.every((each) => !isAnswered(each, unit)));
  if (rest.some((unit) => accepted.has(unit))) {
    outcomes.push(await removeParts(file, rest, asked === 'file', signal));
  }
  return joined(outcomes);
}

/** Writes that can only be taken back as they were made: whole files, and what the user settled by hand. Latest first. */
function wholeWrites(
  { proposal }: FileInReview,
  accepted: ReadonlyMap<string, Write>,
): readonly Write[] {
  return [...new Set(accepted.values())]
    .filter(({ isSettled }) => isSettled || proposal.parts.length === 0)
    .sort((a, b) => b.no - a.no);
}

async function takeBack(
  file: FileInReview,
  write: Write,
  signal: AbortSignal,
): Promise<UnitOutcome> {
  const { store, state } = file.parts;
  const base = loadVersion(store, write.change.after);
  const proposed = loadVersion(store, write.change.before);
  const names = { ...file.names, proposed: 'before accepting' };
  const at = write.moved?.to ?? placesOf(file.proposal, state.get(file.target), false).from;
  const request: WriteRequest = {
    ...requestFor(file),
    type: 'undoing',
    from: at,
    to: write.moved?.from ?? at,
    emptyFolders: file.ownFolders,
    ownMode: base?.kind === 'file' ? base.mode : undefined,
    plan: (live) => ({
      plan: planChange({ base, proposed, live }, names),
      units: write.units,
    }),
  };
  const written = await writeGuarded(file.parts, request, signal);
  return toOutcome(written, write.units, undefined);
}

async function removeParts(
  file: FileInReview,
  units: readonly string[],
  isFile: boolean,
  signal: AbortSignal,
): Promise<UnitOutcome> {
  const { proposal, target } = file;
  const state = file.parts.state.get(target);
  const accepted = acceptedWrites(state);
  const frame = accepted.has(wholeUnit) ? frameToUndo(proposal, accepted, isFile) : [];
  const remove = units.filter((unit) => unit !== wholeUnit && accepted.has(unit));
  const { from } = placesOf(proposal, state, false);
  const to = frame.length > 0 ? (proposal.file.from ?? from) : from;
  let last: PartsPlan | undefined;
  const request: WriteRequest = {
    ...requestFor(file),
    type: 'undoing',
    ...{ from, to },
    emptyFolders: file.ownFolders,
    ownMode: proposal.proposed?.kind === 'file' ? proposal.proposed.mode : undefined,
    plan: (live) => {
      last = planParts(proposal, { state, live, add: [], remove, frame });
      return last;
    },
  };
  return toOutcome(await writeGuarded(file.parts, request, signal), remove, last);
}

function requestFor({
  root,
  target,
  foldersThatGo,
}: FileInReview): Pick<WriteRequest, 'root' | 'target' | 'emptyFolders'> {
  return { root, target, emptyFolders: foldersThatGo };
}

/** Parts to accept: those asked for, or all that are undecided; a file whose parts are all rejected means all of them. */
export function wantedUnits(
  { parts }: Proposal,
  { units }: FileState,
  asked: AskedUnits,
): readonly string[] {
  const open = parts.filter(({ id }) => units.get(id)?.type !== 'accepted').map(({ id }) => id);
  if (asked !== 'file') {
    return open.filter((id) => asked.includes(id));
  }
  const undecided = open.filter((id) => !units.has(id));
  return undecided.length === 0 && open.length === parts.length ? open : undecided;
}

/**
 * The mode or the move goes with the file as a whole. A mode also goes with the last part, so that accepting one part
 * after the other comes to the same; a move never does.
 */
function frameUnits(proposal: Proposal, { units }: FileState, asked: AskedUnits): string[] {
  if (!proposal.hasFrame || units.get(wholeUnit)?.type === 'accepted') {
    return [];
  }
  const isLast =
    asked !== 'file' &&
    proposal.file.from === undefined &&
    proposal.parts.every(({ id }) => asked.includes(id) || units.get(id)?.type === 'accepted');
  return asked === 'file' || isLast ? [wholeUnit] : [];
}

function frameToUndo(
  { parts, file }: Proposal,
  accepted: ReadonlyMap<string, Write>,
  isFile: boolean,
): readonly string[] {
  const isWhole = parts.every(({ id }) => accepted.has(id));
  return isFile || (file.from === undefined && isWhole) ? [wholeUnit] : [];
}

/** Where the file is now, and where it is once the frame was accepted. */
export function placesOf(
  { file }: Proposal,
  { units }: FileState,
  withFrame: boolean,
): { readonly from: string; readonly to: string } {
  const isMoved = units.get(wholeUnit)?.type === 'accepted';
  const from = isMoved ? file.path : (file.from ?? file.path);
  return { from, to: withFrame ? file.path : from };
}

export function acceptedWrites({ units }: FileState): ReadonlyMap<string, Write> {
  return new Map(
    [...units].flatMap(([unit, state]) =>
      state.type === 'accepted' ? [[unit, state.write] as const] : [],
    ),
  );
}

function toOutcome(
  written: Written,
  asked: readonly string[],
  last: PartsPlan | undefined,
): UnitOutcome {
  const none = new Map<string, string>();
  const conflicts = last?.conflicts ?? none;
  if (written.type === 'conflict') {
    const all = new Map(asked.map((unit) => [unit, conflicts.get(unit) ?? written.detail]));
    return { done: [], conflicts: all, skipped: none, note: '' };
  }
  return { done: written.units, conflicts, skipped: none, note: written.note };
}

function onlyTogether(units: readonly string[]): UnitOutcome {
  const detail = 'It was settled together with the rest of the file; undo the whole file.';
  const skipped = new Map(units.map((unit) => [unit, detail]));
  return { done: [], conflicts: new Map(), skipped, note: '' };
}

function isAnswered({ done, conflicts, skipped }: UnitOutcome, unit: string): boolean {
  return done.includes(unit) || conflicts.has(unit) || skipped.has(unit);
}

function joined(outcomes: readonly UnitOutcome[]): UnitOutcome {
  return {
    done: outcomes.flatMap(({ done }) => done),
    conflicts: new Map(outcomes.flatMap(({ conflicts }) => [...conflicts])),
    skipped: new Map(outcomes.flatMap(({ skipped }) => [...skipped])),
    note: outcomes.find(({ note }) => note !== '')?.note ?? '',
  };
}
