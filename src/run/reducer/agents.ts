import type { Slot } from '../../base/ids';
import type { AgentState, RunState, TurnState } from '../state';

export type AgentChange = (agent: AgentState) => Partial<AgentState>;

/** Changes one agent; a slot that the run does not have changes nothing. */
export function withAgent(state: RunState, slot: Slot, change: AgentChange): RunState {
  const agent = state.agents[slot - 1];
  if (agent === undefined) {
    return state;
  }
  const agents = state.agents.slice();
  agents[slot - 1] = { ...agent, ...change(agent) };
  return { ...state, agents };
}

/** Changes every agent for which `change` gives something. */
export function withAgents(
  state: RunState,
  change: (agent: AgentState) => Partial<AgentState> | undefined,
): RunState {
  return {
    ...state,
    agents: state.agents.map((agent) => {
      const changed = change(agent);
      return changed === undefined ? agent : { ...agent, ...changed };
    }),
  };
}

/** Changes the turn an agent is in. Events of a turn that is over change nothing. */
export function withTurn(
  state: RunState,
  where: { readonly slot: Slot; readonly turnNo: number },
  change: (turn: TurnState, agent: AgentState) => Partial<TurnState>,
): RunState {
  const turn = liveTurn(state, where);
  return turn === null
    ? state
    : withAgent(state, where.slot, (agent) => ({ turn: { ...turn, ...change(turn, agent) } }));
}

export function liveTurn(
  state: RunState,
  where: { readonly slot: Slot; readonly turnNo: number },
): TurnState | null {
  const agent = state.agents[where.slot - 1];
  return agent === undefined ? null : turnOf(agent, where);
}

/** The turn that an event belongs to; `null` when it is over. */
export function turnOf(agent: AgentState, where: { readonly turnNo: number }): TurnState | null {
  return agent.turn?.turnNo === where.turnNo ? agent.turn : null;
}
