import type { AgentState, RunState } from '../../run/state';
import { liveAgents } from './ledger';
import { canAnswer, votable } from './toolset';

/** How long a draft is held at most, ms. */
export function longestHold(state: RunState): number {
  return state.settings.fairnessMaxWaitMs;
}

/**
 * Whether the agent's next answer must wait because slower peers have not caught up. First answers never wait, nor
 * does an agent whose time is over, and nobody waits for peers that have voted or can do nothing, nor longer than the longest hold.
 */
export function isTooFarAhead(state: RunState, agent: AgentState, at: number): boolean {
  const cap = state.settings.fairnessLeadCap;
  const own = agent.revisions.length;
  const hasWaited = at - (agent.draft?.heldAt ?? at) >= longestHold(state);
  const isOverTime = agent.turn?.hardLimitAt !== undefined;
  if (cap === null || own === 0 || hasWaited || isOverTime) {
    return false;
  }
  const peers = liveAgents(state).filter(
    (peer) => peer.info.slot !== agent.info.slot && isStillDeciding(state, peer),
  );
  const slowest = Math.min(...peers.map(({ revisions }) => revisions.length));
  return peers.length > 0 && own + 1 - slowest > cap;
}

function isStillDeciding(state: RunState, peer: AgentState): boolean {
  const isAtWork = peer.status === 'running' || peer.status === 'idle' || peer.status === 'waiting';
  return (
    isAtWork && peer.ballot === null && (canAnswer(state, peer) || votable(state, peer).length > 0)
  );
}
