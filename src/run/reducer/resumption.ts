// A run that stood still: what was so before, and what time does not count.
import type { AgentState, RunState, TurnState } from '../state';
import { withAgents } from './agents';

/** What a run is given back when another process goes on with it after it was marked as interrupted. */
export function interruptionOf(state: RunState): NonNullable<RunState['interruption']> {
  return {
    at: state.lastEventAt,
    poll: state.poll,
    agents: state.agents.map(({ status, turn, notBefore }) => ({ status, turn, notBefore })),
  };
}

/**
 * Goes on at `at` where the run was cut off. What was in flight begins again, so its half text is not shown twice, and
 * the time in which nobody worked is taken out of every time that is measured.
 */
export function runResumed(state: RunState, at: number): RunState {
  const { interruption, ...rest } = state;
  const before = interruption ?? interruptionOf(state);
  const stoodStillMs = Math.max(0, at - before.at);
  const resumed = withAgents(rest, (agent) => {
    const kept = before.agents[agent.info.slot - 1];
    const { status, turn, notBefore } = kept ?? agent;
    return {
      status,
      turn: turn === null ? null : later(turn, stoodStillMs),
      notBefore: notBefore === 0 ? 0 : notBefore + stoodStillMs,
      ...(turn === null ? {} : { activity: { kind: 'none' as const }, liveText: '' }),
      ...draftLater(agent, stoodStillMs),
    };
  });
  return {
    ...resumed,
    poll: before.poll,
    outcome: null,
    error: null,
    approvals: [],
    systemCalls: { ...state.systemCalls, current: null },
  };
}

function later(turn: TurnState, byMs: number): TurnState {
  const { startedAt, softLimitAt, hardLimitAt, wrapUpAt } = turn;
  return {
    ...turn,
    startedAt: startedAt + byMs,
    ...(softLimitAt === undefined ? {} : { softLimitAt: softLimitAt + byMs }),
    ...(hardLimitAt === undefined ? {} : { hardLimitAt: hardLimitAt + byMs }),
    ...(wrapUpAt === undefined ? {} : { wrapUpAt: wrapUpAt + byMs }),
  };
}

function draftLater({ draft }: AgentState, byMs: number): Pick<AgentState, 'draft'> {
  return draft ? { draft: { ...draft, heldAt: draft.heldAt + byMs } } : {};
}
