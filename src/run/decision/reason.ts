import type { Label } from '../../base/ids';
import type { Agreement, DecidedBy } from '../facts';
import { tieBreakName } from '../selectors/names';
import { checkWords, noCandidate } from './check-reason';
import { quorumOf } from './rules';

/**
 * Why a poll ended as it did: one sentence with the numbers in it, the same wherever it is read. `answers`: how many
 * agents had handed in an answer.
 */
export function reasonFor(agreement: Agreement, winner: Label | null, answers: number): string {
  if (winner === null) {
    return agreement.decidedBy === 'gate_failed'
      ? noCandidate(agreement)
      : `Nothing was chosen: ${whyNothing(agreement)}.`;
  }
  const isOnly = agreement.decidedBy === 'no_vote' && answers === 1;
  const why = isOnly ? onlyAnswer : sentences[agreement.decidedBy](winner, agreement);
  return `${why}${checkWords(winner, agreement)}`;
}

const onlyAnswer = 'One answer; no vote was needed.';

const withoutVote = (winner: Label, { tieBreakUsed }: Agreement): string =>
  `${winner} was chosen without a vote${tieBreakUsed === null ? '' : `, by ${elementName(tieBreakUsed)}`}.`;

const sentences: Readonly<Record<DecidedBy, (winner: Label, agreement: Agreement) => string>> = {
  rule: (winner, agreement) =>
    `${winner} won with ${votesFor(winner, agreement)}${unasked(agreement)}.`,
  runoff: (winner, agreement) =>
    `${winner} won the runoff with ${votesFor(winner, agreement)}${unasked(agreement)}.`,
  tie_break: (winner, agreement) =>
    `${winner} won a tie of ${counted(agreement.votes[winner] ?? 0, 'vote')} each by ${elementName(agreement.tieBreakUsed ?? 'tie_break')}.`,
  fallback_plurality: (winner, agreement) =>
    `${winner} has the most, ${votesFor(winner, agreement)}; ${whatIsMissing(agreement)}.`,
  timeout: (winner, agreement) =>
    `${winner} was chosen when the time was up, ${cutShort(winner, agreement)}.`,
  budget: (winner, agreement) => `${winner} was chosen at the cap, ${cutShort(winner, agreement)}.`,
  degraded: (winner, agreement) =>
    `${winner} was chosen by the agents that were left, ${cutShort(winner, agreement)}.`,
  human: (winner, agreement) => `You chose ${winner}${standing(winner, agreement)}.`,
  judge: (winner, agreement) =>
    `${winner} was chosen by a judge after a split vote${standing(winner, agreement)}.`,
  single: () => onlyAnswer,
  no_vote: withoutVote,
  presenter: (winner) => `${winner} was chosen without a vote.`,
  no_consensus: withoutVote,
  gate_failed: withoutVote,
  error: withoutVote,
  cancelled: withoutVote,
};

/** To be read after "by". What makes a lot trustworthy is explained where there is room for it. */
function elementName(element: string): string {
  return element === 'seeded_hash' ? 'lot' : tieBreakName(element);
}

/** `2 of 3 votes`. */
function votesFor(label: Label, { votes, eligibleWeight }: Agreement): string {
  return `${number(votes[label] ?? 0)} of ${counted(eligibleWeight, 'vote')}`;
}

function standing(winner: Label, agreement: Agreement): string {
  return agreement.ballots === 0 ? ' without a vote' : `; it had ${votesFor(winner, agreement)}`;
}

function unasked({ earlyStop }: Agreement): string {
  return earlyStop?.by !== 'posterior'
    ? ''
    : `; ${counted(earlyStop.unasked, 'voter')} ${earlyStop.unasked === 1 ? 'was' : 'were'} not asked, as it is the better one with ${Math.floor(100 * (earlyStop.probability ?? 0))} %`;
}

function cutShort(winner: Label, agreement: Agreement): string {
  const { ballots, electorate, result } = agreement;
  if (ballots === 0) {
    return 'without a vote';
  }
  const quorum = quorumOf(agreement, electorate.length);
  const lacking =
    result === 'no-quorum' ? `; ${ballots} of the ${counted(quorum, 'ballot')} needed were in` : '';
  return `with ${votesFor(winner, agreement)}${lacking}`;
}

/** Why the leader does not meet the rule. */
function whatIsMissing({ needed, share, eligibleWeight, lead, margin }: Agreement): string {
  const best = share * eligibleWeight;
  if (needed !== null && best < needed) {
    return `the rule asks for ${number(needed)}`;
  }
  return lead < margin
    ? `the rule asks for a lead of ${number(margin)}, and it leads by ${number(lead)}`
    : 'the rule was not met';
}

function whyNothing(agreement: Agreement): string {
  const { ballots, electorate, decidedBy } = agreement;
  const votesIn = `${ballots} of ${counted(electorate.length, 'ballot')} in`;
  switch (decidedBy) {
    case 'timeout':
      return `the time was up with ${votesIn}`;
    case 'budget':
      return `a cap was reached with ${votesIn}`;
    case 'cancelled':
      return `the run was stopped with ${votesIn}`;
    case 'error':
      return 'no agent handed in an answer';
    default:
      return ballots === 0 ? 'nobody voted' : `${leaders(agreement)}; ${whatIsMissing(agreement)}`;
  }
}

function leaders({ share, eligibleWeight, isTie, tied, votes }: Agreement): string {
  const most = `${number(share * eligibleWeight)} of ${counted(eligibleWeight, 'vote')}`;
  if (isTie && tied.length > 1) {
    return `${joined(tied)} have ${most} each`;
  }
  const [leader] = Object.entries(votes).toSorted(([, a], [, b]) => b - a);
  return leader === undefined ? `the most is ${most}` : `${leader[0]} has the most, ${most}`;
}

function joined(labels: readonly string[]): string {
  return [labels.slice(0, -1).join(', '), ...labels.slice(-1)].join(' and ');
}

function counted(count: number, one: string): string {
  return `${number(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** At most two digits after the point, in every language the same: files have no language. */
function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
