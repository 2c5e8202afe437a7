import type { CoordinationSettings } from '../../run/coordination-settings';
import type { Tally } from './tally';

const tolerance = 1e-9;

/** Whether the leader meets the rule. More than one leader never does. */
export function isSatisfied(settings: CoordinationSettings, tally: Tally): boolean {
  const { best, eligibleWeight: total } = tally;
  if (tally.top.length !== 1) {
    return false;
  }
  switch (settings.rule) {
    case 'plurality':
      return true;
    case 'majority':
      return best > total / 2 + tolerance;
    case 'supermajority':
      return best >= (settings.threshold ?? 2 / 3) * total - tolerance;
    case 'unanimity':
      return best >= total - tolerance;
    case 'min_agreement':
      return best >= settings.minAgreement - tolerance;
    case 'weighted':
      return settings.threshold === null || best >= settings.threshold * total - tolerance;
  }
}

/**
 * The weight a leader needs, `null` when most votes are enough. Whole weights give a whole number (2 for a majority
 * of 3); with fractions a majority needs more than the number given.
 */
export function neededWeight(settings: CoordinationSettings, total: number): number | null {
  const whole = Number.isInteger(total);
  const atLeast = (weight: number): number =>
    whole ? Math.max(0, Math.ceil(weight - tolerance)) : weight;
  switch (settings.rule) {
    case 'plurality':
      return null;
    case 'majority':
      return whole ? Math.floor(total / 2) + 1 : total / 2;
    case 'supermajority':
      return atLeast((settings.threshold ?? 2 / 3) * total);
    case 'unanimity':
      return total;
    case 'min_agreement':
      return settings.minAgreement;
    case 'weighted':
      return settings.threshold === null ? null : atLeast(settings.threshold * total);
  }
}

/** Whether enough ballots are in to close the poll. */
export function hasQuorum(settings: CoordinationSettings, tally: Tally): boolean {
  const { length } = tally.electorate;
  return length > 0 && tally.ballots.length >= Math.ceil(settings.quorum * length - tolerance);
}
