import { selfVotePolicy } from '../../run/decision/self-votes';
import type { SelfVotePolicy } from '../../run/decision/self-votes';
import type { RunState } from '../../run/state';
import { liveAgents } from './ledger';

/**
 * What becomes of votes for oneself in this run. The panel is every live agent with a vote, also one that abstains: its
 * answer can still be voted for.
 */
export function selfVotes(state: RunState): SelfVotePolicy {
  const panel = liveAgents(state).filter(({ info }) => info.weight > 0);
  return selfVotePolicy(state.settings.selfVote, panel.length);
}
