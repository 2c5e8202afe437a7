import { checkFacts } from '../../run/checks';
import { agreementFrom } from '../../run/decision/agreement';
import type { Choice } from '../../run/decision/agreement';
import type { Tally } from '../../run/decision/tally';
import type { Agreement } from '../../run/facts';
import type { RunState } from '../../run/state';
import { currentRevisions } from './ledger';
import { currentPoll } from './tally';

/** The decision in numbers, read off the count at the moment the poll closed. */
export function agreementOf(state: RunState, tally: Tally, choice: Choice): Agreement {
  const ballots = state.agents.flatMap((agent) => agent.ballots);
  return agreementFrom(currentPoll(state), state.settings, tally, {
    ...choice,
    runoffs: state.runoffs,
    extraRounds: state.extraRounds,
    voidBallots: ballots.filter((ballot) => ballot.void !== undefined).length,
    ...checkFacts(
      state,
      currentRevisions(state).map(({ label }) => label),
    ),
  });
}
