import { assertNever } from '../../base/assert';
import type {
  ModelCallEnded,
  ModelCallStarted,
  TextDelta,
  ToolCallEnded,
  ToolCallStarted,
} from '../call-events';
import type { RecordedEvent, RunEvent } from '../events';
import type { AgentWaiting, ToolRoundEnded } from '../turn-events';
import type { AgentState, RunState } from '../state';
import { withAgent } from './agents';
import {
  agentWaiting,
  modelCallEnded,
  modelCallStarted,
  textDelta,
  toolCallEnded,
  toolCallStarted,
} from './model-calls';
import { toolRoundEnded } from './turns';

/** Events that change one agent and nothing else; nearly all of a long log. */
export type OneAgentEvent =
  | ModelCallStarted
  | TextDelta
  | ModelCallEnded
  | ToolCallStarted
  | ToolCallEnded
  | ToolRoundEnded
  | AgentWaiting;

export function isOfOneAgent(event: RunEvent): event is OneAgentEvent {
  switch (event.type) {
    case 'text-delta':
    case 'model-call-started':
    case 'tool-call-started':
    case 'tool-call-ended':
    case 'tool-round-ended':
    case 'agent-waiting':
      return true;
    case 'model-call-ended':
      // A response that was cut has a line of its own in the timeline, which belongs to the whole run.
      return event.isCut !== true;
    default:
      return false;
  }
}

export function ofOneAgent(state: RunState, event: OneAgentEvent, at: number): RunState {
  return withAgent(state, event.slot, (agent) => changeOf(agent, event, at));
}

function changeOf(agent: AgentState, event: OneAgentEvent, at: number): Partial<AgentState> {
  switch (event.type) {
    case 'model-call-started':
      return modelCallStarted(agent, event, at);
    case 'text-delta':
      return textDelta(agent, event, at);
    case 'model-call-ended':
      return modelCallEnded(agent, event, at);
    case 'tool-call-started':
      return toolCallStarted(agent, event, at);
    case 'tool-call-ended':
      return toolCallEnded(agent, event, at);
    case 'tool-round-ended':
      return toolRoundEnded(agent, event);
    case 'agent-waiting':
      return agentWaiting(agent, event, at);
    default:
      return assertNever(event, 'event of one agent');
  }
}

/** Pieces of one stream of text that follow one another without anything else of the agent between them. */
interface Joined {
  readonly first: TextDelta;
  text: string;
  at: number;
}

/**
 * The agents after a streak of such events, which must not be broken by any other event. The same as one after the
 * other, with one copy for all of them: pieces of text are joined before they are reduced, as two pieces and their
 * sum make the same agent.
 */
class AgentStreak {
  readonly #agents: AgentState[];
  readonly #joined: (Joined | undefined)[] = [];

  constructor(agents: readonly AgentState[]) {
    this.#agents = agents.slice();
  }

  add(event: OneAgentEvent, at: number): void {
    const { slot } = event;
    const before = this.#joined[slot];
    if (before !== undefined && event.type === 'text-delta' && isSameStream(before.first, event)) {
      before.text += event.text;
      before.at = at;
      return;
    }
    this.#reduceJoined(slot);
    if (event.type === 'text-delta') {
      this.#joined[slot] = { first: event, text: event.text, at };
    } else {
      this.#reduce(event, at);
    }
  }

  end(): readonly AgentState[] {
    this.#joined.forEach((_joined, slot) => {
      this.#reduceJoined(slot);
    });
    return this.#agents;
  }

  #reduceJoined(slot: number): void {
    const joined = this.#joined[slot];
    if (joined !== undefined) {
      this.#joined[slot] = undefined;
      this.#reduce({ ...joined.first, text: joined.text }, joined.at);
    }
  }

  #reduce(event: OneAgentEvent, at: number): void {
    const agent = this.#agents[event.slot - 1];
    if (agent !== undefined) {
      this.#agents[event.slot - 1] = { ...agent, ...changeOf(agent, event, at) };
    }
  }
}

function isSameStream(a: TextDelta, b: TextDelta): boolean {
  return a.turnNo === b.turnNo && (a.isThinking === true) === (b.isThinking === true);
}

/** The state after a streak, and the index of the event that ends it. */
export function afterStreak(
  state: RunState,
  events: readonly RecordedEvent[],
  from: number,
): { readonly state: RunState; readonly next: number } {
  const streak = new AgentStreak(state.agents);
  let { seq, lastEventAt } = state;
  let next = from;
  for (; next < events.length; next++) {
    const recorded = events[next];
    if (recorded === undefined || !isOfOneAgent(recorded.event)) {
      break;
    }
    streak.add(recorded.event, recorded.at);
    ({ seq, at: lastEventAt } = recorded);
  }
  return { state: { ...state, agents: streak.end(), seq, lastEventAt }, next };
}
