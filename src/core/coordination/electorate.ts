import type { AgentState, RunState } from '../../run/state';
import { liveAgents } from './ledger';
import { isElector } from './toolset';

/** Agents whose ballots decide: live, with a vote, and not abstaining. The base of all shares. */
export function electorate(state: RunState): readonly AgentState[] {
  return liveAgents(state).filter(
    (agent) => agent.status !== 'abstained' && isElector(state, agent),
  );
}
