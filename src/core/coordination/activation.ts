import type { Label } from '../../base/ids';
import { hasChecks } from '../../run/checks';
import type { AgentHeld } from '../../run/turn-events';
import type { AgentState, RunState } from '../../run/state';
import { awaitsChecks, hasFailed } from './checks';
import { armLimit } from './turn-limits';
import { isTooFarAhead } from './fairness';
import { currentRevisions, liveAgents, published } from './ledger';
import { capOnNewTurn } from './caps';
import { isPlanning } from './planning';
import { checkPoll } from './poll';
import { closeAtCap, closePoll } from './selection';
import { presentAtOnce } from './skip-coordination';
import { deliverSteering } from './steering';
import type { Step } from './step';
import { tallyOf } from './tally';
import { canAnswer, isDecomposition, isElector, isVotingOpen, toolsetFor } from './toolset';

/** All inputs of an instant are in: free agents start their next turn, others are held or abstain. */
export function settle(step: Step): void {
  const isAtCap = step.state.capReached !== null;
  if (isOver(step.state) || isAtCap || isPlanning(step.state) || isSettling(step)) {
    return;
  }
  if (step.state.settings.skipCoordination) {
    presentAtOnce(step);
    return;
  }
  do {
    activateFree(step);
  } while (abstainIfStuck(step));
}

/** Answers that arrive shortly after one another cost one prompt: free agents wait until no newer one has come. */
function isSettling(step: Step): boolean {
  const { agents, settings } = step.state;
  const answeredAt = Math.max(...currentRevisions(step.state).map(({ at }) => at));
  const delayMs = answeredAt + settings.settleMs - step.at;
  if (!(delayMs > 0) || !agents.some((agent) => isFree(agent, step.at))) {
    return false;
  }
  step.request({ kind: 'set-timer', timer: { kind: 'settle' }, delayMs });
  return true;
}

function activateFree(step: Step): void {
  for (const { info } of step.state.agents) {
    const agent = step.state.agents[info.slot - 1];
    if (isOver(step.state)) {
      return;
    }
    if (agent === undefined || !isFree(agent, step.at)) {
      continue;
    }
    const reason = holdReason(step.state, agent, step.at);
    if (reason === undefined) {
      activate(step, agent);
    } else if (agent.status !== 'waiting') {
      step.emit({ type: 'agent-held', slot: info.slot, reason });
    }
  }
}

function isFree(agent: AgentState, at: number): boolean {
  return (agent.status === 'idle' || agent.status === 'waiting') && agent.notBefore <= at;
}

/** Why a free agent must wait, or `undefined` when its next turn can begin. */
function holdReason(
  state: RunState,
  agent: AgentState,
  at: number,
): AgentHeld['reason'] | undefined {
  const isVoting = !isDecomposition(state);
  if (isVoting && isWaitingForDrafts(state, agent)) {
    return awaitsChecks(state) && haveAllDrafts(state) ? 'checks' : 'drafts';
  }
  if (isVoting && isWaitingForChecks(state, agent)) {
    return 'checks';
  }
  if (isVoting && !hasAction(state, agent)) {
    return 'no-action';
  }
  if (isHeldDraft(state, agent, at)) {
    return 'fairness';
  }
  return isVoting && isFirstRivalComing(state, agent) ? 'first-rival' : undefined;
}

/** The agent has done its part until all have answered: voting opens then, or the run is over. */
function isWaitingForDrafts(state: RunState, agent: AgentState): boolean {
  return (
    state.poll.kind === 'open' &&
    agent.revisions.length > 0 &&
    isElector(state, agent) &&
    !isVotingOpen(state) &&
    !mayMend(state, agent)
  );
}

function haveAllDrafts(state: RunState): boolean {
  return liveAgents(state).every((agent) => agent.revisions.length > 0 || !canAnswer(state, agent));
}

/** Votes wait for the checks of all answers; who has something to write need not wait, unless it came to vote already. */
function isWaitingForChecks(state: RunState, agent: AgentState): boolean {
  const isWriting =
    (agent.revisions.length === 0 && canAnswer(state, agent)) || mayMend(state, agent);
  return awaitsChecks(state) && (agent.isHeldForChecks === true || !isWriting);
}

