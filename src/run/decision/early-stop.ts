import type { EarlyStop } from '../facts';
import { toleranceOf } from './poll';
import type { Poll, RuleSettings } from './poll';
import { probabilityOfLead } from './posterior';
import { hasMargin, hasShare, isSatisfied } from './rules';
import { leadOf, tallyPoll } from './tally';
import type { Tally } from './tally';

/** Whether the votes so far are enough under the setting `stop`. */
export function earlyStop(poll: Poll, rules: RuleSettings): EarlyStop | undefined {
  const tally = tallyPoll(poll, rules);
  if (rules.stop === 'full' || tally.ballots.length === 0) {
    return undefined;
  }
  const unasked = poll.electors.length - tally.ballots.length;
  if (isSettled(rules, tally)) {
    return { by: 'exact', unasked, probability: null };
  }
  const probability = rules.stop === 'posterior' ? probabilityOfLead(tally) : 0;
  return probability >= rules.posteriorAt && isMetByCast(poll, rules)
    ? { by: 'posterior', unasked, probability }
    : undefined;
}

/**
 * Whether no missing ballot can change anything about the decision: not who wins, not by what, and no tie. The missing
 * voters may vote for anybody or abstain. The full count gives the same for every way in which it can go on.
 */
export function isSettled(rules: RuleSettings, tally: Tally): boolean {
  const { best, second, missing, eligibleWeight: total, top } = tally;
  const worstLead = top.length === 1 ? best - second - missing : 0;
  const isLeaderSafe = worstLead > closeLead(rules, tally) + toleranceOf(total);
  if (isLeaderSafe && hasShare(rules, best, total) && hasMargin(rules, worstLead, total)) {
    return true;
  }
  if (canAnyoneMeet(rules, tally)) {
    return false;
  }
  return rules.onSplit === 'fail' || (rules.onSplit === 'tie_break' && isLeaderSafe);
}

/** Leaders no further apart than this are compared once more. */
export function closeLead({ dualPass }: RuleSettings, { weights }: Tally): number {
  return dualPass === 'close' ? Math.max(0, ...weights.values()) : 0;
}

/** A missing vote helps a candidate at least as much as an abstention, which makes the base smaller. */
function canAnyoneMeet(rules: RuleSettings, tally: Tally): boolean {
  const { votes, missing, eligibleWeight: total } = tally;
  // Somebody without any vote so far may still get all that is missing.
  return [...votes, [0, 0] as const].some(([slot, weight]) => {
    const reached = weight + missing;
    const others = [...votes].filter(([other]) => other !== slot).map(([, other]) => other);
    const lead = reached - Math.max(0, ...others);
    return (
      lead > toleranceOf(total) && hasShare(rules, reached, total) && hasMargin(rules, lead, total)
    );
  });
}

/** The rule over the votes cast alone. */
function isMetByCast(poll: Poll, rules: RuleSettings): boolean {
  const tally = tallyPoll(castOnly(poll), rules);
  return isSatisfied(rules, tally) && leadOf(tally) > closeLead(rules, tally);
}

/** The poll as if those who have not voted had never been asked. */
export function castOnly(poll: Poll): Poll {
  const voters = new Set(poll.ballots.map(({ voter }) => voter));
  return { ...poll, electors: poll.electors.filter(({ slot }) => voters.has(slot)) };
}
