import { castOnly, earlyStop } from '../../run/decision/early-stop';
import { hasQuorum } from '../../run/decision/rules';
import { tallyPoll } from '../../run/decision/tally';
import type { RunState } from '../../run/state';
import { candidates, currentRevisions, liveAgents } from './ledger';
import { awaitsChecks } from './checks';
import { closeAfterFailures, closePoll, decideAtCap } from './selection';
import type { PollEnd } from './selection';
import type { Step } from './step';
import { currentPoll } from './tally';
import { canAnswer, isDecomposition, skipsVoting } from './toolset';

/** Closes the poll when nothing more is to be waited for. Called after each accepted action and failure. */
export function checkPoll(step: Step): void {
  const { state } = step;
  if (state.poll.kind === 'closed' || state.poll.kind === 'judge') {
    return;
  }
  if (awaitsChecks(state)) {
    return;
  }
  if (state.capReached !== null) {
    decideAtCap(step, state.capReached);
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
    const isOver = haveAllAnswered(state) && !isImproving(state);
    return isOver ? { cause: 'answered', tally } : undefined;
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

/** No answer stands, because all have failed their checks, and somebody may still hand in a better one. */
function isImproving(state: RunState): boolean {
  return (
    candidates(state).length === 0 &&
    liveAgents(state).some((agent) => agent.status !== 'abstained' && canAnswer(state, agent))
  );
}
