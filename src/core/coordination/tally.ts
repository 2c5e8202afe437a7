import type { Slot } from '../../base/ids';
import type { Ballot } from '../../run/facts';
import type { RunState } from '../../run/state';
import { electorate } from './electorate';
import { slotOf } from './ledger';

/** The count of the valid ballots of the electorate, weighted. */
export interface Tally {
  readonly electorate: readonly Slot[];
  readonly eligibleWeight: number;
  readonly ballots: readonly Ballot[];
  /** By slot voted for; an ignored vote for oneself leaves a 0. */
  readonly votes: ReadonlyMap<Slot, number>;
  readonly votesFromOthers: ReadonlyMap<Slot, number>;
  /** Slots with the most votes, empty without ballots. */
  readonly top: readonly Slot[];
  readonly best: number;
}

export function tallyOf(state: RunState): Tally {
  const electors = electorate(state);
  const ballots = electors.flatMap(({ ballot }) => ballot ?? []);
  const votes = new Map<Slot, number>();
  const votesFromOthers = new Map<Slot, number>();
  for (const ballot of ballots) {
    const slot = slotOf(ballot.target);
    const isSelf = slot === ballot.voter;
    const counted = isSelf && state.settings.selfVote === 'ignore' ? 0 : ballot.weight;
    votes.set(slot, (votes.get(slot) ?? 0) + counted);
    votesFromOthers.set(slot, (votesFromOthers.get(slot) ?? 0) + (isSelf ? 0 : ballot.weight));
  }
  const best = Math.max(0, ...votes.values());
  return {
    electorate: electors.map(({ info }) => info.slot),
    eligibleWeight: electors.reduce((sum, { info }) => sum + info.weight, 0),
    ballots,
    votes,
    votesFromOthers,
    top: [...votes.keys()].filter((slot) => votes.get(slot) === best).sort((a, b) => a - b),
    best,
  };
}

/** Weight of the ballots that have not been cast. */
export function missingWeight(tally: Tally): number {
  return tally.eligibleWeight - tally.ballots.reduce((sum, { weight }) => sum + weight, 0);
}
