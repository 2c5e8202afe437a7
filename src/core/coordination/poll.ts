import type { PollClosed } from '../../run/events';
import type { RunState } from '../../run/state';
import { currentRevisions, liveAgents } from './ledger';
import { hasQuorum, isSatisfied } from './rules';
import { closeAfterFailures, closePoll } from './selection';
import type { Step } from './step';
import { missingWeight, tallyOf } from './tally';
import type { Tally } from './tally';
import { isDecomposition, skipsVoting } from './toolset';

/** Closes the poll when nothing more is to be waited for. Called after each accepted action and failure. */
export function checkPoll(step: Step): void {
  const { state } = step;
  if (state.poll.kind === 'closed') {
    return;
  }
  if (liveAgents(state).length === 0) {
    closeAfterFailures(step);
    return;
  }
  const tally = tallyOf(state);
  const cause = closingCause(state, tally);
  if (cause !== undefined) {
    closePoll(step, cause, tally);
  }
}

function closingCause(state: RunState, tally: Tally): PollClosed['cause'] | undefined {
  if (isDecomposition(state)) {
    return liveAgents(state).every(({ status }) => status === 'done') ? 'stopped' : undefined;
  }
  if (skipsVoting(state)) {
    return haveAllAnswered(state) ? 'answered' : undefined;
  }
  if (hasQuorum(state.settings, tally)) {
    return 'quorum';
  }
  return state.settings.stop !== 'full' && isOutOfReach(state, tally) ? 'early_stop' : undefined;
}

/** Agents that abstain have said that they hand in nothing. */
function haveAllAnswered(state: RunState): boolean {
  const waitedFor = liveAgents(state).filter(({ status }) => status !== 'abstained');
  return (
    currentRevisions(state).length > 0 && waitedFor.every(({ revisions }) => revisions.length > 0)
  );
}

/** The leader has met the rule, and the missing ballots cannot change who leads. */
function isOutOfReach(state: RunState, tally: Tally): boolean {
  const others = [...tally.votes].filter(([slot]) => !tally.top.includes(slot));
  const second = Math.max(0, ...others.map(([, votes]) => votes));
  return isSatisfied(state.settings, tally) && tally.best > second + missingWeight(tally);
}
