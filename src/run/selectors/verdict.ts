import type { Label, Slot } from '../../base/ids';
import type { Agreement, DecidedBy } from '../facts';
import type { RunState } from '../state';
import { counted, formatCount, joinNames, plural } from './formats';
import { ruleName, tieBreakName } from './names';
import { voters } from './phases';
import { selectTally } from './tally';
import type { Tally, TallyRow } from './tally';

export interface Verdict {
  readonly slot: Slot;
  readonly label: Label;
  /** One sentence: who won and with what. */
  readonly headline: string;
  /** Rule, need, the tally without votes for oneself, and what decided a tie. */
  readonly paragraph: string;
  /** Set when all votes come from one known family of models. */
  readonly familyWarning: string | null;
}

/** Why the chosen answer was chosen, or `undefined` when nothing was. */
export function selectVerdict(state: RunState, language: string): Verdict | undefined {
  const winner = state.selection?.winner;
  if (state.selection === null || winner === null || winner === undefined) {
    return undefined;
  }
  const { agreement } = state.selection;
  const tally = selectTally(state);
  return {
    ...winner,
    headline: headline(winner.label, agreement, state, language),
    paragraph: [
      ruleSentence(agreement),
      agreement.ballots > 0 ? withoutSelfVotes(tally, winner.label) : '',
      tieSentence(agreement, language),
      agreement.isUnanimous && agreement.ballots > 1 ? 'Every vote was for it.' : '',
      uninformedSentence(agreement),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    familyWarning: familyWarning(state, agreement),
  };
}

const headlines: Readonly<
  Record<DecidedBy, (label: Label, votes: string, agreement: Agreement) => string>
> = {
  rule: (label, votes) => `${label} won with ${votes}.`,
  runoff: (label, votes) => `${label} won the runoff with ${votes}.`,
  tie_break: (label, _votes, { tieBreakUsed }) =>
    // What makes a lot trustworthy stands in the paragraph below.
    tieBreakUsed === 'seeded_hash'
      ? `${label} won a tie by lot.`
      : `${label} won a tie by ${tieBreakName(tieBreakUsed ?? 'tie_break')}.`,
  fallback_plurality: (label, votes) => `${label} has the most, ${votes}; the rule was not met.`,
  timeout: (label, votes) => `${label} was chosen when the time was up, ${votes}.`,
  budget: (label, votes) => `${label} was chosen at the cap, ${votes}.`,
  degraded: (label, votes) => `${label} was chosen by the agents that were left, ${votes}.`,
  human: (label) => `You chose ${label}.`,
  judge: (label) => `${label} was chosen by a judge after a split vote.`,
  single: () => onlyAnswer,
  no_vote: (label) => `${label} was chosen without a vote.`,
  presenter: (label) => `${label} was chosen without a vote.`,
  no_consensus: (label) => `${label} was chosen without a vote.`,
  error: (label) => `${label} was chosen without a vote.`,
  cancelled: (label) => `${label} was chosen without a vote.`,
};

const onlyAnswer = 'One answer; no vote was needed.';

function headline(label: Label, agreement: Agreement, state: RunState, language: string): string {
  const answered = state.agents.filter((agent) => agent.revisions.length > 0).length;
  const isPartial = ['timeout', 'budget', 'degraded'].includes(agreement.decidedBy);
  const share = votesOf(label, agreement, language);
  const votes = !isPartial ? share : agreement.ballots === 0 ? 'without a vote' : `with ${share}`;
  return agreement.decidedBy === 'no_vote' && answered === 1
    ? onlyAnswer
    : headlines[agreement.decidedBy](label, votes, agreement);
}

/** `2 of 3 votes`. */
function votesOf(label: Label, agreement: Agreement, language: string): string {
  const own = formatCount(agreement.votes[label] ?? 0, language);
  return `${own} of ${formatCount(agreement.eligibleWeight, language)} ${plural(agreement.eligibleWeight, 'vote', 'votes')}`;
}

function ruleSentence({ rule, needed, decidedBy }: Agreement): string {
  if (decidedBy === 'single' || decidedBy === 'no_vote') {
    return '';
  }
  return needed === null ? `${ruleName(rule)} win.` : `${ruleName(rule)} rule, ${needed} needed.`;
}

/** How it would stand if no vote for oneself counted. */
function withoutSelfVotes(tally: Tally, winner: Label): string {
  if (!tally.hasSelfVotes) {
    return 'No agent voted for its own answer.';
  }
  const own = tally.rows.find((row) => row.label === winner)?.votesFromOthers ?? 0;
  const best = bestOther(tally, winner);
  if (best === undefined) {
    return `Without self-votes it has ${counted(own, 'vote', 'votes')}.`;
  }
  const other = best.votesFromOthers;
  if (own === other) {
    return `Without self-votes it would be a tie, ${own} to ${other}.`;
  }
  return own > other
    ? `Without self-votes it also leads, ${own} to ${other}.`
    : `Without self-votes ${best.label} would lead, ${other} to ${own}.`;
}

function bestOther(tally: Tally, winner: Label): TallyRow | undefined {
  return tally.rows
    .filter((row) => row.label !== winner)
    .toSorted((a, b) => b.votesFromOthers - a.votesFromOthers)
    .at(0);
}

function tieSentence({ isTie, tied, votes, tieBreakUsed }: Agreement, language: string): string {
  const [first] = tied;
  if (!isTie || first === undefined || tied.length < 2) {
    return '';
  }
  const each = counted(votes[first] ?? 0, 'vote', 'votes');
  const by = tieBreakUsed === null ? '' : `; the tie was decided by ${tieBreakName(tieBreakUsed)}`;
  return `${joinNames(tied, language)} had ${each} each${by}.`;
}

function uninformedSentence({ uninformedBallots: count }: Agreement): string {
  return count === 0
    ? ''
    : `${counted(count, 'vote was', 'votes were')} cast before the voter had seen every answer.`;
}

function familyWarning(state: RunState, agreement: Agreement): string | null {
  const families = new Set(voters(state).map((agent) => agent.info.family));
  const isOne = families.size === 1 && !families.has('') && !state.isScripted;
  return isOne && agreement.ballots > 1 ? 'These votes come from one family.' : null;
}
