import { evidenceOf } from '../../run/checks';
import type { Poll } from '../../run/decision/poll';
import { pollOf } from '../../run/decision/poll-of';
import { tallyPoll } from '../../run/decision/tally';
import type { Tally } from '../../run/decision/tally';
import type { RunState } from '../../run/state';
import { electorate } from './electorate';
import { candidates } from './ledger';

/** What is decided about now: the answers that may win, who may vote, and the ballots that stand. */
export function currentPoll(state: RunState): Poll {
  const electors = electorate(state);
  return pollOf({
    candidates: candidates(state),
    electors: electors.map(({ info }) => info),
    ballots: electors.flatMap(({ ballot }) => ballot ?? []),
    evidenceOf: (label) => evidenceOf(state, label),
  });
}

/** The count of the valid ballots of the electorate. */
export function tallyOf(state: RunState): Tally {
  return tallyPoll(currentPoll(state), state.settings);
}