/** The agent's answer cannot win, and it may hand in another. */
function mayMend(state: RunState, agent: AgentState): boolean {
  return hasFailed(state, agent) && canAnswer(state, agent);
}

/**
 * An adviser without a vote has done its part with its answer. So has everybody whose answer has passed the checks and
 * who has nothing to vote for: nobody asks for more.
 */
function hasAction(state: RunState, agent: AgentState): boolean {
  const { hasVote, hasNewAnswer } = toolsetFor(state, agent.info.slot);
  const isWanted = hasChecks(state) ? hasFailed(state, agent) : isElector(state, agent);
  return hasVote || (hasNewAnswer && (agent.revisions.length === 0 || isWanted));
}

function isHeldDraft(state: RunState, agent: AgentState, at: number): boolean {
  return (agent.draft ?? null) !== null && isTooFarAhead(state, agent, at);
}

/** The agent's own answer is the only one, and a peer is still at work on its first. */
function isFirstRivalComing(state: RunState, agent: AgentState): boolean {
  return (
    state.settings.waitForFirstRival &&
    agent.revisions.length > 0 &&
    currentRevisions(state).every(({ slot }) => slot === agent.info.slot) &&
    liveAgents(state).some(
      (peer) =>
        peer.revisions.length === 0 &&
        peer.status !== 'voted' &&
        peer.status !== 'abstained' &&
        canAnswer(state, peer),
    )
  );
}

function activate(step: Step, agent: AgentState): void {
  const cap = capOnNewTurn(step.state);
  if (cap !== undefined) {
    closeAtCap(step, cap);
    return;
  }
  const { slot } = agent.info;
  const turnNo = agent.turnNo + 1;
  const shown = shownTo(step.state, agent);
  const { attempt, settings } = step.state;
  step.emit({ type: 'agent-turn-started', slot, turnNo, attempt, shown });
  deliverSteering(step, { slot, turnNo });
  armLimit(step, { slot, turnNo });
  if (settings.turnTimeoutMs !== null) {
    step.request({
      kind: 'set-timer',
      timer: { kind: 'turn-timeout', slot, turnNo },
      delayMs: settings.turnTimeoutMs,
    });
  }
  const toolset = toolsetFor(step.state, slot);
  step.request({ kind: 'start-turn', slot, turnNo, shown, toolset });
}

/** With deferred voting, a draft of the recommended profile is made before any other is seen. */
function shownTo(state: RunState, agent: AgentState): readonly Label[] {
  const { profile, deferVotingUntilAllAnswered } = state.settings;
  const isDrafting =
    profile === 'recommended' &&
    deferVotingUntilAllAnswered &&
    agent.revisions.length === 0 &&
    canAnswer(state, agent);
  return isDrafting ? [] : published(state).map(({ label }) => label);
}

/**
 * When nobody works or will work, agents that wait can do nothing any more: they abstain and leave the base of the
 * decision; if nobody is left in it, the poll is over. Answers whether another round of voting has begun.
 */
function abstainIfStuck(step: Step): boolean {
  if (isOver(step.state) || isAtWork(step.state)) {
    return false;
  }
  const waiting = step.state.agents.filter(
    ({ status, ballot }) => status === 'waiting' && ballot === null,
  );
  for (const { info } of waiting) {
    step.emit({ type: 'agent-abstained', slot: info.slot });
  }
  checkPoll(step);
  if (!isOver(step.state) && !isAtWork(step.state)) {
    closePoll(step, { cause: 'stopped', tally: tallyOf(step.state) });
  }
  return !isOver(step.state);
}

function isOver({ poll }: RunState): boolean {
  return poll.kind === 'closed' || poll.kind === 'judge';
}

/** Checks are work as well: something follows when they end. */
function isAtWork(state: RunState): boolean {
  return (
    awaitsChecks(state) ||
    state.agents.some(({ status }) => status === 'running' || status === 'idle')
  );
}
