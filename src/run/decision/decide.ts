import type { Slot } from '../../base/ids';
import type { TieBreakElement } from '../coordination-settings';
import type { DecisionResult } from '../facts';
import { isSettled } from './early-stop';
import type { Poll, RuleSettings } from './poll';
import { hasQuorum, isSatisfied, neededWeight } from './rules';
import { leadOf, tallyPoll } from './tally';
import type { Tally } from './tally';
import { breakTie } from './tie-break';
import { effectiveVoters } from './weights';

/** What the ballots come to, in numbers. */
export interface Decision {
  readonly tally: Tally;
  readonly isSatisfied: boolean;
  readonly outcome: DecisionResult;
  /** `null`: nothing is chosen. */
  readonly winner: Slot | null;
  /** What the tie chain needed to choose; `null` when there was nothing to choose. */
  readonly element: TieBreakElement | null;
  /** Weight the rule asks for; `null`: most votes are enough. */
  readonly needed: number | null;
  readonly share: number;
  readonly lead: number;
  readonly isUnanimous: boolean;
  readonly effectiveVoters: number;
}

/** What the ballots alone decide: the rule, else what it says about a split, without asking anybody anything more. */
export function decidePoll(poll: Poll, rules: RuleSettings): Decision {
  const tally = tallyPoll(poll, rules);
  const { winner, element } = chooseAmong(poll, rules, tally, whoMayWin(poll, rules, tally));
  return {
    ...measure(poll, rules, tally),
    outcome: outcomeOf(rules, tally, winner),
    winner,
    element,
  };
}

/** Slots among which the chain decides; a single one has won, none means that nothing is chosen. */
export function whoMayWin(poll: Poll, rules: RuleSettings, tally: Tally): readonly Slot[] {
  if (tally.ballots.length === 0) {
    return poll.candidates.map(({ slot }) => slot);
  }
  return rules.onSplit === 'fail' && !isSatisfied(rules, tally) ? [] : tally.top;
}

export function chooseAmong(
  poll: Poll,
  rules: RuleSettings,
  tally: Tally,
  among: readonly Slot[],
): Pick<Decision, 'winner' | 'element'> {
  const isKnown = poll.candidates.some(({ slot }) => among.includes(slot));
  return isKnown ? breakTie(poll, rules, tally, among) : { winner: null, element: null };
}

export type Measures = Omit<Decision, 'outcome' | 'winner' | 'element'>;

/** The numbers of a count, whoever is chosen in the end. */
export function measure(poll: Poll, rules: RuleSettings, tally: Tally): Measures {
  const { eligibleWeight, best, weights } = tally;
  const isWhole = [...weights.values()].every(Number.isInteger);
  return {
    tally,
    isSatisfied: isSatisfied(rules, tally),
    needed: neededWeight(rules, eligibleWeight, isWhole),
    share: eligibleWeight === 0 ? 0 : best / eligibleWeight,
    lead: leadOf(tally),
    isUnanimous: isUnanimous(rules, tally),
    effectiveVoters: effectiveVoters(poll.electors, rules.families),
  };
}

function isUnanimous(rules: RuleSettings, tally: Tally): boolean {
  return isSatisfied({ ...rules, rule: 'unanimity', margin: 0 }, tally);
}

/** What a poll came to once `winner` has been chosen, by whatever. */
export function outcomeOf(rules: RuleSettings, tally: Tally, winner: Slot | null): DecisionResult {
  if (tally.ballots.length === 0) {
    return 'none';
  }
  if (winner === null) {
    return 'no-consensus';
  }
  if (!hasQuorum(rules, tally) && !isSettled(rules, tally)) {
    return 'no-quorum';
  }
  return isSatisfied(rules, tally) ? 'decided' : 'tie-broken';
}
