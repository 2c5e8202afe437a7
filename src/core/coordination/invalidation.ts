import type { Slot } from '../../base/ids';
import type { RunState } from '../../run/state';
import { slotOf } from './ledger';

/** Whose ballots (and abstentions) a new answer of `author` makes void. */
export function voidedBy(state: RunState, author: Slot): readonly Slot[] {
  const isAll = state.settings.voteInvalidation === 'all';
  return state.agents
    .filter(({ ballot, status }) =>
      ballot === null ? isAll && status === 'abstained' : isAll || slotOf(ballot.target) === author,
    )
    .map(({ info }) => info.slot);
}
