import { defined } from '../../base/assert';
import { toLabel } from '../../base/ids';
import type { Label, Slot } from '../../base/ids';
import { sha256Hex } from '../../base/sha256';
import type { TieBreakElement } from '../../run/coordination-settings';
import type { RunState } from '../../run/state';
import { agentAt, currentRevision, slotOf } from './ledger';
import type { Tally } from './tally';

export interface BrokenTie {
  readonly winner: Slot;
  /** The element that left one slot, `null` when there was only one from the start. */
  readonly element: TieBreakElement | null;
}

/** Narrows tied slots element by element until one is left. `tied` must not be empty. */
export function breakTie(state: RunState, tally: Tally, tied: readonly Slot[]): BrokenTie {
  const { tieBreak, profile } = state.settings;
  const last = profile === 'compat' ? 'config_order' : 'seeded_hash';
  let left = tied;
  let element: TieBreakElement | null = null;
  for (const next of [...tieBreak, last] as const) {
    if (left.length <= 1) {
      break;
    }
    left = narrow(state, tally, left, next);
    element = next;
  }
  return { winner: defined(left[0], 'a tie has members'), element };
}

function narrow(
  state: RunState,
  tally: Tally,
  tied: readonly Slot[],
  element: TieBreakElement,
): readonly Slot[] {
  switch (element) {
    case 'evidence':
      return tied;
    case 'votes_from_others':
      return largest(tied, (slot) => tally.votesFromOthers.get(slot) ?? 0);
    case 'approvals':
      return largest(tied, (slot) => approvalsOf(tally, slot));
    case 'smaller_change':
      return smallestChange(state, tied);
    case 'latest':
      return largest(tied, (slot) => seqOf(state, slot));
    case 'earliest':
      return largest(tied, (slot) => -seqOf(state, slot));
    case 'seeded_hash':
      return bySeededHash(state, tied);
    case 'config_order':
      return [Math.min(...tied)];
  }
}

function largest(tied: readonly Slot[], measure: (slot: Slot) => number): readonly Slot[] {
  const best = Math.max(...tied.map(measure));
  return tied.filter((slot) => measure(slot) === best);
}

function seqOf(state: RunState, slot: Slot): number {
  return currentRevision(agentAt(state, slot))?.seq ?? 0;
}

/** Weight of the other voters who voted for the slot or said that they would accept it. */
function approvalsOf(tally: Tally, slot: Slot): number {
  return tally.ballots
    .filter(
      ({ voter, target, approve }) =>
        voter !== slot && [target, ...(approve ?? [])].some((label) => slotOf(label) === slot),
    )
    .reduce((sum, { weight }) => sum + weight, 0);
}

/** Compared only where every tied answer changes something: doing nothing is not the smallest change. */
function smallestChange(state: RunState, tied: readonly Slot[]): readonly Slot[] {
  const changes = (slot: Slot) => currentRevision(agentAt(state, slot))?.changes ?? [];
  if (tied.some((slot) => changes(slot).length === 0)) {
    return tied;
  }
  return largest(
    tied,
    (slot) => -changes(slot).reduce((sum, { added, removed }) => sum + added + removed, 0),
  );
}

/** Neutral and reproducible: depends on the run's seed and on the labels of all who are tied. */
function bySeededHash(state: RunState, tied: readonly Slot[]): readonly Slot[] {
  const labels = tied.map((slot) => labelOf(state, slot)).sort();
  const hash = (slot: Slot): string =>
    sha256Hex([state.settings.runSeed, ...labels, labelOf(state, slot)].join('\n'));
  return [...tied].sort((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, 1);
}

function labelOf(state: RunState, slot: Slot): Label {
  return currentRevision(agentAt(state, slot))?.label ?? toLabel(slot, 0);
}
