import type { TurnInput } from '../../src/core/ports/agent-runtime';
import type { Agreement, Revision } from '../../src/run/facts';
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

/** How a run was decided, with nobody's vote in it. */
export const emptyAgreement: Agreement = {
  ...{ rule: 'majority', threshold: null, quorum: 1, electorate: [1, 2, 3], eligibleWeight: 3 },
  ...{ ballots: 0, votes: {}, votesFromOthers: {}, needed: 2, share: 0, isSatisfied: true },
  ...{ isTie: false, tied: [], runoffs: 0, extraRounds: 0, tieBreakUsed: null },
  ...{ isUnanimous: false, uninformedBallots: 0, voidBallots: 0, ignoredSelfVotes: 0 },
  ...{ lead: 0, margin: 0, effectiveVoters: 3 },
  decidedBy: 'rule',
  result: 'decided',
};

/** The first answer of an agent. */
export function answerOf(slot: number, text: string, own: Partial<Revision> = {}): Revision {
  return {
    ...{ label: `agent${slot}.1`, slot, n: 1, text, snapshotId: null, changes: [] },
    ...{ turnNo: 1, unseenAtSubmit: [], seq: slot, at: 0 },
    ...own,
  };
}
