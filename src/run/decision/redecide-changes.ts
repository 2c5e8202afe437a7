import type { Label } from '../../base/ids';
import type { Agreement, DecisionResult } from '../facts';
import { tieBreakName } from '../selectors/names';

export interface Redecided {
  readonly winner: Label | null;
  readonly outcome: DecisionResult;
  /** One sentence with the numbers. */
  readonly reason: string;
  /** `null`: nothing has been decided. */
  readonly agreement: Agreement | null;
}

/** What is different between two decisions about the same votes, one sentence each. */
export function changesBetween(before: Redecided, after: Redecided): readonly string[] {
  return [
    ...winnerChange(before.winner, after.winner),
    ...(before.outcome === after.outcome ? [] : [outcomes[after.outcome]]),
    ...(before.agreement === null || after.agreement === null
      ? []
      : numberChanges(before.agreement, after.agreement)),
  ];
}

function winnerChange(before: Label | null, after: Label | null): readonly string[] {
  if (before === after) {
    return [];
  }
  if (after === null) {
    return [`Nothing would have been chosen instead of ${before ?? 'an answer'}.`];
  }
  return [`${after} would have been chosen${before === null ? '' : ` instead of ${before}`}.`];
}

const outcomes: Readonly<Record<DecisionResult, string>> = {
  decided: 'The rule would have been met.',
  'tie-broken': 'The rule would not have been met.',
  'no-quorum': 'There would not have been votes enough to hold.',
  'no-consensus': 'There would have been no consensus.',
  'gate-failed': 'No candidate would have passed the checks.',
  none: 'There would have been no votes.',
};

function numberChanges(before: Agreement, after: Agreement): readonly string[] {
  return [
    ...neededChange(before, after),
    ...votesChange(before, after),
    ...(before.ballots === after.ballots
      ? []
      : [
          `${after.ballots} ${after.ballots === 1 ? 'ballot' : 'ballots'} would have counted instead of ${before.ballots}.`,
        ]),
    ...(before.runoffs > after.runoffs ? ['No runoff would have been held.'] : []),
    ...(before.extraRounds > after.extraRounds ? ['No further round would have been held.'] : []),
    ...tieChange(before.tieBreakUsed, after.tieBreakUsed),
  ];
}

function neededChange(before: Agreement, after: Agreement): readonly string[] {
  const isSame = before.needed === after.needed && before.eligibleWeight === after.eligibleWeight;
  if (isSame && before.margin === after.margin) {
    return [];
  }
  const lead = after.margin > 0 ? ` and a lead of ${number(after.margin)}` : '';
  return after.needed === null
    ? [
        `The most votes would have been enough${after.margin > 0 ? `, with a lead of ${number(after.margin)}` : ''}.`,
      ]
    : [`${number(after.needed)} of ${number(after.eligibleWeight)} would have been needed${lead}.`];
}

/** A later round is another vote; its numbers are not compared with those of an earlier one. */
function votesChange(before: Agreement, after: Agreement): readonly string[] {
  const isSameRound = before.runoffs === after.runoffs && before.extraRounds === after.extraRounds;
  return isSameRound
    ? Object.entries(after.votes).flatMap(([label, votes]) => {
        const was = Object.entries(before.votes).find(([other]) => other === label)?.[1] ?? 0;
        return was === votes
          ? []
          : [`${label} would have ${number(votes)} instead of ${number(was)}.`];
      })
    : [];
}

function tieChange(before: string | null, after: string | null): readonly string[] {
  return after === null || before === after
    ? []
    : [`The tie would have been decided by ${tieBreakName(after)}.`];
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
