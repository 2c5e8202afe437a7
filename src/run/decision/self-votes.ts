import type { RuleSettings } from './poll';

/** `forbid`: not accepted. `ignore`: accepted, fills the quorum, adds nothing. */
export type SelfVotePolicy = 'allow' | 'forbid' | 'ignore';

/** From this number of voters on, each has at least two answers of others to choose from. */
const smallestPanelWithoutSelfVotes = 3;

/**
 * What becomes of a vote for oneself in a panel of so many voters.
 *
 * The number behind `by_panel_size` is how often the best answer wins when a voter picks it with 0.7 and otherwise any
 * other, and votes for itself instead with the probability s. With two voters, counting gives 0.70 at s = 0 down to
 * 0.50 at s = 1, while without self-votes each can only vote for the other: always one to one, 0.50. With three,
 * counting gives 0.8155, 0.7374 and 0.6584 at s = 0, 0.2 and 0.4, and going without 0.7266 whatever s is; the lines
 * cross at s = 0.228, with four voters at 0.159 and with five at 0.105. Models vote for their own answer often enough
 * that leaving it out is the safer side from three voters on. Only ignoring such votes is worse than both: 0.7578 at
 * s = 0 for three voters, because the best author's own vote is thrown away and replaced by nothing.
 */
export function selfVotePolicy(
  setting: RuleSettings['selfVote'],
  panelSize: number,
): SelfVotePolicy {
  if (setting !== 'by_panel_size') {
    return setting;
  }
  return panelSize >= smallestPanelWithoutSelfVotes ? 'forbid' : 'allow';
}
