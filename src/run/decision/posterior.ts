import { toleranceOf } from './poll';
import type { Tally } from './tally';

/**
 * Probability that more than half of all voters of this kind prefer the leader to the next one, after the votes of
 * these two so far and with every share equally likely before. A voter counts at most one vote, however large its
 * weight, and parts of a vote count against the leader.
 */
export function probabilityOfLead(tally: Tally): number {
  const { best, second, top, weights } = tally;
  const unit = Math.max(0, ...weights.values());
  if (top.length !== 1 || unit === 0) {
    return 0;
  }
  const tolerance = toleranceOf(tally.eligibleWeight);
  return betaAboveHalf(
    Math.floor((best + tolerance) / unit),
    Math.ceil((second - tolerance) / unit),
  );
}

/** P(θ > ½) for θ ~ Beta(wins + 1, losses + 1): the lower tail of a binomial with one trial more. */
export function betaAboveHalf(wins: number, losses: number): number {
  const trials = wins + losses + 1;
  let term = 0.5 ** trials;
  let sum = 0;
  for (let k = 0; k <= wins; k++) {
    sum += term;
    term *= (trials - k) / (k + 1);
  }
  return sum;
}
