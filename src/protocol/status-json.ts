// `status.json`: the state of a run for scripts that watch it.
import type { AgentState, RunState } from '../run/state';
import { agentFolders, attemptFolder, stamp, toSeconds } from './artifacts/places';
import type { RunTallies } from './run-tallies';
import { toStatusAgent } from './status-agents';
import { toCosts, toResults, toRounds, toTools } from './status-results';
import type { StatusJson, StatusPhase } from './status-shape';

const statusSchemaVersion = 2;

export interface StatusMeta {
  /** Folder that holds the run's files. */
  readonly logDir: string;
  /** What is counted from the events, beside the state. */
  readonly tallies: RunTallies;
}

/** `now`: Unix ms. */
export function toStatusJson(state: RunState, now: number, meta: StatusMeta): StatusJson {
  const { logDir, tallies } = meta;
  const endedAt = state.timeline.findLast(({ kind }) => kind === 'ended')?.at ?? now;
  return {
    schema_version: statusSchemaVersion,
    meta: {
      last_updated: toSeconds(now),
      start_time: toSeconds(state.startedAt),
      elapsed_seconds: toSeconds(endedAt - state.startedAt),
      session_id: state.session?.sessionId ?? state.runId,
      run_id: state.runId,
      turn: state.session?.turn ?? 1,
      attempt: state.attempt,
      log_dir: logDir,
      question: state.task,
      context_paths: state.contextRoots.map(({ path, permission }) => ({ path, permission })),
    },
    coordination: toCoordination(state),
    agents: Object.fromEntries(
      state.agents.map((agent) => [
        agent.info.id,
        toStatusAgent(agent, state, tallies.get(agent.info.slot)),
      ]),
    ),
    results: toResults(state),
    costs: toCosts(state),
    tools: toTools([...tallies.values()]),
    rounds: toRounds(tallies),
    historical_workspaces: toHistory(state),
    finish_reason: finishReason(state),
    finish_reason_details: state.outcome,
    is_complete: state.outcome !== null,
    is_partial: isCutShort(state) && state.finalAnswer !== null,
    review_pending:
      state.outcome !== null &&
      (state.review?.files.some(({ decision }) => decision === 'pending') ?? false),
  };
}

/** Every answer of the present attempt with the place of its files. */
function toHistory(state: RunState): StatusJson['historical_workspaces'] {
  const folders = agentFolders(state.agents.map(({ info }) => info));
  return state.agents
    .flatMap(({ info, revisions }) => revisions.map((revision) => ({ info, revision })))
    .toSorted((a, b) => a.revision.seq - b.revision.seq)
    .map(({ info, revision: { label, n, at, seq } }) => ({
      answerId: label,
      agentId: info.id,
      answerNumber: n,
      answerLabel: label,
      timestamp: toSeconds(at),
      workspacePath: `${attemptFolder(state)}${folders.get(info.slot) ?? ''}/${stamp(at, seq)}/workspace`,
    }));
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
  if (state.evaluation !== null) {
    return 'evaluation';
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

function isCutShort({ outcome }: RunState): boolean {
  return outcome !== null && outcome !== 'completed';
}

function finishReason({ outcome }: RunState): StatusJson['finish_reason'] {
  switch (outcome) {
    case null:
      return 'in_progress';
    case 'completed':
    case 'timeout':
    case 'budget':
      return outcome;
    case 'no-consensus':
    case 'error':
    case 'cancelled':
    case 'interrupted':
      return 'error';
  }
}
