// The shape of `status.json`, under MassGen's own names. Fields are only ever added within one schema version.
export type StatusPhase = 'initial_answer' | 'enforcement' | 'presentation' | 'evaluation' | 'done';

export type AgentStatusName =
  | 'waiting'
  | 'streaming'
  | 'answered'
  | 'voted'
  | 'restarting'
  | 'held'
  | 'error'
  | 'timeout'
  | 'completed'
  | 'stopped'
  | 'failed'
  | 'cancelled';

export interface StatusTools {
  readonly total_calls: number;
  readonly total_failures: number;
  readonly total_execution_time_ms: number;
  readonly by_tool: Readonly<
    Record<
      string,
      {
        readonly call_count: number;
        readonly success_count: number;
        readonly failure_count: number;
        readonly total_execution_time_ms: number;
        readonly avg_execution_time_ms: number;
        readonly output_bytes: number;
      }
    >
  >;
}

/** How well an agent kept to the rules of the work: responses that were refused, and what came of it. */
export interface StatusReliability {
  readonly enforcement_attempts: readonly {
    readonly round: number;
    readonly attempt: number;
    readonly reason: string;
    readonly timestamp: number;
  }[];
  readonly by_round: Readonly<
    Record<string, { readonly count: number; readonly reasons: readonly string[] }>
  >;
  readonly unknown_tools: readonly string[];
  readonly workflow_errors: readonly string[];
  readonly total_enforcement_retries: number;
  readonly outcome: 'ok' | 'recovered' | 'failed';
}

export interface StatusAgent {
  readonly slot: number;
  readonly status: AgentStatusName;
  readonly answer_count: number;
  readonly latest_answer_label: string | null;
  /** The valid vote only. */
  readonly vote_cast: {
    readonly voted_for_agent: string;
    readonly voted_for_label: string;
    readonly reason_preview: string;
  } | null;
  /** Void votes included. */
  readonly votes_cast_total: number;
  readonly times_restarted: number;
  /** Seconds since 1970. */
  readonly last_activity: number;
  readonly error: {
    readonly type: 'timeout' | 'error';
    readonly message: string;
    readonly timestamp: number;
  } | null;
  readonly token_usage: {
    readonly input_tokens: number;
    readonly cached_input_tokens: number;
    readonly output_tokens: number;
    readonly reasoning_tokens: number;
    /** US dollars; `null` when the price of a call is not known. */
    readonly estimated_cost: number | null;
    /** A service did not report tokens; the numbers are then too low. */
    readonly estimated: boolean;
  };
  readonly tool_metrics: StatusTools;
  /** Turns that are over, oldest first. */
  readonly round_history: readonly {
    readonly round: number;
    readonly attempt: number;
    readonly outcome: string;
    readonly start_time: number;
    readonly end_time: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost: number | null;
  }[];
  /** The turn that goes on. */
  readonly round_timing: {
    readonly round_number: number;
    readonly round_start_time: number;
  } | null;
  readonly reliability: StatusReliability;
}

export interface StatusAgreement {
  readonly rule: string;
  readonly threshold: number | null;
  readonly quorum: number;
  readonly electorate: readonly number[];
  readonly eligible_weight: number;
  readonly ballots: number;
  readonly votes: Readonly<Record<string, number>>;
  readonly votes_from_others: Readonly<Record<string, number>>;
  readonly needed: number | null;
  readonly share: number;
  readonly satisfied: boolean;
  readonly tie: boolean;
  readonly tied: readonly string[];
  readonly runoffs: number;
  readonly extra_rounds: number;
  readonly tie_break_used: string | null;
  readonly decided_by: string;
  readonly unanimous: boolean;
  readonly uninformed_ballots: number;
  readonly void_ballots: number;
  /** `decided`, `tie-broken`, `no-quorum`, `no-consensus` or `none`. */
  readonly result: string;
  readonly lead: number;
  readonly margin: number;
  readonly effective_voters: number;
  readonly ignored_self_votes: number;
}

export interface StatusCheck {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'timed-out' | 'not-run';
  /** Against the untouched folders. */
  readonly comparison: 'same' | 'regression' | 'fixed' | 'unknown';
  readonly flaky: boolean;
}

export interface StatusJson {
  readonly schema_version: number;
  readonly meta: {
    /** Seconds since 1970, like every time below. */
    readonly last_updated: number;
    readonly start_time: number;
    readonly elapsed_seconds: number;
    readonly session_id: string;
    readonly run_id: string;
    /** Of the session, from 1. */
    readonly turn: number;
    readonly attempt: number;
    readonly log_dir: string;
    readonly question: string;
    readonly context_paths: readonly { readonly path: string; readonly permission: string }[];
  };
  readonly coordination: {
    readonly phase: StatusPhase;
    readonly active_agent: string | null;
    readonly active_agents: readonly string[];
    readonly completion_percentage: number;
    readonly is_final_presentation: boolean;
  };
  /** By configured id. */
  readonly agents: Readonly<Record<string, StatusAgent>>;
  readonly results: {
    /** Weight of the valid votes by label. */
    readonly votes: Readonly<Record<string, number>>;
    readonly void_votes: number;
    readonly winner: string | null;
    readonly winner_label: string | null;
    readonly final_answer_preview: string | null;
    readonly agreement: StatusAgreement | null;
    /** Absent in a run without checks. Those of a tree that is still checked are missing. */
    readonly checks?:
      | {
          readonly baseline: readonly StatusCheck[] | null;
          /** By label. */
          readonly answers: Readonly<Record<string, readonly StatusCheck[]>>;
        }
      | undefined;
  };
  readonly costs: {
    /** US dollars; `null` when the price of a call is not known. */
    readonly total_estimated_cost: number | null;
    readonly total_input_tokens: number;
    readonly total_output_tokens: number;
    readonly total_calls: number;
    /** Calls that did not report tokens; the totals are then too low. */
    readonly unmetered_calls: number;
    readonly estimated: boolean;
    /** Asked on behalf of the run, not of an agent: a judge, a question about the tools. Part of the totals. */
    readonly system: {
      readonly calls: number;
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly estimated_cost: number | null;
    };
  };
  readonly tools: StatusTools;
  readonly rounds: {
    /** Turns that are over. */
    readonly total_rounds: number;
    readonly by_outcome: Readonly<Record<string, number>>;
    readonly total_round_input_tokens: number;
    readonly total_round_output_tokens: number;
    readonly total_round_cost: number | null;
  };
  readonly historical_workspaces: readonly {
    readonly answerId: string;
    readonly agentId: string;
    readonly answerNumber: number;
    readonly answerLabel: string;
    readonly timestamp: number;
    /** Relative to the folder of `status.json`. */
    readonly workspacePath: string;
  }[];
  readonly finish_reason: 'in_progress' | 'completed' | 'timeout' | 'budget' | 'error';
  /** The outcome in this product's own words. */
  readonly finish_reason_details: string | null;
  readonly is_complete: boolean;
  /** An answer exists although the run was cut short. */
  readonly is_partial: boolean;
  readonly review_pending: boolean;
}
