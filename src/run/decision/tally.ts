import type { Slot } from '../../base/ids';
import { toleranceOf } from './poll';
import type { Poll, PollBallot, RuleSettings } from './poll';
import { selfVotePolicy } from './self-votes';
import { voteWeights } from './weights';

/** The count of the ballots of the electorate, weighted. */
export interface Tally {
  readonly electorate: readonly Slot[];
  /** Weight of all who may vote: the base of every share. */
  readonly eligibleWeight: number;
  /** Those of the electorate; others do not count. */
  readonly ballots: readonly PollBallot[];
  /** What the ballots of each voter count. */
  readonly weights: ReadonlyMap<Slot, number>;
  /** By slot voted for; a vote that is not counted leaves a 0. */
  readonly votes: ReadonlyMap<Slot, number>;
  /** The same without any vote for oneself. */
  readonly votesFromOthers: ReadonlyMap<Slot, number>;
  /** Slots with the most votes, in order of slot; empty without ballots. */
  readonly top: readonly Slot[];
  readonly best: number;
  /** What the best of the others has; 0 when there is none. */
  readonly second: number;
  /** Weight of the voters whose ballot is not there. */
  readonly missing: number;
  /** Votes for oneself that are there and not counted. */
  readonly ignoredSelfVotes: number;
}

export function tallyPoll(poll: Poll, rules: RuleSettings): Tally {
  const weights = voteWeights(poll.electors, rules.families);
  const ballots = poll.ballots.filter(({ voter }) => weights.has(voter));
  const isCounted = selfVotePolicy(rules.selfVote, poll.electors.length) === 'allow';
  const votes = new Map<Slot, number>();
  const votesFromOthers = new Map<Slot, number>();
  for (const { voter, target } of ballots) {
    const weight = weights.get(voter) ?? 0;
    const fromOther = voter === target ? 0 : weight;
    votes.set(target, (votes.get(target) ?? 0) + (isCounted ? weight : fromOther));
    votesFromOthers.set(target, (votesFromOthers.get(target) ?? 0) + fromOther);
  }
  const eligibleWeight = sum([...weights.values()]);
  const leaders = leadersOf(votes, toleranceOf(eligibleWeight));
  return {
    electorate: poll.electors.map(({ slot }) => slot),
    eligibleWeight,
    ballots,
    weights,
    votes,
    votesFromOthers,
    ...leaders,
    missing: eligibleWeight - sum(ballots.map(({ voter }) => weights.get(voter) ?? 0)),
    ignoredSelfVotes: isCounted ? 0 : ballots.filter((one) => one.voter === one.target).length,
  };
}

function leadersOf(
  votes: ReadonlyMap<Slot, number>,
  tolerance: number,
): Pick<Tally, 'top' | 'best' | 'second'> {
  const best = Math.max(0, ...votes.values());
  const top = [...votes.keys()]
    .filter((slot) => (votes.get(slot) ?? 0) >= best - tolerance)
    .sort((a, b) => a - b);
  const others = [...votes].filter(([slot]) => slot !== top[0]);
  return { top, best, second: Math.max(0, ...others.map(([, weight]) => weight)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

/** Lead of the first over the next, in weight; 0 in a tie. */
export function leadOf(tally: Tally): number {
  return tally.top.length === 1 ? tally.best - tally.second : 0;
}

/** All leaders; a lone leader meets those with the second most votes. */
export function leadersAndRunnersUp({ top, votes, second }: Tally): readonly Slot[] {
  if (top.length !== 1) {
    return top;
  }
  const tolerance = toleranceOf(second);
  const runnersUp = [...votes]
    .filter(([slot, weight]) => !top.includes(slot) && weight > 0 && weight >= second - tolerance)
    .map(([slot]) => slot);
  return [...top, ...runnersUp].sort((a, b) => a - b);
}
