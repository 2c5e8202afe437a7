import { hasChecks, isUnchecked } from '../checks';
import type { AgentState, RunState } from '../state';
import { selectCheckProgress } from './check-marks';

export type Phase = 'drafts' | 'checks' | 'votes' | 'result';

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
  const canVote = hasVoting(state);
  if (canVote && state.agents.some((agent) => agent.ballots.length > 0)) {
    return 'votes';
  }
  const drafts = activeAgents(state).filter((agent) => agent.revisions.length > 0).length;
  if (drafts === 0 || drafts < activeAgents(state).length) {
    return 'drafts';
  }
  return betweenDraftsAndResult(state, canVote);
}

/** All drafts are in. Where nobody votes, the checks are the last that is waited for. */
function betweenDraftsAndResult(state: RunState, canVote: boolean): Phase {
  if (hasChecks(state) && (!canVote || waitsForChecks(state))) {
    return 'checks';
  }
  return canVote ? 'votes' : 'drafts';
}

function waitsForChecks(state: RunState): boolean {
  return activeAgents(state).some(({ revisions }) => {
    const label = revisions.at(-1)?.label;
    return label !== undefined && isUnchecked(state, label);
  });
}

/** The steps of the run with the count of the running one; checks and voting are left out when there are none. */
export function selectPhases(state: RunState): readonly PhaseStep[] {
  const current = selectPhase(state);
  const phases: readonly Phase[] = [
    'drafts',
    ...(hasChecks(state) ? (['checks'] as const) : []),
    ...(hasVoting(state) ? (['votes'] as const) : []),
    'result',
  ];
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
  checks: 'Checks',
  votes: 'Votes',
  result: 'Result',
};

function progress(state: RunState, phase: Phase): string {
  if (phase === 'drafts') {
    const agents = activeAgents(state);
    return ` ${agents.filter((agent) => agent.revisions.length > 0).length}/${agents.length}`;
  }
  if (phase === 'checks') {
    const { ended, all } = selectCheckProgress(state);
    return ` ${ended}/${all}`;
  }
  return phase === 'votes' ? ` ${validBallots(state)}/${voters(state).length}` : '';
}
