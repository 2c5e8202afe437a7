// What a run notes beside its answers and votes: messages of the user, calls of its own, instructions, effects.
import type {
  EffectRecorded,
  InstructionsRead,
  SystemCallEnded,
  SystemCallStarted,
} from '../call-events';
import type { PlanningDecided } from '../poll-events';
import type {
  AgentRevived,
  SteeringDelivered,
  SteeringReceived,
  TurnLimitReached,
  UserOverride,
  WrapUpDelivered,
} from '../turn-events';
import type { RunState } from '../state';
import { withAgent, withAgents, withTurn } from './agents';
import { addUsage } from './model-calls';

export function steeringReceived(
  state: RunState,
  { id, text, targets, wakes = [] }: SteeringReceived,
  at: number,
): RunState {
  const awake = withAgents(state, ({ info }) =>
    wakes.includes(info.slot) ? { status: 'idle' } : undefined,
  );
  return { ...awake, steering: [...state.steering, { id, text, targets, at, deliveredTo: [] }] };
}

export function steeringDelivered(state: RunState, { slot, ids }: SteeringDelivered): RunState {
  const steering = state.steering.map((message) =>
    ids.includes(message.id) && !message.deliveredTo.includes(slot)
      ? { ...message, deliveredTo: [...message.deliveredTo, slot] }
      : message,
  );
  return { ...state, steering };
}

export function turnLimitReached(state: RunState, event: TurnLimitReached, at: number): RunState {
  return withTurn(state, event, () =>
    event.limit === 'soft' ? { softLimitAt: at } : { hardLimitAt: at },
  );
}

export function wrapUpDelivered(state: RunState, event: WrapUpDelivered, at: number): RunState {
  return withTurn(state, event, (turn) => ({
    wrapUpAt: at,
    ...(turn.waitedMs === undefined ? {} : { waitedBeforeWrapUp: turn.waitedMs }),
  }));
}

/** Keeps what the team had chosen. Going back to that is no intervention any more; what is chosen says the next event. */
export function userOverride(state: RunState, event: UserOverride): RunState {
  const { label, when, previous } = event;
  if (label === previous) {
    return { ...state, override: null };
  }
  const { selection, finalAnswer } = state;
  const first =
    selection === null ? undefined : { decidedBy: selection.agreement.decidedBy, finalAnswer };
  const team = when === 'before' ? undefined : (state.override?.team ?? first);
  return {
    ...state,
    override: { label, when, previous, ...(team === undefined ? {} : { team }) },
  };
}

export function agentRevived(state: RunState, { slot }: AgentRevived): RunState {
  return withAgent(state, slot, () => ({ status: 'idle', failedTurns: 0, notBefore: 0 }));
}

export function planningDecided(state: RunState, event: PlanningDecided): RunState {
  const { isOn, blockedTools, by } = event;
  return { ...state, planning: { isOn, blockedTools, by } };
}

/** Later files come beside the earlier ones; the same path again replaces its entry. */
export function instructionsRead(state: RunState, { files }: InstructionsRead): RunState {
  const isNew = (root: string, path: string): boolean =>
    !files.some((file) => file.root === root && file.path === path);
  const kept = state.instructions.filter(({ root, path }) => isNew(root, path));
  return { ...state, instructions: [...kept, ...files] };
}

export function effectRecorded(state: RunState, { effect }: EffectRecorded): RunState {
  return { ...state, effects: [...state.effects, effect] };
}

export function systemCallStarted(state: RunState, event: SystemCallStarted): RunState {
  const { usage } = state.systemCalls;
  const { call, purpose } = event;
  return {
    ...state,
    systemCalls: { usage: { ...usage, calls: usage.calls + 1 }, current: { call, purpose } },
  };
}

export function systemCallEnded(state: RunState, event: SystemCallEnded): RunState {
  const usage = addUsage(state.systemCalls.usage, event.usage, event);
  return { ...state, systemCalls: { usage, current: null } };
}
