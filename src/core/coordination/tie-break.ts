import { toLabel } from '../../base/ids';
import type { Slot } from '../../base/ids';
import { evidenceOf } from '../../run/checks';
import { pollOf } from '../../run/decision/poll-of';
import type { PollCandidate } from '../../run/decision/poll';
import type { Tally } from '../../run/decision/tally';
import { breakTie as breakTieOf } from '../../run/decision/tie-break';
import type { BrokenTie } from '../../run/decision/tie-break';
import type { RunState } from '../../run/state';
import { agentAt, currentRevision } from './ledger';

/** Narrows tied slots by the chain of the settings until one is left. `tied` must not be empty. */
export function breakTie(state: RunState, tally: Tally, tied: readonly Slot[]): BrokenTie {
  const candidates = tied.flatMap((slot) => {
    const revision = currentRevision(agentAt(state, slot));
    return revision === undefined
      ? [withoutAnswer(slot)]
      : pollOf({
          ...{ candidates: [revision], electors: [], ballots: [] },
          evidenceOf: (label) => evidenceOf(state, label),
        }).candidates;
  });
  return breakTieOf({ candidates, electors: [], ballots: [] }, state.settings, tally, tied);
}

/** A presenter may be chosen that has no answer of its own. */
function withoutAnswer(slot: Slot): PollCandidate {
  return {
    slot,
    label: toLabel(slot, 0),
    seq: 0,
    changedLines: 0,
    changedFiles: 0,
    evidence: null,
    contentHash: '',
  };
}
