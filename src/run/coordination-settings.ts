import type { CheckSpec } from './check-facts';

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
  /** `by_panel_size`: counted with two voters, not allowed with more, where a peer can always be voted for. */
  readonly selfVote: 'allow' | 'forbid' | 'ignore' | 'by_panel_size';
  /** Lead over the next candidate that the rule asks for beside its share, in weight; 0: any. */
  readonly margin: number;
  /**
   * When asking for votes ends before all are in. `exact`: when the missing ones cannot change the result. `posterior`:
   * also when the leader is better with the probability `posteriorAt`.
   */
  readonly stop: 'full' | 'exact' | 'posterior';
  readonly posteriorAt: number;
  /** `weight`: members of one family share one vote. `label`: families are only shown. */
  readonly families: 'label' | 'weight';
  /** `close`: leaders that are one vote apart or less are compared once more in the opposite order. */
  readonly dualPass: 'off' | 'close';
  /** `judge` goes on to the tie chain when nobody can be asked. `human`: the user is asked where there is one. */
  readonly onSplit: 'tie_break' | 'runoff' | 'another_round' | 'judge' | 'human' | 'fail';
  /** A judge is configured, or a person can be asked. */
  readonly hasJudge: boolean;
  readonly humanTimeoutMs: number;
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
  /** What answers are compared by: their words, or each three words in a row. Absent: `words`. */
  readonly noveltyMeasure?: 'words' | 'phrases';
  readonly votingSensitivity: 'lenient' | 'balanced' | 'strict';
  readonly maxAnswerChars: number;
  /** Time after which an agent is asked to finish its first, and each later turn; ms, `null`: never. */
  readonly softTurnMs: { readonly first: number | null; readonly later: number | null };
  /** Between being asked to finish and losing the ordinary tools, ms. */
  readonly turnGraceMs: number;
  /** A turn still running this long after it lost its tools is ended, ms. */
  readonly hardKillMs: number;
  /** A turn is ended after this time, whatever it does; ms, `null`: never. */
  readonly turnTimeoutMs: number | null;
  /**
   * `winner_reuse` shows the voted text as it is, `winner_present` lets the winner write the final text, `synthesize`
   * lets the presenter write one text from all answers.
   */
  readonly finalAnswerStrategy: 'winner_present' | 'winner_reuse' | 'synthesize';
  /** An agent that works alone writes a final text, too; absent: its answer is the final text. */
  readonly presentsAlone?: boolean;
  /** For finding faults in checks of finished work: stands in the place of what would be presented. */
  readonly debugFinalAnswer?: string;
  /** What is shown after the deadline. */
  readonly timeoutPresentation: 'reuse' | 'present';
  /** The first agent presents at once; for finding faults. */
  readonly skipCoordination: boolean;
  /** How often the team may start anew after its work was found wanting. */
  readonly maxRestarts: number;
  readonly evaluator: 'winner' | 'other' | 'judge';
  readonly postEvaluationTimeoutMs: number;
  /** What agents of a new attempt start with: the files that were found wanting, or nothing. */
  readonly restartWorkspace: 'seed' | 'clear';
  /** What a new turn starts with: the agent's files as it left them, or as at the start of the run. */
  readonly workspaceAfterAnswer: 'keep' | 'clear';
  /** Closes tools with an effect outside of the workspaces until an answer is chosen. */
  readonly planning: 'off' | 'external' | 'classify';
  /** A repeated effect with other arguments: asked about, refused, or done and marked. */
  readonly repeatedEffects: 'ask' | 'deny' | 'mark';
  readonly taskPlans: boolean;
  readonly maxTasksPerPlan: number;
  readonly memoryFiles: boolean;
  /** Puts AGENTS.md and its like before the agents. */
  readonly projectInstructions: boolean;
  /** Tokens that answers, history and memory may take in a prompt; `null`: a share of the model's window. */
  readonly answersBudgetTokens: number | null;
  readonly historyBudgetTokens: number | null;
  readonly memoryBudgetTokens: number | null;
  /** Whether an agent that works alone votes for itself all the same. */
  readonly singleAgentVote: boolean;
  /** The same text with other files is a new answer of its author. */
  readonly duplicateConsidersFiles: boolean;
  /** Answers that arrive within this time cost one prompt, ms. */
  readonly settleMs: number;
  readonly presentationTimeoutMs: number;
  readonly displayOrder: 'shuffle' | 'config';
  /** `decomposition`: agents do parts of the task, hand in and stop; nobody votes. */
  readonly mode: 'voting' | 'decomposition';
  /** In `decomposition`: an answer of a peer starts agents again that had done their part; absent: it does not. */
  readonly reopenOnUpdate?: boolean;
  /** Who presents in `decomposition` and `synthesize`; `null`: the last agent with an answer, and the winner. */
  readonly presenterSlot: number | null;
  /** An agent may be this many answers ahead of its slowest peer; `null`: any number. */
  readonly fairnessLeadCap: number | null;
  /** Longest time an agent is held back for being ahead, ms. */
  readonly fairnessMaxWaitMs: number;
  /** Run in every candidate before the ballot, in this order; absent or empty: none. */
  readonly checks?: readonly CheckSpec[];
  /** Hex text; makes display order and seeded ties reproducible. */
  readonly runSeed: string;
}

export type TieBreakElement =
  | 'evidence'
  | 'votes_from_others'
  | 'approvals'
  | 'smaller_change'
  | 'latest'
  | 'earliest'
  | 'seeded_hash'
  | 'config_order';
