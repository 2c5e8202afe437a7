// The shape of `status.json`, under MassGen's own names. Fields are only ever added within one schema version.
export type StatusPhase = 'initial_answer' | 'enforcement' | 'presentation' | 'done';

export type AgentStatusName =
  | 'waiting'
  | 'streaming'
  | 'answered'
  | 'voted'
  | 'error'
  | 'completed'
  | 'stopped'
  | 'failed'
  | 'cancelled';

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
    /** US dollars; `null` when the price of a call is not known. */
    readonly estimated_cost: number | null;
  };
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
}

export interface StatusJson {
  readonly schema_version: number;
  readonly meta: {
    /** Seconds since 1970, like every time below. */
    readonly last_updated: number;
    readonly start_time: number;
    readonly elapsed_seconds: number;
    readonly session_id: string;
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
    readonly final_answer_preview: string | null;
    readonly agreement: StatusAgreement | null;
  };
  readonly costs: {
    /** US dollars; `null` when the price of a call is not known. */
    readonly total_estimated_cost: number | null;
    readonly total_input_tokens: number;
    readonly total_output_tokens: number;
    readonly total_calls: number;
    /** Calls that did not report tokens; the totals are then too low. */
    readonly unmetered_calls: number;
  };
  readonly finish_reason: 'in_progress' | 'completed' | 'timeout' | 'error';
  /** The outcome in this product's own words. */
  readonly finish_reason_details: string | null;
  readonly is_complete: boolean;
  /** An answer exists although the run was cut short. */
  readonly is_partial: boolean;
  readonly review_pending: boolean;
}
