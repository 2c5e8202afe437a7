import type { Slot } from '../../base/ids';
import type { AgentState, AgentStatus, RunState } from '../state';
import { isEnded } from './time';

/** What the user may ask of an agent. `finish`: its time is over, so the wish stands in sight. */
export type CardAsk = 'answer-now' | 'finish' | 'message' | 'revive';

export function asksOf(state: RunState, agent: AgentState): readonly CardAsk[] {
  if (isEnded(state)) {
    return [];
  }
  if (agent.status === 'failed') {
    return ['revive'];
  }
  return [
    ...finishAsks(state, agent),
    ...(gone.includes(agent.status) ? [] : ['message' as const]),
  ];
}

const gone: readonly AgentStatus[] = ['cancelled', 'done'];

/** An agent that has lost its tools, or was asked already, cannot do more than it does. */
function finishAsks(state: RunState, { turn, info }: AgentState): readonly CardAsk[] {
  if (turn === null || turn.purpose === 'present' || turn.hardLimitAt !== undefined) {
    return [];
  }
  if (wasAskedToFinish(state, info.slot, turn.startedAt)) {
    return [];
  }
  return turn.softLimitAt === undefined ? ['answer-now'] : ['answer-now', 'finish'];
}

function wasAskedToFinish({ timeline }: RunState, slot: Slot, since: number): boolean {
  return timeline.some((one) => one.kind === 'answer-now' && one.slot === slot && one.at >= since);
}
