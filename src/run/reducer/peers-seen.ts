import { parseLabel, type Label } from '../../base/ids';
import type { AgentState, RunState } from '../state';

/**
 * Where agents divide the work, they may hand in only so many answers in a row without anything new of their peers.
 * Elsewhere nothing is noted.
 */
export function peersSeen(
  { settings }: RunState,
  agent: AgentState,
  shown: readonly Label[],
): Partial<AgentState> {
  if (settings.mode !== 'decomposition') {
    return {};
  }
  const before = agent.seenOfPeers ?? [];
  const news = shown.filter(
    (label) => parseLabel(label)?.slot !== agent.info.slot && !before.includes(label),
  );
  return news.length === 0 ? {} : { answersInARow: 0, seenOfPeers: [...before, ...news] };
}

export function answeredAgain({ settings }: RunState, agent: AgentState): Partial<AgentState> {
  return settings.mode === 'decomposition' ? { answersInARow: (agent.answersInARow ?? 0) + 1 } : {};
}
