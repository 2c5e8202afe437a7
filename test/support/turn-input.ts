import type { TurnInput } from '../../src/core/ports/agent-runtime';
import type { Revision } from '../../src/run/facts';
import type { AgentState, RunState } from '../../src/run/state';
import { type HarnessOptions, RunHarness } from './run-harness';

/** A run of this many agents that has just begun. */
export function startedState(agents: number, options: HarnessOptions = {}): RunState {
  const harness = new RunHarness(
    Array.from({ length: agents }, () => []),
    options,
  );
  harness.driver.begin([]);
  return harness.record.state;
}

/** The first turn of the first agent, unless something else is said. */
export function turnInput(state: RunState, own: Partial<TurnInput> = {}): TurnInput {
  return {
    slot: 1,
    turnNo: 1,
    attempt: state.attempt,
    purpose: 'coordinate',
    state,
    shown: [],
    toolset: { hasNewAnswer: true, hasVote: false, hasOrdinaryTools: true, targets: [] },
    ...own,
  };
}

export function withAgent(state: RunState, slot: number, own: Partial<AgentState>): RunState {
  const agents = state.agents.map((agent) =>
    agent.info.slot === slot ? { ...agent, ...own } : agent,
  );
  return { ...state, agents };
}

/** The first answer of an agent. */
export function answerOf(slot: number, text: string, own: Partial<Revision> = {}): Revision {
  return {
    ...{ label: `agent${slot}.1`, slot, n: 1, text, snapshotId: null, changes: [] },
    ...{ turnNo: 1, unseenAtSubmit: [], seq: slot, at: 0 },
    ...own,
  };
}
