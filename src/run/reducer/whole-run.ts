import type { RunEnded } from '../events';
import type { FinalAnswer, RunoffStarted } from '../poll-events';
import type { Citation } from '../facts';
import type { AgentHeld, AgentStopped } from '../turn-events';
import type { RunState } from '../state';
import { eachOnce } from './agent-tools';
import { withAgent, withAgents } from './agents';
import { interruptionOf } from './resumption';

export function runoffStarted(state: RunState, event: RunoffStarted): RunState {
  return {
    ...state,
    poll: { kind: 'runoff', candidates: event.candidates },
    runoffs: state.runoffs + 1,
  };
}

/** A draft that is held back again keeps the time at which it was held first. */
export function agentHeld(state: RunState, event: AgentHeld, at: number): RunState {
  const { draft } = event;
  return withAgent(state, event.slot, (agent) => ({
    status: 'waiting',
    ...(event.reason === 'checks' && agent.turn !== null ? { isHeldForChecks: true } : {}),
    ...(draft === undefined ? {} : { draft: { ...draft, heldAt: agent.draft?.heldAt ?? at } }),
  }));
}

export function agentStopped(state: RunState, event: AgentStopped): RunState {
  const { slot, status, summary } = event;
  const stop = { status, summary };
  return withAgent(state, slot, () => ({ status: 'done', stop, failedTurns: 0 }));
}

export function finalAnswer(state: RunState, event: FinalAnswer): RunState {
  const { slot, label, text, source } = event;
  const sources = sourcesOf(state, event);
  const isCut = source === 'presented' && state.agents[slot - 1]?.isCut === true;
  return {
    ...state,
    finalAnswer: {
      ...{ slot, label, text, source },
      ...(sources.length === 0 ? {} : { citations: sources }),
      ...(isCut ? { isCut } : {}),
    },
  };
}

/** A text that was written anew has its own sources and still rests on those of the answer. */
function sourcesOf(state: RunState, { slot, label, source }: FinalAnswer): readonly Citation[] {
  const answered = state.agents
    .flatMap(({ revisions }) => revisions)
    .find((revision) => revision.label === label)?.citations;
  const presented = source === 'presented' ? (state.agents[slot - 1]?.citations ?? []) : [];
  return eachOnce([...presented, ...(answered ?? [])]);
}

/** Nobody works any more; how each agent took part stays readable. */
export function runEnded(state: RunState, event: RunEnded): RunState {
  const ended = withAgents(state, (agent) => ({
    turn: null,
    notBefore: 0,
    activity: { kind: 'none' },
    status:
      agent.status === 'idle' || agent.status === 'running' || agent.status === 'waiting'
        ? 'done'
        : agent.status,
  }));
  return {
    ...ended,
    ...(event.outcome === 'interrupted' ? { interruption: interruptionOf(state) } : {}),
    poll: { kind: 'closed' },
    approvals: [],
    outcome: event.outcome,
    error: event.error ?? null,
  };
}
