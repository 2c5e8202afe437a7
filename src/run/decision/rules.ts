import { toleranceOf } from './poll';
import type { RuleSettings } from './poll';
import { leadOf } from './tally';
import type { Tally } from './tally';

/** Whether one candidate leads and has what the rule asks for. Several leaders never have. */
export function isSatisfied(rules: RuleSettings, tally: Tally): boolean {
  const { eligibleWeight, best, top } = tally;
  return (
    top.length === 1 &&
    hasShare(rules, best, eligibleWeight) &&
    hasMargin(rules, leadOf(tally), eligibleWeight)
  );
}

/** Whether so much of a `total` is enough, other candidates aside. */
export function hasShare(rules: RuleSettings, weight: number, total: number): boolean {
  const tolerance = toleranceOf(total);
  switch (rules.rule) {
    case 'plurality':
      return true;
    case 'majority':
      return weight > total / 2 + tolerance;
    case 'supermajority':
      return weight >= (rules.threshold ?? 2 / 3) * total - tolerance;
    case 'unanimity':
      return weight >= total - tolerance;
    case 'min_agreement':
      return weight >= rules.minAgreement - tolerance;
    case 'weighted':
      return rules.threshold === null || weight >= rules.threshold * total - tolerance;
  }
}

export function hasMargin({ margin }: RuleSettings, lead: number, total: number): boolean {
  return lead >= margin - toleranceOf(total);
}

/**
 * The weight a leader needs, `null` when most votes are enough. Whole weights give a whole number (2 for a majority
 * of 3); with fractions a majority needs more than the number given.
 */
export function neededWeight(
  rules: Pick<RuleSettings, 'rule' | 'threshold' | 'minAgreement'>,
  total: number,
  whole = Number.isInteger(total),
): number | null {
  const atLeast = (weight: number): number =>
    whole ? Math.max(0, Math.ceil(weight - toleranceOf(total))) : weight;
  switch (rules.rule) {
    case 'plurality':
      return null;
    case 'majority':
      return whole ? Math.floor(total / 2) + 1 : total / 2;
    case 'supermajority':
      return atLeast((rules.threshold ?? 2 / 3) * total);
    case 'unanimity':
      return total;
    case 'min_agreement':
      return rules.minAgreement;
    case 'weighted':
      return rules.threshold === null ? null : atLeast(rules.threshold * total);
  }
}

/** Ballots that close a poll of so many voters. */
export function quorumOf({ quorum }: Pick<RuleSettings, 'quorum'>, voters: number): number {
  return Math.ceil(quorum * voters - toleranceOf(voters));
}

/** Whether enough ballots are in; never without a voter. */
export function hasQuorum(rules: RuleSettings, { electorate, ballots }: Tally): boolean {
  return electorate.length > 0 && ballots.length >= quorumOf(rules, electorate.length);
}
