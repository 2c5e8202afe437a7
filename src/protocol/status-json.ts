// `status.json`: the state of a run for scripts that watch it.
import { clip } from '../base/text';
import type { Agreement } from '../run/facts';
import type { AgentState, RunState, UsageTotals } from '../run/state';

import type {
  AgentStatusName,
  StatusAgent,
  StatusAgreement,
  StatusJson,
  StatusPhase,
} from './status-shape';

const statusSchemaVersion = 1;

export interface StatusMeta {
  /** Folder that holds the run's files. */
  readonly logDir: string;
}

/** `now`: Unix ms. */
export function toStatusJson(state: RunState, now: number, { logDir }: StatusMeta): StatusJson {
  const endedAt = state.timeline.findLast(({ kind }) => kind === 'ended')?.at ?? now;
  return {
    schema_version: statusSchemaVersion,
    meta: {
      last_updated: toSeconds(now),
      start_time: toSeconds(state.startedAt),
      elapsed_seconds: toSeconds(endedAt - state.startedAt),
      session_id: state.runId,
      attempt: state.attempt,
      log_dir: logDir,
      question: state.task,
      context_paths: state.contextRoots.map(({ path, permission }) => ({ path, permission })),
    },
    coordination: toCoordination(state),
    agents: Object.fromEntries(
      state.agents.map((agent) => [agent.info.id, toStatusAgent(agent, state)]),
    ),
    results: toResults(state),
    costs: toCosts(state),
    finish_reason: finishReason(state),
    finish_reason_details: state.outcome,
    is_complete: state.outcome !== null,
    is_partial: isCutShort(state) && state.finalAnswer !== null,
    review_pending:
      state.outcome !== null &&
      (state.review?.files.some(({ decision }) => decision === 'pending') ?? false),
  };
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000;
}

function toCoordination(state: RunState): StatusJson['coordination'] {
  const active = state.agents.filter(({ status }) => status === 'running');
  const newest = active.toSorted((a, b) => b.lastActivityAt - a.lastActivityAt)[0];
  return {
    phase: phaseOf(state),
    active_agent: newest?.info.id ?? null,
    active_agents: active.map(({ info }) => info.id),
    completion_percentage: completionOf(state),
    is_final_presentation: state.presentation !== null && state.outcome === null,
  };
}

/** Moves forward only: a vote that became void has still been cast. */
function phaseOf(state: RunState): StatusPhase {
  if (state.outcome !== null) {
    return 'done';
  }
  if (state.selection !== null) {
    return 'presentation';
  }
  const hasActed = ({ revisions, ballots }: AgentState): boolean =>
    revisions.length > 0 || ballots.length > 0;
  return liveAgents(state).every(hasActed) ? 'enforcement' : 'initial_answer';
}

function liveAgents(state: RunState): readonly AgentState[] {
  return state.agents.filter(({ status }) => status !== 'failed' && status !== 'cancelled');
}

function completionOf(state: RunState): number {
  if (state.outcome !== null) {
    return 100;
  }
  const live = liveAgents(state);
  const count = Math.max(1, live.length);
  const answered = live.filter(({ revisions }) => revisions.length > 0).length / count;
  const voted = live.filter(({ ballot }) => ballot !== null).length / count;
  const presented = state.finalAnswer === null ? 0 : 1;
  return Math.min(99, Math.floor(45 * answered + 45 * voted + 10 * presented));
}

function toStatusAgent(agent: AgentState, state: RunState): StatusAgent {
  const { info, revisions, ballot, ballots, usage, turnNo, lastError, lastActivityAt } = agent;
  const target = ballot === null ? undefined : authorOf(ballot.target, state);
  return {
    slot: info.slot,
    status: statusName(agent),
    answer_count: revisions.length,
    latest_answer_label: revisions.at(-1)?.label ?? null,
    vote_cast:
      ballot === null
        ? null
        : {
            voted_for_agent: target ?? '',
            voted_for_label: ballot.target,
            reason_preview: clip(ballot.reason, 100),
          },
    votes_cast_total: ballots.length,
    times_restarted: Math.max(0, turnNo - 1),
    last_activity: toSeconds(lastActivityAt),
    error:
      lastError === null
        ? null
        : {
            type: lastError.code.endsWith('timeout') ? 'timeout' : 'error',
            message: lastError.message,
            timestamp: toSeconds(lastActivityAt),
          },
    token_usage: {
      input_tokens: usage.inputTokens,
      cached_input_tokens: usage.cachedInputTokens,
      output_tokens: usage.outputTokens,
      estimated_cost: costOf(usage),
    },
  };
}

