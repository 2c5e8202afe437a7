import type { Label, Slot } from '../../base/ids';
import { reasonFor } from '../decision/reason';
import type { Agreement } from '../facts';
import type { RunState } from '../state';
import { filesNote } from './candidates';
import { checksSentence } from './check-words';
import { counted, joinNames } from './formats';
import { ruleName, tieBreakName } from './names';
import { voters } from './phases';
import { selectTally } from './tally';
import type { Tally, TallyRow } from './tally';

export interface Verdict {
  readonly slot: Slot;
  readonly label: Label;
  /** The reason in one sentence, the same in panel, terminal and files. */
  readonly headline: string;
  /** Rule, need, the tally without votes for oneself, what decided a tie, and what the checks said. */
  readonly paragraph: string;
  /** Set when all votes come from one known family of models. */
  readonly familyWarning: string | null;
}

/** The reason of the decision in one sentence, also of one that chose nothing; `undefined` before it. */
export function selectReason(state: RunState): string | undefined {
  const { selection } = state;
  return selection === null
    ? undefined
    : reasonFor(selection.agreement, selection.winner?.label ?? null, answered(state));
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
    headline: reasonFor(agreement, winner.label, answered(state)),
    paragraph: [
      ruleSentence(agreement),
      stopSentence(agreement),
      agreement.ballots > 0 ? withoutSelfVotes(tally, winner.label) : '',
      tieSentence(agreement, language),
      agreement.isUnanimous && agreement.ballots > 1 ? 'Every vote was for it.' : '',
      ignoredSentence(agreement),
      checksSentence(state, winner.label, language),
      noteOnFiles(state, winner.label),
      uninformedSentence(agreement),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    familyWarning: familyWarning(state, agreement),
  };
}

function noteOnFiles({ agents }: RunState, winner: Label): string {
  const all = agents.flatMap(({ revisions }) => revisions);
  const chosen = all.find(({ label }) => label === winner);
  return chosen === undefined ? '' : filesNote(chosen);
}

function answered(state: RunState): number {
  return state.agents.filter(({ revisions }) => revisions.length > 0).length;
}

function ruleSentence({ rule, needed, margin, decidedBy }: Agreement): string {
  if (decidedBy === 'single' || decidedBy === 'no_vote') {
    return '';
  }
  const lead = margin > 0 ? ` with a lead of ${counted(margin, 'vote', 'votes')}` : '';
  return needed === null
    ? `${ruleName(rule)} win${lead}.`
    : `${ruleName(rule)} rule, ${needed} needed${lead}.`;
}

function stopSentence({ earlyStop }: Agreement): string {
  return earlyStop?.by === 'exact' && earlyStop.unasked > 0
    ? `${counted(earlyStop.unasked, 'vote was', 'votes were')} not waited for; nothing could change any more.`
    : '';
}

function ignoredSentence({ ignoredSelfVotes: count }: Agreement): string {
  return count === 0
    ? ''
    : `${counted(count, 'vote for oneself was', 'votes for oneself were')} not counted.`;
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
