import { defined } from '../../base/assert';
import { parseLabel } from '../../base/ids';
import type { Label, Slot } from '../../base/ids';
import { isExcluded, isUnchecked } from '../../run/checks';
import type { Revision } from '../../run/facts';
import type { AgentState, RunState, TurnState } from '../../run/state';

export function agentAt(state: RunState, slot: Slot): AgentState {
  return defined(state.agents[slot - 1], `slot ${slot} belongs to the run`);
}

/** The answer that stands for an agent now. */
export function currentRevision(agent: AgentState): Revision | undefined {
  return agent.revisions.at(-1);
}

export function slotOf(label: Label): Slot {
  return defined(parseLabel(label), 'a label names a slot').slot;
}

function isLive(agent: AgentState): boolean {
  return agent.status !== 'failed' && agent.status !== 'cancelled';
}

export function liveAgents(state: RunState): readonly AgentState[] {
  return state.agents.filter(isLive);
}

/** Current answers by slot, those of failed agents included. */
export function currentRevisions(state: RunState): readonly Revision[] {
  return state.agents.flatMap((agent) => currentRevision(agent) ?? []);
}

/** Answers that it is about now: all current ones, in a runoff only those of its candidates. */
export function contenders(state: RunState): readonly Revision[] {
  const { poll } = state;
  const all = currentRevisions(state);
  return poll.kind === 'runoff' ? all.filter(({ slot }) => poll.candidates.includes(slot)) : all;
}

/** Those that may win: a failed gate keeps an answer out, whatever the decision is made by. */
export function candidates(state: RunState): readonly Revision[] {
  return contenders(state).filter(({ label }) => !isExcluded(state, label));
}

/** Those that others are shown: an answer comes together with the results of its checks. */
export function published(state: RunState): readonly Revision[] {
  return contenders(state).filter(({ label }) => !isUnchecked(state, label));
}

/** Those that can be voted for, and that a voter must have seen. */
export function electable(state: RunState): readonly Revision[] {
  return candidates(state).filter(({ label }) => !isUnchecked(state, label));
}

/** The turn a report or timer is about, or `undefined` when that turn is over. */
export function turnOf(
  state: RunState,
  where: { readonly slot: Slot; readonly turnNo: number },
): TurnState | undefined {
  const turn = state.agents[where.slot - 1]?.turn;
  return turn?.turnNo === where.turnNo ? turn : undefined;
}
