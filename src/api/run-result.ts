import type { RunHandle } from '../app/app-contract';
import { selectTeamUsage } from '../run/selectors/sums';
import type { AgentState, RunState } from '../run/state';
import type { AgentResult, Agreement, Answer, ChangeSet, RunResult, Vote } from './contract';
import { agentId, authorOf, errorFacts } from './public-events';

export interface ResultParts {
  readonly changes: ChangeSet;
  /** What the check of the team had to remark. */
  readonly warnings: readonly string[];
  /** `null` when nothing of the run is kept. */
  readonly logDirectory: string | null;
}

/** What a run came to. It must have ended. */
export function runResult(handle: RunHandle, parts: ResultParts): RunResult {
  const state = handle.state();
  const { selection, finalAnswer, error, session, systemCalls } = state;
  const winner = selection?.winner ?? null;
  return {
    runId: handle.runId,
    sessionId: session?.sessionId ?? handle.runId,
    outcome: state.outcome ?? 'interrupted',
    finalAnswer: finalAnswer?.text ?? null,
    winner: winner === null ? null : { agent: agentId(state, winner.slot), label: winner.label },
    agreement: agreementOf(state),
    answers: answersOf(state),
    agents: state.agents.map(agentResult),
    costUsd: selectTeamUsage(state).costUsd + systemCalls.usage.costUsd,
    changes: parts.changes,
    logDirectory: parts.logDirectory,
    warnings: [...parts.warnings, ...warningsOf(state)],
    error: error === null ? null : errorFacts(error),
  };
}

function agreementOf(state: RunState): Agreement | null {
  if (state.selection === null) {
    return null;
  }
  const { agreement } = state.selection;
  const { rule, threshold, quorum, needed, share, isUnanimous, decidedBy } = agreement;
  return {
    ...{ rule, threshold, quorum, needed, share, isUnanimous, decidedBy },
    tally: agreement.votes,
    tallyFromOthers: agreement.votesFromOthers,
    margin: agreement.lead,
    isConsensus: agreement.result === 'decided',
    votes: votesOf(state),
  };
}

function votesOf(state: RunState): readonly Vote[] {
  return state.agents
    .flatMap(({ ballots }) => ballots)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ voter, target, reason, void: isVoid }) => ({
      voter: agentId(state, voter),
      votedFor: agentId(state, authorOf(target)),
      label: target,
      reason,
      isValid: isVoid === undefined,
    }));
}

function answersOf(state: RunState): readonly Answer[] {
  return state.agents
    .flatMap(({ revisions }) => revisions)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ slot, label, text }) => ({ agent: agentId(state, slot), label, text }));
}

function agentResult({ info, status, usage, lastError }: AgentState): AgentResult {
  const { calls, inputTokens, cachedInputTokens, outputTokens, costUsd, unpricedCalls } = usage;
  return {
    ...{ id: info.id, backend: info.backend, model: info.model, status },
    ...{ calls, inputTokens, cachedInputTokens, outputTokens, costUsd, unpricedCalls },
    ...(status === 'failed' && lastError !== null ? { error: errorFacts(lastError) } : {}),
  };
}

function warningsOf({ timeline }: RunState): readonly string[] {
  return timeline.filter(({ kind }) => kind === 'warning').map(({ text }) => text);
}
