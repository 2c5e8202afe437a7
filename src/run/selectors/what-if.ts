// What another rule would have made of the same votes, in words for the panel.
import type { CoordinationSettings } from '../coordination-settings';
import { redecide } from '../decision/redecide';
import type { RunState } from '../state';

/** The part of the rules that can be tried on a finished vote. */
export type WhatIfRules = Pick<
  CoordinationSettings,
  'rule' | 'threshold' | 'minAgreement' | 'quorum' | 'margin' | 'selfVote' | 'families' | 'tieBreak'
>;

export interface WhatIfResult {
  /** One sentence: what would have been decided. */
  readonly text: string;
  /** The same answer would have been chosen. */
  readonly isSame: boolean;
  readonly changes: readonly string[];
  /** What only new votes could tell. */
  readonly unknown: readonly string[];
}

/** The rules that the run was decided by: where trying begins. */
export function rulesOf({ settings }: RunState): WhatIfRules {
  const { rule, threshold, minAgreement, quorum, margin, selfVote, families, tieBreak } = settings;
  return { rule, threshold, minAgreement, quorum, margin, selfVote, families, tieBreak };
}

/** Decides again by `rules` from the ballots that were cast; asks nobody and costs nothing. */
export function selectWhatIf(state: RunState, rules: WhatIfRules): WhatIfResult {
  const { before, after, changes, unknown } = redecide(state, rules);
  return {
    text: after.reason,
    isSame: after.winner === before.winner,
    changes,
    unknown,
  };
}
