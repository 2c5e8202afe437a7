// The part of `status.json` about each agent.
import { clip } from '../base/text';
import type { AgentState, RunState } from '../run/state';
import { authorOf } from './artifacts/ballot-file';
import { toSeconds } from './artifacts/places';
import { type AgentTally, noTally, type Refusal } from './run-tallies';
import type { AgentStatusName, StatusAgent } from './status-shape';
import { costOf, toTools } from './status-results';

export function toStatusAgent(
  agent: AgentState,
  state: RunState,
  tally: AgentTally = noTally,
): StatusAgent {
  const { info, revisions, ballot, ballots, usage, turnNo, lastActivityAt } = agent;
  return {
    slot: info.slot,
    status: statusName(agent, tally),
    answer_count: revisions.length,
    latest_answer_label: revisions.at(-1)?.label ?? null,
    vote_cast:
      ballot === null
        ? null
        : {
            voted_for_agent: authorOf(ballot.target, state)?.info.id ?? '',
            voted_for_label: ballot.target,
            reason_preview: clip(ballot.reason, 100),
          },
    votes_cast_total: ballots.length,
    times_restarted: Math.max(0, turnNo - 1),
    last_activity: toSeconds(lastActivityAt),
    error: errorOf(agent),
    token_usage: {
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
      reasoning_tokens: tally.reasoningTokens,
      estimated_cost: costOf(usage),
      estimated: usage.unmeteredCalls > 0,
    },
    tool_metrics: toTools([tally]),
    round_history: tally.rounds.map((round) => ({
      round: round.turnNo,
      attempt: round.attempt,
      outcome: round.outcome,
      start_time: toSeconds(round.startedAt),
      end_time: toSeconds(round.endedAt),
      input_tokens: round.inputTokens,
      output_tokens: round.outputTokens,
      cost: round.costUsd,
    })),
    round_timing:
      tally.open === null
        ? null
        : { round_number: tally.open.turnNo, round_start_time: toSeconds(tally.open.startedAt) },
    reliability: toReliability(agent, tally),
  };
}

/** What an agent is at, for `status.json`. */
export function statusName(
  { status, revisions, lastError, draft }: AgentState,
  { rounds, open }: AgentTally = noTally,
): AgentStatusName {
  switch (status) {
    case 'idle':
      if (lastError !== null) {
        return isTimeout(lastError.code) ? 'timeout' : 'error';
      }
      if (open === null && rounds.at(-1)?.outcome === 'restarted') {
        return 'restarting';
      }
      return revisions.length > 0 ? 'answered' : 'waiting';
    case 'running':
      return 'streaming';
    case 'abstained':
      return 'stopped';
    case 'done':
      return 'completed';
    case 'waiting':
      return (draft ?? null) === null ? 'waiting' : 'held';
    case 'voted':
    case 'failed':
    case 'cancelled':
      return status;
  }
}

function isTimeout(code: string): boolean {
  return code.endsWith('timeout');
}

function errorOf({ lastError, lastActivityAt }: AgentState): StatusAgent['error'] {
  return lastError === null
    ? null
    : {
        type: isTimeout(lastError.code) ? 'timeout' : 'error',
        message: lastError.message,
        timestamp: toSeconds(lastActivityAt),
      };
}

function toReliability({ status }: AgentState, tally: AgentTally): StatusAgent['reliability'] {
  const { refusals, unknownTools, hasFailedByProtocol } = tally;
  const byRound = new Map<number, Refusal[]>();
  for (const refusal of refusals) {
    byRound.set(refusal.turnNo, [...(byRound.get(refusal.turnNo) ?? []), refusal]);
  }
  const hasFailed = hasFailedByProtocol || status === 'failed';
  return {
    enforcement_attempts: refusals.map(({ turnNo, attemptNo, code, at }) => ({
      round: turnNo,
      attempt: attemptNo,
      reason: code,
      timestamp: toSeconds(at),
    })),
    by_round: Object.fromEntries(
      [...byRound].map(([round, all]) => [
        String(round),
        { count: all.length, reasons: all.map(({ code }) => code) },
      ]),
    ),
    unknown_tools: unknownTools,
    workflow_errors: refusals.map(({ code }) => code).filter((code) => code !== 'unknown_tool'),
    total_enforcement_retries: refusals.length,
    outcome: hasFailed ? 'failed' : refusals.length > 0 ? 'recovered' : 'ok',
  };
}
