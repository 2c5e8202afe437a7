import { defined } from '../../base/assert';
import type { Slot } from '../../base/ids';
import { sha256Hex } from '../../base/sha256';
import type { TieBreakElement } from '../coordination-settings';
import { toleranceOf } from './poll';
import type { Poll, PollCandidate, RuleSettings } from './poll';
import type { Tally } from './tally';

export interface BrokenTie {
  readonly winner: Slot;
  /** The element that left one slot, `null` when there was only one from the start. */
  readonly element: TieBreakElement | null;
}

/** Narrows tied candidates element by element until one is left. `tied` must name a candidate of the poll. */
export function breakTie(
  poll: Poll,
  rules: RuleSettings,
  tally: Tally,
  tied: readonly Slot[],
): BrokenTie {
  let left = poll.candidates.filter(({ slot }) => tied.includes(slot));
  let element: TieBreakElement | null = null;
  for (const next of chainOf(rules)) {
    if (left.length <= 1) {
      break;
    }
    left = narrowedBy(next, left, { rules, tally });
    element = next;
  }
  return { winner: defined(left[0], 'a tie has members').slot, element };
}

/** The order of the list decides last where MassGen's own files ask for it, and never otherwise. */
export function chainOf({
  tieBreak,
  profile,
}: Pick<RuleSettings, 'tieBreak' | 'profile'>): readonly TieBreakElement[] {
  return [...tieBreak, profile === 'compat' ? 'config_order' : 'seeded_hash'];
}

export interface TieContext {
  readonly rules: RuleSettings;
  readonly tally: Tally;
}

/** Those of the tied that are best by one element of the chain. */
export function narrowedBy(
  element: TieBreakElement,
  tied: readonly PollCandidate[],
  { rules, tally }: TieContext,
): PollCandidate[] {
  const tolerance = toleranceOf(tally.eligibleWeight);
  switch (element) {
    case 'evidence':
      return byEvidence(tied);
    case 'approvals':
      return largest(tied, ({ slot }) => approvalsOf(tally, slot), tolerance);
    case 'votes_from_others':
      return largest(tied, ({ slot }) => tally.votesFromOthers.get(slot) ?? 0, tolerance);
    case 'smaller_change':
      return bySmallerChange(tied);
    case 'latest':
      return largest(tied, ({ seq }) => seq);
    case 'earliest':
      return largest(tied, ({ seq }) => -seq);
    case 'seeded_hash':
      return byLot(tied, rules.runSeed);
    case 'config_order':
      return largest(tied, ({ slot }) => -slot);
  }
}

function largest(
  tied: readonly PollCandidate[],
  measure: (candidate: PollCandidate) => number,
  tolerance = 0,
): PollCandidate[] {
  const best = Math.max(...tied.map(measure));
  return tied.filter((candidate) => measure(candidate) >= best - tolerance);
}

/** Compared only where every tied answer was checked: not to be checked is no fault. */
function byEvidence(tied: readonly PollCandidate[]): PollCandidate[] {
  const isComplete = tied.every(({ evidence }) => evidence !== null);
  return isComplete ? largest(tied, ({ evidence }) => evidence ?? 0) : [...tied];
}

/** Weight of the other voters who voted for the slot or said that they would accept it. */
function approvalsOf({ ballots, weights }: Tally, slot: Slot): number {
  return ballots
    .filter(
      ({ voter, target, approve }) => voter !== slot && (target === slot || approve.includes(slot)),
    )
    .reduce((sum, { voter }) => sum + (weights.get(voter) ?? 0), 0);
}

/** Compared only where every tied answer changes something: doing nothing is not the smallest change. */
function bySmallerChange(tied: readonly PollCandidate[]): PollCandidate[] {
  if (tied.some(({ changedFiles }) => changedFiles === 0)) {
    return [...tied];
  }
  return largest(
    largest(tied, ({ changedLines }) => -changedLines),
    ({ changedFiles }) => -changedFiles,
  );
}

/**
 * A lot that anybody can draw again from the seed. It is drawn over what the answers say and change, so that neither
 * the name of an agent nor its place in the list can win; only between equal contents does the label choose.
 */
function byLot(tied: readonly PollCandidate[], seed: string): PollCandidate[] {
  const lot = ({ contentHash, label }: PollCandidate): string =>
    `${sha256Hex(`${seed}\n${contentHash}`)} ${sha256Hex(`${seed}\n${label}`)}`;
  return tied
    .map((candidate) => ({ candidate, lot: lot(candidate) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, 1)
    .map(({ candidate }) => candidate);
}