function authorOf(label: string, state: RunState): string | undefined {
  return state.agents.find(({ revisions }) => revisions.some((each) => each.label === label))?.info
    .id;
}

function statusName({ status, revisions, lastError }: AgentState): AgentStatusName {
  switch (status) {
    case 'idle':
      if (lastError !== null) {
        return 'error';
      }
      return revisions.length > 0 ? 'answered' : 'waiting';
    case 'running':
      return 'streaming';
    case 'abstained':
      return 'stopped';
    case 'done':
      return 'completed';
    case 'waiting':
    case 'voted':
    case 'failed':
    case 'cancelled':
      return status;
  }
}

function toResults(state: RunState): StatusJson['results'] {
  const ballots = state.agents.flatMap((agent) => agent.ballots);
  const votes: Record<string, number> = {};
  for (const { ballot } of state.agents) {
    if (ballot !== null) {
      votes[ballot.target] = (votes[ballot.target] ?? 0) + ballot.weight;
    }
  }
  const winner = state.selection?.winner ?? null;
  return {
    votes,
    void_votes: ballots.filter((ballot) => ballot.void !== undefined).length,
    winner: winner === null ? null : (state.agents[winner.slot - 1]?.info.id ?? null),
    final_answer_preview: state.finalAnswer === null ? null : clip(state.finalAnswer.text, 200),
    agreement: state.selection === null ? null : toStatusAgreement(state.selection.agreement),
  };
}

function toStatusAgreement(agreement: Agreement): StatusAgreement {
  return {
    rule: agreement.rule,
    threshold: agreement.threshold,
    quorum: agreement.quorum,
    electorate: agreement.electorate,
    eligible_weight: agreement.eligibleWeight,
    ballots: agreement.ballots,
    votes: agreement.votes,
    votes_from_others: agreement.votesFromOthers,
    needed: agreement.needed,
    share: agreement.share,
    satisfied: agreement.isSatisfied,
    tie: agreement.isTie,
    tied: agreement.tied,
    runoffs: agreement.runoffs,
    extra_rounds: agreement.extraRounds,
    tie_break_used: agreement.tieBreakUsed,
    decided_by: agreement.decidedBy,
    unanimous: agreement.isUnanimous,
    uninformed_ballots: agreement.uninformedBallots,
    void_ballots: agreement.voidBallots,
  };
}

function toCosts({ agents }: RunState): StatusJson['costs'] {
  const sum = (pick: (usage: UsageTotals) => number): number =>
    agents.reduce((total, { usage }) => total + pick(usage), 0);
  const isKnown = agents.every(({ usage }) => usage.unpricedCalls === 0);
  return {
    total_estimated_cost: isKnown ? sum((usage) => usage.costUsd) : null,
    total_input_tokens: sum((usage) => usage.inputTokens),
    total_output_tokens: sum((usage) => usage.outputTokens),
    total_calls: sum((usage) => usage.calls),
    unmetered_calls: sum((usage) => usage.unmeteredCalls),
  };
}

function costOf(usage: UsageTotals): number | null {
  return usage.unpricedCalls === 0 ? usage.costUsd : null;
}

function isCutShort({ outcome }: RunState): boolean {
  return outcome !== null && outcome !== 'completed';
}

function finishReason({ outcome, finalAnswer }: RunState): StatusJson['finish_reason'] {
  switch (outcome) {
    case null:
      return 'in_progress';
    case 'completed':
    case 'timeout':
      return outcome;
    case 'budget':
      return finalAnswer === null ? 'error' : 'completed';
    case 'no-consensus':
    case 'error':
    case 'cancelled':
    case 'interrupted':
      return 'error';
  }
}
