import { castOnly, earlyStop } from '../../run/decision/early-stop';
import { hasQuorum } from '../../run/decision/rules';
import { tallyPoll } from '../../run/decision/tally';
import type { RunState } from '../../run/state';
import { currentRevisions, liveAgents } from './ledger';
import { closeAfterFailures, closePoll } from './selection';
import type { PollEnd } from './selection';
import type { Step } from './step';
import { currentPoll } from './tally';
import { isDecomposition, skipsVoting } from './toolset';

/** Closes the poll when nothing more is to be waited for. Called after each accepted action and failure. */
export function checkPoll(step: Step): void {
  const { state } = step;
  if (state.poll.kind === 'closed' || state.poll.kind === 'judge') {
    return;
  }
  if (liveAgents(state).length === 0) {
    closeAfterFailures(step);
    return;
  }
  const end = pollEnd(state);
  if (end !== undefined) {
    closePoll(step, end);
  }
}

function pollEnd(state: RunState): PollEnd | undefined {
  const { settings } = state;
  const poll = currentPoll(state);
  const tally = tallyPoll(poll, settings);
  if (isDecomposition(state)) {
    const isOver = liveAgents(state).every(({ status }) => status === 'done');
    return isOver ? { cause: 'stopped', tally } : undefined;
  }
  if (skipsVoting(state)) {
    return haveAllAnswered(state) ? { cause: 'answered', tally } : undefined;
  }
  if (hasQuorum(settings, tally)) {
    return { cause: 'quorum', tally };
  }
  const stop = earlyStop(poll, settings);
  if (stop === undefined) {
    return undefined;
  }
  // Who was never asked does not count into the base of a decision that was only likely.
  const counted = stop.by === 'exact' ? tally : tallyPoll(castOnly(poll), settings);
  return { cause: 'early_stop', tally: counted, stop };
}

/** Agents that abstain have said that they hand in nothing. */
function haveAllAnswered(state: RunState): boolean {
  const waitedFor = liveAgents(state).filter(({ status }) => status !== 'abstained');
  return (
    currentRevisions(state).length > 0 && waitedFor.every(({ revisions }) => revisions.length > 0)
  );
}
