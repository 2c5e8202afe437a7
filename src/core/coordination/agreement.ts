import type { Label, Slot } from '../../base/ids';
import { measure, outcomeOf } from '../../run/decision/decide';
import type { Tally } from '../../run/decision/tally';
import type { Agreement, DecidedBy, EarlyStop } from '../../run/facts';
import type { RunState } from '../../run/state';
import { agentAt, currentRevision } from './ledger';

/** How it came to a choice. */
export interface Choice {
  readonly decidedBy: DecidedBy;
  readonly winner: Slot | null;
  /** What broke a tie. */
  readonly element: string | null;
  /** Why not everybody was asked for a vote. */
  readonly stop?: EarlyStop | undefined;
}

/** The decision in numbers, read off the count at the moment the poll closed. */
export function agreementOf(state: RunState, tally: Tally, choice: Choice): Agreement {
  const { settings } = state;
  const { decidedBy, winner, element, stop } = choice;
  const electors = tally.electorate.map((slot) => agentAt(state, slot).info);
  const isTie = tally.top.length > 1;
  const measures = measure({ candidates: [], electors, ballots: [] }, settings, tally);
  const ballots = state.agents.flatMap((agent) => agent.ballots);
  return {
    rule: settings.rule,
    threshold: settings.threshold,
    quorum: settings.quorum,
    electorate: tally.electorate,
    eligibleWeight: tally.eligibleWeight,
    ballots: tally.ballots.length,
    votes: byLabel(state, tally.votes),
    votesFromOthers: byLabel(state, tally.votesFromOthers),
    needed: measures.needed,
    share: measures.share,
    isSatisfied: measures.isSatisfied,
    isTie,
    tied: isTie ? tally.top.flatMap((slot) => labelsOf(state, slot)) : [],
    runoffs: state.runoffs,
    extraRounds: state.extraRounds,
    tieBreakUsed: element,
    decidedBy,
    isUnanimous: measures.isUnanimous,
    uninformedBallots: tally.ballots.filter(({ isInformed }) => !isInformed).length,
    voidBallots: ballots.filter((ballot) => ballot.void !== undefined).length,
    result: outcomeOf(settings, tally, winner),
    lead: measures.lead,
    margin: settings.margin,
    effectiveVoters: measures.effectiveVoters,
    ignoredSelfVotes: tally.ignoredSelfVotes,
    ...(stop === undefined ? {} : { earlyStop: stop }),
  };
}

function labelsOf(state: RunState, slot: Slot): readonly Label[] {
  const revision = currentRevision(agentAt(state, slot));
  return revision === undefined ? [] : [revision.label];
}

/** Votes count for the agent's current answer, also those cast for an older one of the same agent. */
function byLabel(
  state: RunState,
  votes: ReadonlyMap<Slot, number>,
): Readonly<Record<Label, number>> {
  return Object.fromEntries(
    [...votes]
      .sort(([a], [b]) => a - b)
      .flatMap(([slot, count]) => labelsOf(state, slot).map((label) => [label, count] as const)),
  );
}
