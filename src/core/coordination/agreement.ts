import type { Label, Slot } from '../../base/ids';
import type { Agreement, DecidedBy, DecisionResult } from '../../run/facts';
import type { RunState } from '../../run/state';
import { agentAt, currentRevision } from './ledger';
import { isSatisfied, neededWeight } from './rules';
import type { Tally } from './tally';

/** The decision in numbers, read off the count at the moment the poll closed. */
export function agreementOf(
  state: RunState,
  tally: Tally,
  decidedBy: DecidedBy,
  tieBreakUsed: string | null,
): Agreement {
  const { settings } = state;
  const isTie = tally.top.length > 1;
  const ballots = state.agents.flatMap((agent) => agent.ballots);
  const others = [...tally.votes].filter(([slot]) => slot !== tally.top[0]);
  return {
    rule: settings.rule,
    threshold: settings.threshold,
    quorum: settings.quorum,
    electorate: tally.electorate,
    eligibleWeight: tally.eligibleWeight,
    ballots: tally.ballots.length,
    votes: byLabel(state, tally.votes),
    votesFromOthers: byLabel(state, tally.votesFromOthers),
    needed: neededWeight(settings, tally.eligibleWeight),
    share: tally.eligibleWeight === 0 ? 0 : tally.best / tally.eligibleWeight,
    isSatisfied: isSatisfied(settings, tally),
    isTie,
    tied: isTie ? tally.top.flatMap((slot) => labelsOf(state, slot)) : [],
    runoffs: state.runoffs,
    extraRounds: state.extraRounds,
    tieBreakUsed,
    decidedBy,
    isUnanimous: tally.top.length === 1 && tally.best >= tally.eligibleWeight - 1e-9,
    uninformedBallots: tally.ballots.filter(({ isInformed }) => !isInformed).length,
    voidBallots: ballots.filter((ballot) => ballot.void !== undefined).length,
    result: resultOf(tally, decidedBy),
    lead: isTie ? 0 : tally.best - Math.max(0, ...others.map(([, votes]) => votes)),
    margin: settings.margin,
    effectiveVoters: tally.electorate.length,
    ignoredSelfVotes: 0,
  };
}

function resultOf(tally: Tally, decidedBy: DecidedBy): DecisionResult {
  switch (decidedBy) {
    case 'rule':
    case 'runoff':
      return 'decided';
    case 'no_consensus':
      return 'no-consensus';
    case 'timeout':
    case 'budget':
      return tally.ballots.length < tally.electorate.length ? 'no-quorum' : 'tie-broken';
    case 'tie_break':
    case 'fallback_plurality':
    case 'judge':
    case 'human':
      return 'tie-broken';
    default:
      return 'none';
  }
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
