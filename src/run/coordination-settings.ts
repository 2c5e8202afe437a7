/** The resolved rules of one run; part of `run-started`, so that a log explains itself. */
export interface CoordinationSettings {
  readonly profile: 'compat' | 'recommended';
  readonly rule:
    'plurality' | 'majority' | 'supermajority' | 'unanimity' | 'min_agreement' | 'weighted';
  /** Share for `supermajority` (absent: exactly 2/3) and `weighted`. */
  readonly threshold: number | null;
  readonly minAgreement: number;
  /** Share of the electorate whose ballots close the poll, 0 < quorum <= 1. */
  readonly quorum: number;
  readonly electorate: 'all' | 'answered';
  readonly selfVote: 'allow' | 'forbid' | 'ignore';
  readonly earlyStop: boolean;
  /** `judge` goes on to the tie chain as long as nobody can be asked. */
  readonly onSplit: 'tie_break' | 'runoff' | 'another_round' | 'judge' | 'fail';
  readonly maxRunoffs: number;
  readonly maxExtraRounds: number;
  /** Narrowed element by element. `compat` appends `config_order`, `recommended` ends in `seeded_hash`. */
  readonly tieBreak: readonly TieBreakElement[];
  readonly onTimeout: 'best_available' | 'fail';
  readonly voteInvalidation: 'all' | 'superseded_only';
  readonly updateDelivery: 'inject' | 'restart' | 'defer' | 'off';
  readonly firstAnswerProtection: boolean;
  readonly waitForFirstRival: boolean;
  readonly deferVotingUntilAllAnswered: boolean;
  readonly skipVoting: boolean;
  /** `null`: no limit. */
  readonly maxNewAnswersPerAgent: number | null;
  readonly maxNewAnswersGlobal: number | null;
  readonly maxMidstreamInjections: number | null;
  readonly maxStaleRedeliveries: number;
  readonly maxProtocolErrors: number;
  readonly maxFailedTurns: number;
  readonly backendRetries: number;
  /** Longest wait for a rate limit in one turn, ms. */
  readonly rateLimitMaxWaitMs: number;
  /** First wait after a failed turn or a transient fault, doubled each time; 0 in scenarios. */
  readonly backoffMs: number;
  readonly novelty: 'lenient' | 'balanced' | 'strict';
  readonly votingSensitivity: 'lenient' | 'balanced' | 'strict';
  readonly maxAnswerChars: number;
  /** Hard limit of one agent turn in ms, `null`: none. */
  readonly turnTimeoutMs: number | null;
  /** `winner_reuse` shows the voted text as it is, `winner_present` lets the winner write the final text. */
  readonly finalAnswerStrategy: 'winner_present' | 'winner_reuse';
  readonly presentationTimeoutMs: number;
  readonly displayOrder: 'shuffle' | 'config';
  /** `decomposition`: agents do parts of the task, hand in and stop; nobody votes. Absent: `voting`. */
  readonly mode?: 'voting' | 'decomposition';
  /** Who presents in `decomposition`; absent: the last agent with an answer. */
  readonly presenterSlot?: number | null;
  /** An agent may be this many answers ahead of its slowest peer; absent or `null`: any number. */
  readonly fairnessLeadCap?: number | null;
  /** Longest time an agent is held back for being ahead, ms; absent: five minutes. */
  readonly fairnessMaxWaitMs?: number;
  /** Hex text; makes display order and seeded ties reproducible. */
  readonly runSeed: string;
}

export type TieBreakElement =
  | 'votes_from_others'
  | 'approvals'
  | 'smaller_change'
  | 'latest'
  | 'earliest'
  | 'seeded_hash'
  | 'config_order';
