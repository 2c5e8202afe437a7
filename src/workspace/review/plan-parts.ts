import { sha256OfBytes } from '../content';
import { toByteText, toBytes } from '../hunks/byte-text';
import { splitLines } from '../text-lines';
import type { CarriedParts } from './carry-parts';
import { carryParts } from './carry-parts';
import type { UnitPlan } from './guarded-write';
import type { FileVersion, Version } from './plan-change';
import { isSame, mergeMode, overlapWords } from './plan-change';
import type { Proposal } from './proposal';
import type { FileState } from './review-state';
import { wholeUnit } from './review-state';

export interface PartsRequest {
  readonly state: FileState;
  readonly live: Version | 'other';
  /** Ids of parts to bring in and to take out. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** `wholeUnit` when the mode or place of the file changes too. */
  readonly frame: readonly string[];
}

export interface PartsPlan extends UnitPlan {
  /** By the id of a part that stays as it was, one sentence. */
  readonly conflicts: ReadonlyMap<string, string>;
}

/** What has to be written so that the file has these parts and the user's edits. */
export function planParts(proposal: Proposal, request: PartsRequest): PartsPlan {
  const { state, live, add, remove, frame } = request;
  const asked = [...add, ...remove];
  const carried = carryTo(proposal, request);
  if (typeof carried === 'string' || !isFile(live)) {
    return refused(typeof carried === 'string' ? carried : notThere, asked);
  }
  const conflicts = new Map(
    [...carried.conflicts].map(([id, range]) => [id, overlapWords([range])]),
  );
  const done = asked.filter((id) => !conflicts.has(id));
  // The mode that goes with the last part waits until that part can go.
  const isFrameReady = proposal.file.from !== undefined || conflicts.size === 0;
  const units = [...done, ...(isFrameReady ? frame : [])];
  const [first] = conflicts.values();
  if (first !== undefined && units.length === 0) {
    return { ...refused(first, asked), conflicts };
  }
  const mode = units.includes(wholeUnit) ? frameMode(proposal, live, remove.length > 0) : live.mode;
  const bytes = toBytes({ codec: proposal.text.codec, text: carried.lines.join('') });
  const version: FileVersion = { kind: 'file', bytes, mode };
  const isKnown = remove.every((id) => !wasThere(state, id));
  return {
    plan: isSame(version, live) ? { type: 'nothing' } : { type: 'write', version },
    units,
    conflicts,
    ...(carried.there.size > 0 ? { there: [...carried.there] } : {}),
    ...(isKnown ? { drift: carried.drift } : {}),
  };
}

/** Brings the live text to the wanted parts; one sentence when it has no lines for them. */
export function carryTo(
  { parts, text }: Proposal,
  { state, live, add, remove }: Omit<PartsRequest, 'frame'>,
): CarriedParts | string {
  if (live === undefined) {
    return 'The file was deleted or renamed meanwhile.';
  }
  if (!isFile(live)) {
    return notThere;
  }
  const now = toByteText(live.bytes);
  if (now === undefined || (now.codec !== text.codec && live.bytes.length > 0)) {
    return 'The file was changed meanwhile and cannot be merged line by line.';
  }
  const from = new Set(
    parts.flatMap(({ id }) => (state.units.get(id)?.type === 'accepted' ? [id] : [])),
  );
  // What the user's file had before it was accepted stays when it is taken back.
  const gone = remove.filter((id) => !wasThere(state, id));
  const to = new Set([...from, ...add].filter((id) => !gone.includes(id)));
  const isKnown = state.drift?.sha256 === sha256OfBytes(live.bytes);
  const drift = isKnown ? state.drift.marks : undefined;
  return carryParts({
    ...{ base: text.lines, parts, from, to, drift },
    live: splitLines(now.text),
  });
}

function isFile(live: Version | 'other'): live is FileVersion {
  return typeof live === 'object' && live.kind === 'file';
}

const notThere = 'Something else than a regular file stands in this place by now.';

function wasThere({ units }: FileState, id: string): boolean {
  const unit = units.get(id);
  return unit?.type === 'accepted' && unit.write.there.includes(id);
}

function frameMode({ base, proposed }: Proposal, live: FileVersion, isBackwards: boolean): number {
  if (base === 'unknown' || base?.kind !== 'file' || proposed?.kind !== 'file') {
    return live.mode;
  }
  return isBackwards
    ? mergeMode(proposed.mode, base.mode, live.mode)
    : mergeMode(base.mode, proposed.mode, live.mode);
}

function refused(detail: string, asked: readonly string[]): PartsPlan {
  return {
    plan: { type: 'conflict', detail },
    units: [],
    conflicts: new Map(asked.map((id) => [id, detail])),
  };
}
