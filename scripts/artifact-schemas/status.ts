import { z } from 'zod';
import { count, label, seconds, usd } from './stability';

const tools = z.object({
  total_calls: count,
  total_failures: count,
  total_execution_time_ms: z.number(),
  by_tool: z.record(
    z.string(),
    z.object({
      call_count: count,
      success_count: count,
      failure_count: count,
      total_execution_time_ms: z.number(),
      avg_execution_time_ms: z.number(),
      output_bytes: count,
    }),
  ),
});

const reliability = z
  .object({
    enforcement_attempts: z.array(
      z.object({ round: count, attempt: count, reason: z.string(), timestamp: seconds }),
    ),
    by_round: z.record(z.string(), z.object({ count, reasons: z.array(z.string()) })),
    unknown_tools: z.array(z.string()),
    workflow_errors: z.array(z.string()),
    total_enforcement_retries: count,
    outcome: z.enum(['ok', 'recovered', 'failed']),
  })
  .describe('Responses that were refused, and what came of it.');

const agentStatus = z.enum([
  'waiting',
  'streaming',
  'answered',
  'voted',
  'restarting',
  'held',
  'error',
  'timeout',
  'completed',
  'stopped',
  'failed',
  'cancelled',
]);

const agent = z.object({
  slot: z.int().min(1),
  status: agentStatus,
  answer_count: count,
  latest_answer_label: label.nullable(),
  vote_cast: z
    .object({ voted_for_agent: z.string(), voted_for_label: label, reason_preview: z.string() })
    .nullable()
    .describe('The valid vote only.'),
  votes_cast_total: count.describe('Void votes included.'),
  times_restarted: count,
  last_activity: seconds,
  error: z
    .object({ type: z.enum(['timeout', 'error']), message: z.string(), timestamp: seconds })
    .nullable(),
  token_usage: z.object({
    input_tokens: count,
    cached_input_tokens: count,
    output_tokens: count,
    reasoning_tokens: count,
    estimated_cost: usd,
    estimated: z.boolean().describe('A service did not report tokens; the numbers are too low.'),
  }),
  tool_metrics: tools,
  round_history: z.array(
    z.object({
      round: count,
      attempt: count,
      outcome: z.string(),
      start_time: seconds,
      end_time: seconds,
      input_tokens: count,
      output_tokens: count,
      cost: usd,
    }),
  ),
  round_timing: z.object({ round_number: count, round_start_time: seconds }).nullable(),
  reliability,
});

const checkList = z.array(
  z.object({
    name: z.string(),
    status: z.enum(['passed', 'failed', 'timed-out', 'not-run']),
    comparison: z
      .enum(['same', 'regression', 'fixed', 'unknown'])
      .describe('Against the untouched folders.'),
    flaky: z.boolean().describe('It failed once and passed when it was run again.'),
  }),
);

export const agreement = z
  .object({
    rule: z.string(),
    threshold: z.number().nullable(),
    quorum: z.number(),
    electorate: z.array(z.int()),
    eligible_weight: z.number(),
    ballots: count,
    votes: z.record(z.string(), z.number()).describe('Weight by label.'),
    votes_from_others: z.record(z.string(), z.number()).describe('Without votes for oneself.'),
    needed: z.number().nullable(),
    share: z.number(),
    satisfied: z.boolean(),
    tie: z.boolean(),
    tied: z.array(label),
    runoffs: count,
    extra_rounds: count,
    tie_break_used: z.string().nullable(),
    decided_by: z.string(),
    unanimous: z.boolean(),
    uninformed_ballots: count,
    void_ballots: count,
    result: z.string().describe('decided, tie-broken, no-quorum, no-consensus or none.'),
    lead: z.number(),
    margin: z.number(),
    effective_voters: z.number(),
    ignored_self_votes: count,
  })
  .describe('How the run was decided, in numbers.');

const costs = z.object({
  total_estimated_cost: usd,
  total_input_tokens: count,
  total_output_tokens: count,
  total_calls: count,
  unmetered_calls: count.describe('Calls without reported tokens; the totals are too low then.'),
  estimated: z.boolean(),
  system: z
    .object({ calls: count, input_tokens: count, output_tokens: count, estimated_cost: usd })
    .describe('Asked on behalf of the run, not of an agent; part of the totals.'),
});

/** `status.json`. */
export const status = z.object({
  schema_version: z.int(),
  meta: z.object({
    last_updated: seconds,
    start_time: seconds,
    elapsed_seconds: z.number(),
    session_id: z.string(),
    run_id: z.string(),
    turn: z.int().min(1),
    attempt: z.int().min(1),
    log_dir: z.string(),
    question: z.string(),
    context_paths: z.array(z.object({ path: z.string(), permission: z.string() })),
  }),
  coordination: z.object({
    phase: z.enum(['initial_answer', 'enforcement', 'presentation', 'evaluation', 'done']),
    active_agent: z.string().nullable(),
    active_agents: z.array(z.string()),
    completion_percentage: z.int().min(0).max(100),
    is_final_presentation: z.boolean(),
  }),
  agents: z.record(z.string(), agent).describe('By configured id.'),
  results: z.object({
    votes: z.record(z.string(), z.number()).describe('Weight of the valid votes by label.'),
    void_votes: count,
    winner: z.string().nullable(),
    winner_label: label.nullable(),
    final_answer_preview: z.string().nullable(),
    agreement: agreement.nullable(),
    checks: z
      .object({ baseline: checkList.nullable(), answers: z.record(label, checkList) })
      .optional()
      .describe(
        'Absent in a run without checks. Those of a tree that is still checked are missing.',
      ),
  }),
  costs,
  tools,
  rounds: z.object({
    total_rounds: count,
    by_outcome: z.record(z.string(), count),
    total_round_input_tokens: count,
    total_round_output_tokens: count,
    total_round_cost: usd,
  }),
  historical_workspaces: z.array(
    z.object({
      answerId: z.string(),
      agentId: z.string(),
      answerNumber: count,
      answerLabel: label,
      timestamp: seconds,
      workspacePath: z.string(),
    }),
  ),
  finish_reason: z
    .enum(['in_progress', 'completed', 'timeout', 'budget', 'error'])
    .describe(
      'budget: a cap was reached, with or without an answer; before version 2, completed or error.',
    ),
  finish_reason_details: z.string().nullable(),
  is_complete: z.boolean(),
  is_partial: z.boolean(),
  review_pending: z.boolean(),
});
