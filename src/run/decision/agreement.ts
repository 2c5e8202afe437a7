import type { Label, Slot } from '../../base/ids';
import type { Agreement, DecidedBy, EarlyStop } from '../facts';
import { measure, outcomeOf } from './decide';
import type { Poll, RuleSettings } from './poll';
import type { Tally } from './tally';

/** How it came to a choice. */
export interface Choice {
  readonly decidedBy: DecidedBy;
  readonly winner: Slot | null;
  /** What broke a tie. */
  readonly element: string | null;
  /** Why not everybody was asked for a vote. */
  readonly stop?: EarlyStop | undefined;
}

/** What happened before the last round of voting. */
export type Course = Pick<
  Agreement,
  'runoffs' | 'extraRounds' | 'voidBallots' | 'excluded' | 'failedGates' | 'unchecked'
>;

/** A decision in numbers. The electorate is that of the tally; others of the poll do not count into it. */
export function agreementFrom(
  poll: Poll,
  rules: RuleSettings,
  tally: Tally,
  { decidedBy, winner, element, stop, ...course }: Choice & Course,
): Agreement {
  const electors = poll.electors.filter(({ slot }) => tally.electorate.includes(slot));
  const measures = measure({ ...poll, electors }, rules, tally);
  const isTie = tally.top.length > 1;
  return {
    rule: rules.rule,
    threshold: rules.threshold,
    quorum: rules.quorum,
    electorate: tally.electorate,
    eligibleWeight: tally.eligibleWeight,
    ballots: tally.ballots.length,
    votes: byLabel(poll, tally.votes),
    votesFromOthers: byLabel(poll, tally.votesFromOthers),
    needed: measures.needed,
    share: measures.share,
    isSatisfied: measures.isSatisfied,
    isTie,
    tied: isTie ? tally.top.flatMap((slot) => labelsOf(poll, slot)) : [],
    ...course,
    tieBreakUsed: element,
    decidedBy,
    isUnanimous: measures.isUnanimous,
    uninformedBallots: tally.ballots.filter(({ isInformed }) => !isInformed).length,
    result: decidedBy === 'gate_failed' ? 'gate-failed' : outcomeOf(rules, tally, winner),
    lead: measures.lead,
    margin: rules.margin,
    effectiveVoters: measures.effectiveVoters,
    ignoredSelfVotes: tally.ignoredSelfVotes,
    ...(stop === undefined ? {} : { earlyStop: stop }),
  };
}

/** Votes count for the agent's current answer, also those cast for an older one of the same agent. */
function byLabel(poll: Poll, votes: ReadonlyMap<Slot, number>): Readonly<Record<Label, number>> {
  return Object.fromEntries(
    [...votes]
      .sort(([a], [b]) => a - b)
      .flatMap(([slot, count]) => labelsOf(poll, slot).map((label) => [label, count] as const)),
  );
}

function labelsOf({ candidates }: Poll, slot: Slot): readonly Label[] {
  return candidates.filter((one) => one.slot === slot).map(({ label }) => label);
}
