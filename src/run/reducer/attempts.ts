import type { EvaluationEnded, EvaluationStarted, OrchestrationRestarted } from '../poll-events';
import type { Evaluation, Revision } from '../facts';
import type { AgentState, PastAttempt, RunState } from '../state';
import { withAgent, withAgents } from './agents';
import { newTurn, turnBegun } from './turns';

export function evaluationStarted(state: RunState, event: EvaluationStarted, at: number): RunState {
  const shown = state.agents.flatMap(({ revisions }) => revisions.at(-1)?.label ?? []);
  return withAgent({ ...state, evaluation: { slot: event.slot, result: null } }, event.slot, () =>
    turnBegun({ ...newTurn(event.turnNo, at, shown), purpose: 'evaluate' }, at),
  );
}

export function evaluationEnded(state: RunState, event: EvaluationEnded): RunState {
  const { decision, reason, instructions, by, slot } = event;
  return { ...state, evaluation: { slot, result: { decision, reason, instructions, by } } };
}

/** Everybody begins again with nothing; what was paid and how often each agent was at work stays counted. */
export function orchestrationRestarted(
  state: RunState,
  event: OrchestrationRestarted,
  at: number,
): RunState {
  const { reason, instructions } = event;
  const evaluation = state.evaluation?.result ?? {
    decision: 'restart' as const,
    reason,
    instructions,
    by: 'evaluator' as const,
  };
  const fresh = withAgents(state, () => freshAgent(at));
  return {
    ...fresh,
    ...freshChecks(state),
    attempt: event.attempt,
    attemptStartedAt: at,
    pastAttempts: [...state.pastAttempts, pastAttempt(state, evaluation, at)],
    poll: { kind: 'open' },
    runoffs: 0,
    extraRounds: 0,
    selection: null,
    presentation: null,
    finalAnswer: null,
    review: null,
    evaluation: null,
    judgeVerdict: null,
    override: null,
  };
}

/** Labels begin anew with each attempt; the untouched folders stay as they were checked. */
function freshChecks({ checks }: RunState): Pick<RunState, 'checks'> {
  return checks === undefined ? {} : { checks: { ...checks, answers: {} } };
}

function freshAgent(at: number): Partial<AgentState> {
  return {
    status: 'idle',
    turn: null,
    revisions: [],
    ballot: null,
    ballots: [],
    draft: null,
    isHeldForChecks: false,
    stop: null,
    answersInARow: 0,
    seenOfPeers: [],
    failedTurns: 0,
    notBefore: 0,
    lastError: null,
    activity: { kind: 'none' },
    liveText: '',
    lastActivityAt: at,
  };
}

function pastAttempt(state: RunState, evaluation: Evaluation, endedAt: number): PastAttempt {
  const winner = state.selection?.winner ?? null;
  const revision = chosenRevision(state);
  return {
    attempt: state.attempt,
    startedAt: state.attemptStartedAt,
    endedAt,
    winner,
    decidedBy: state.selection?.agreement.decidedBy ?? null,
    finalText: state.finalAnswer?.text ?? revision?.text ?? '',
    snapshotId: revision?.snapshotId ?? null,
    evaluation,
  };
}

function chosenRevision({ selection, agents }: RunState): Revision | undefined {
  const winner = selection?.winner ?? null;
  const revisions = winner === null ? [] : (agents[winner.slot - 1]?.revisions ?? []);
  return revisions.find(({ label }) => label === winner?.label);
}
