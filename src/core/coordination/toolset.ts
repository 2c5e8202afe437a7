import type { Slot } from '../../base/ids';
import type { Revision } from '../../run/facts';
import type { AgentState, RunState } from '../../run/state';
import type { Toolset } from './inputs';
import { agentAt, candidates, liveAgents } from './ledger';
import { selfVotes } from './self-votes';

/** Whether the agent's limits still let it hand in an answer. */
export function canAnswer(state: RunState, agent: AgentState): boolean {
  return state.poll.kind === 'open' && !isAtAnswerLimit(state, agent);
}

/** Only accepted answers count against the limits. */
export function isAtAnswerLimit(state: RunState, agent: AgentState): boolean {
  const { maxNewAnswersPerAgent: own, maxNewAnswersGlobal: all } = state.settings;
  const total = state.agents.reduce((sum, { revisions }) => sum + revisions.length, 0);
  return (own !== null && agent.revisions.length >= own) || (all !== null && total >= all);
}

/** Voting is skipped when the settings say so, and by default where nobody else could be voted for. */
export function skipsVoting(state: RunState): boolean {
  const { skipVoting, profile } = state.settings;
  return skipVoting || (state.agents.length === 1 && profile === 'recommended');
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
  return candidates(state).filter(
    ({ slot }) => slot !== agent.info.slot || selfVotes(state) !== 'forbid',
  );
}

/** What the agent's next model call may use. Within a turn only answers it was shown are offered as targets. */
export function toolsetFor(state: RunState, slot: Slot): Toolset {
  const agent = agentAt(state, slot);
  const isPresenting = state.presentation !== null;
  const hasNewAnswer = !isPresenting && canAnswer(state, agent);
  const all = isPresenting || state.poll.kind === 'closed' ? [] : votable(state, agent);
  const { turn } = agent;
  const shown =
    turn === null
      ? all
      : all.filter((revision) => revision.slot === slot || turn.shown.includes(revision.label));
  const targets = shown.length > 0 || hasNewAnswer ? shown : all;
  return {
    hasNewAnswer,
    hasVote: targets.length > 0,
    ...(isDecomposition(state) && !isPresenting ? { hasStop: true } : {}),
    hasOrdinaryTools: true,
    targets: targets.map(({ label }) => label),
  };
}
