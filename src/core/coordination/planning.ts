import type { PlanningDecided } from '../../run/poll-events';
import type { ToolEffect, ToolInfo } from '../../run/facts';
import type { AgentState, RunState } from '../../run/state';
import type { Effect } from './effects';
import type { Step } from './step';

/** Whether nobody may start because it is not known yet which tools are closed. */
export function isPlanning(state: RunState): boolean {
  const { planning, skipCoordination } = state.settings;
  const isWanted =
    planning !== 'off' || state.agents.some(({ info }) => info.planningMode === 'on');
  return isWanted && !skipCoordination && state.planning === null;
}

/** Tools that wait for a decision, for this agent. */
export function closedFor(state: RunState, { info, toolServers }: AgentState): readonly string[] {
  const isOn = info.planningMode ?? (state.settings.planning === 'off' ? 'off' : 'on');
  return isOn === 'on'
    ? [...(state.planning?.blockedTools ?? []), ...cameLater(state, toolServers)]
    : [];
}

/**
 * What servers brought after it was decided, of which nobody was asked: what reaches outside is closed, and what may do so
 * where a model would have been asked about it.
 */
function cameLater(state: RunState, servers: AgentState['toolServers'] = []): readonly string[] {
  const isAsked = state.settings.planning === 'classify';
  return servers
    .flatMap(({ tools }) => tools)
    .filter(({ name, effect }) => {
      const isOutside = effect === 'external' || (isAsked && effect === 'unknown');
      return isOutside && !state.tools.some((known) => known.name === name);
    })
    .map(({ name }) => name);
}

/**
 * Before the first turn: tools with an effect outside are closed until an answer is chosen, whatever the task is. A
 * model is asked once about those of unknown effect, when the settings say so.
 */
export function plan(state: RunState): {
  readonly events: readonly PlanningDecided[];
  readonly effects: readonly Effect[];
} {
  if (!isPlanning(state)) {
    return { events: [], effects: [] };
  }
  const isAsking =
    state.settings.planning === 'classify' && names(state.tools, 'unknown').length > 0;
  return isAsking
    ? { events: [], effects: [{ kind: 'classify-tools', call: state.systemCalls.usage.calls + 1 }] }
    : { events: [decided(names(state.tools, 'external'), 'setting')], effects: [] };
}

/** The answer about tools of unknown effect; without one they are closed as well, and reading goes on. */
export function onPlanned(step: Step, closed: readonly string[] | null): void {
  const { tools } = step.state;
  if (!isPlanning(step.state)) {
    return;
  }
  const unknown = names(tools, 'unknown');
  const chosen = closed === null ? unknown : unknown.filter((name) => closed.includes(name));
  const by = closed === null ? 'failure' : 'classification';
  step.emit(decided([...names(tools, 'external'), ...chosen], by));
}

function decided(blockedTools: readonly string[], by: PlanningDecided['by']): PlanningDecided {
  return { type: 'planning-decided', isOn: true, blockedTools, by };
}

function names(tools: readonly ToolInfo[], effect: ToolEffect): readonly string[] {
  return tools.filter((tool) => tool.effect === effect).map(({ name }) => name);
}
