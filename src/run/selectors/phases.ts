import type { AgentState, RunState } from '../state';

export type Phase = 'drafts' | 'votes' | 'result';

export interface PhaseStep {
  readonly phase: Phase;
  /** `Drafts 1/3` while it runs, else only the name. */
  readonly text: string;
  readonly status: 'done' | 'now' | 'ahead';
}

/** Agents that can still answer or vote. */
export function activeAgents(state: RunState): readonly AgentState[] {
  return state.agents.filter(({ status }) => status !== 'failed' && status !== 'cancelled');
}

/** Agents whose ballots the poll counts: active, not abstaining, and with an answer when the rules ask for one. */
export function voters(state: RunState): readonly AgentState[] {
  return activeAgents(state).filter(
    (agent) =>
      agent.status !== 'abstained' &&
      (state.settings.electorate === 'all' || agent.revisions.length > 0),
  );
}

/** Valid ballots cast so far. */
export function validBallots(state: RunState): number {
  return state.agents.filter((agent) => agent.ballot !== null).length;
}

export function hasVoting(state: RunState): boolean {
  return state.agents.length > 1 && !state.settings.skipVoting;
}

export function selectPhase(state: RunState): Phase {
  if (state.outcome !== null || state.selection !== null || state.poll.kind === 'closed') {
    return 'result';
  }
  const hasVoted = state.agents.some((agent) => agent.ballots.length > 0);
  const drafts = activeAgents(state).filter((agent) => agent.revisions.length > 0).length;
  const isComplete = drafts > 0 && drafts === activeAgents(state).length;
  return hasVoting(state) && (hasVoted || isComplete) ? 'votes' : 'drafts';
}

/** The steps of the run with the count of the running one; voting is left out when there is none. */
export function selectPhases(state: RunState): readonly PhaseStep[] {
  const current = selectPhase(state);
  const phases: readonly Phase[] = hasVoting(state)
    ? ['drafts', 'votes', 'result']
    : ['drafts', 'result'];
  const now = phases.indexOf(current);
  const isOver = state.outcome !== null;
  return phases.map((phase, i) => ({
    phase,
    text: i === now && !isOver ? `${names[phase]}${progress(state, phase)}` : names[phase],
    status: i < now || isOver ? 'done' : i === now ? 'now' : 'ahead',
  }));
}

const names: Readonly<Record<Phase, string>> = {
  drafts: 'Drafts',
  votes: 'Votes',
  result: 'Result',
};

function progress(state: RunState, phase: Phase): string {
  if (phase === 'drafts') {
    const agents = activeAgents(state);
    return ` ${agents.filter((agent) => agent.revisions.length > 0).length}/${agents.length}`;
  }
  return phase === 'votes' ? ` ${validBallots(state)}/${voters(state).length}` : '';
}
