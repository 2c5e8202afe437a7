import type { Slot } from '../../base/ids';
import type { AgentState, AgentStatus, RunState, SteeringMessage } from '../state';
import { isEnded } from './time';

/** A message of the user, with who has read it and whom it still waits for. */
export interface MessageState {
  readonly source: SteeringMessage;
  readonly delivered: readonly Slot[];
  /** Agents at work that read it at their next step; nobody once the run is over. */
  readonly pending: readonly Slot[];
}

/** The messages of this run, oldest first. */
export function selectMessages(state: RunState): readonly MessageState[] {
  return state.steering.map((source) => ({
    source,
    delivered: source.deliveredTo.toSorted((a, b) => a - b),
    pending: isEnded(state)
      ? []
      : state.agents.filter((agent) => waitsFor(source, agent)).map(({ info }) => info.slot),
  }));
}

/** An agent that has voted is not woken by a message to all. */
function waitsFor({ targets, deliveredTo }: SteeringMessage, agent: AgentState): boolean {
  const { slot } = agent.info;
  if (deliveredTo.includes(slot) || over.includes(agent.status)) {
    return false;
  }
  return targets === null ? !resting.includes(agent.status) : targets.includes(slot);
}

const over: readonly AgentStatus[] = ['failed', 'cancelled', 'done'];
const resting: readonly AgentStatus[] = ['voted', 'abstained'];
