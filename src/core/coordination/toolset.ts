import type { Slot } from '../../base/ids';
import { isExcluded } from '../../run/checks';
import type { Revision } from '../../run/facts';
import type { AgentState, RunState } from '../../run/state';
import type { Toolset } from './inputs';
import { agentAt, electable, liveAgents } from './ledger';
import { closedFor } from './planning';
import { selfVotes } from './self-votes';
import { stageOf } from './stage';

/** Whether the agent's limits still let it hand in an answer. */
export function canAnswer(state: RunState, agent: AgentState): boolean {
  return state.poll.kind === 'open' && !isAtAnswerLimit(state, agent);
}

/** An agent that has failed the checks so often in a row will not pass them. */
const mostFailedAnswers = 3;

/** Only accepted answers count against the limits. */
export function isAtAnswerLimit(state: RunState, agent: AgentState): boolean {
  const newest = agent.revisions.slice(-mostFailedAnswers);
  if (
    newest.length === mostFailedAnswers &&
    newest.every(({ label }) => isExcluded(state, label))
  ) {
    return true;
  }
  const { maxNewAnswersPerAgent: own, maxNewAnswersGlobal: all } = state.settings;
  const total = state.agents.reduce((sum, { revisions }) => sum + revisions.length, 0);
  return (own !== null && countedAnswers(state, agent) >= own) || (all !== null && total >= all);
}

/**
 * Where agents divide the work, only answers in a row count: what an agent sees of its peers may give it more to do.
 * Then only a limit for all together is sure to end the run, and where there is one, all answers count.
 */
function countedAnswers(state: RunState, agent: AgentState): number {
  const isInARow = isDecomposition(state) && state.settings.maxNewAnswersGlobal === null;
  return isInARow ? (agent.answersInARow ?? 0) : agent.revisions.length;
}

/** Voting is skipped when the settings say so, and by default where nobody else could be voted for. */
export function skipsVoting(state: RunState): boolean {
  const { skipVoting, singleAgentVote } = state.settings;
  return skipVoting || (state.agents.length === 1 && !singleAgentVote);
}

/** Whether agents do parts of the task and stop, instead of judging one another. */
export function isDecomposition(state: RunState): boolean {
  return state.settings.mode === 'decomposition';
}

/** Deferred voting opens when every live agent has an answer or can no longer hand one in. */
export function isVotingOpen(state: RunState): boolean {
  if (skipsVoting(state) || isDecomposition(state)) {
    return false;
  }
  return (
    !state.settings.deferVotingUntilAllAnswered ||
    liveAgents(state).every((agent) => agent.revisions.length > 0 || !canAnswer(state, agent))
  );
}

/** Whether the agent's vote would count at all. A weight of 0 makes an adviser without a vote. */
export function isElector(state: RunState, agent: AgentState): boolean {
  return (
    agent.info.weight > 0 && (state.settings.electorate === 'all' || agent.revisions.length > 0)
  );
}

/** Answers the agent may vote for, whether or not it has been shown them. */
export function votable(state: RunState, agent: AgentState): readonly Revision[] {
  if (!isVotingOpen(state) || !isElector(state, agent)) {
    return [];
  }
  return electable(state).filter(
    ({ slot }) => slot !== agent.info.slot || selfVotes(state) !== 'forbid',
  );
}

/** What the agent's next model call may use. Within a turn only answers it was shown count as targets. */
export function toolsetFor(state: RunState, slot: Slot): Toolset {
  const agent = agentAt(state, slot);
  const hasOrdinaryTools = agent.turn?.hardLimitAt === undefined;
  if (stageOf(state) !== 'coordination') {
    return { hasNewAnswer: false, hasVote: false, hasOrdinaryTools, targets: [] };
  }
  const hasNewAnswer = canAnswer(state, agent);
  const targets = offered(state, agent, hasNewAnswer);
  const blockedTools = closedFor(state, agent);
  return {
    hasNewAnswer,
    hasVote: targets.length > 0,
    ...(targets.length === 0 && mayComeToVote(state, agent) ? { mayVoteLater: true } : {}),
    ...(isDecomposition(state) ? { hasStop: true } : {}),
    hasOrdinaryTools,
    ...(blockedTools.length > 0 ? { blockedTools } : {}),
    targets: targets.map(({ label }) => label),
  };
}

/**
 * Whether the agent may be able to vote before its turn ends though it is not now. An agent that is at work on its first
 * answer is told of no other, unless the settings say so or its peers use up the answers that all together may give.
 */
function mayComeToVote(state: RunState, agent: AgentState): boolean {
  if (skipsVoting(state) || isDecomposition(state) || !isElector(state, agent)) {
    return false;
  }
  const { settings } = state;
  const hasPeers = state.agents.length > 1;
  return (
    agent.revisions.length > 0 ||
    (hasPeers && settings.maxNewAnswersGlobal !== null) ||
    (hasPeers &&
      settings.updateDelivery === 'inject' &&
      !settings.firstAnswerProtection &&
      !settings.deferVotingUntilAllAnswered)
  );
}

function offered(state: RunState, agent: AgentState, hasNewAnswer: boolean): readonly Revision[] {
  const { turn, info } = agent;
  const all = state.poll.kind === 'closed' ? [] : votable(state, agent);
  const shown =
    turn === null
      ? all
      : all.filter(({ slot, label }) => slot === info.slot || turn.shown.includes(label));
  return shown.length > 0 || hasNewAnswer ? shown : all;
}
