import type { Slot } from '../../base/ids';
import type { Evaluation } from '../../run/facts';
import type { RunState } from '../../run/state';
import { capOnNewTurn } from './caps';
import { evaluatorFor, judgeSlot } from './evaluator';
import { agentAt } from './ledger';
import { endDecidedRun } from './run-end';
import { stageOf } from './stage';
import { deliverSteering } from './steering';
import type { Step } from './step';
import { endTurn } from './turn-end';

interface Where {
  readonly slot: Slot;
  readonly turnNo: number;
}

/**
 * Whether the work of this attempt is looked at before it is accepted: a further attempt must be allowed, the run must
 * have time and money left, and what the user has chosen is not questioned.
 */
function isEvaluated(state: RunState): boolean {
  return (
    state.attempt <= state.settings.maxRestarts &&
    state.capReached === null &&
    state.override === null &&
    (state.selection?.winner ?? null) !== null
  );
}

/** The final text is there: it is looked at, or the run is over. */
export function concludeAttempt(step: Step): void {
  const slot = isEvaluated(step.state) ? evaluatorFor(step.state) : undefined;
  if (slot === undefined) {
    endDecidedRun(step);
    return;
  }
  const cap = capOnNewTurn(step.state);
  if (cap !== undefined) {
    step.emit({ type: 'cap-reached', cap });
    endDecidedRun(step);
    return;
  }
  if (slot === judgeSlot) {
    askJudge(step);
  } else {
    startTurn(step, slot);
  }
  const delayMs = step.state.settings.postEvaluationTimeoutMs;
  step.request({ kind: 'set-timer', timer: { kind: 'evaluation' }, delayMs });
}

function startTurn(step: Step, slot: Slot): void {
  const where = { slot, turnNo: agentAt(step.state, slot).turnNo + 1 };
  step.emit({ type: 'evaluation-started', ...where });
  deliverSteering(step, where);
  step.request({ kind: 'start-evaluation', ...where });
}

function askJudge(step: Step): void {
  const { finalAnswer, systemCalls } = step.state;
  step.emit({ type: 'evaluation-started', slot: judgeSlot, turnNo: 0 });
  const candidates = finalAnswer === null ? [] : [finalAnswer.label];
  step.request({ kind: 'ask-judge', call: systemCalls.usage.calls + 1, candidates });
}

export type Verdict = Pick<Evaluation, 'decision' | 'by'> &
  Partial<Pick<Evaluation, 'reason' | 'instructions'>>;

/** The evaluation is over, its turn too: the work is accepted, or the team begins again. */
export function endEvaluation(step: Step, verdict: Verdict): void {
  const { state } = step;
  const { decision, by, reason = '', instructions = '' } = verdict;
  const slot = state.evaluation?.slot ?? judgeSlot;
  step.request({ kind: 'clear-timer', timer: { kind: 'evaluation' } });
  step.emit({ type: 'evaluation-ended', slot, decision, reason, instructions, by });
  if (decision === 'restart') {
    const attempt = state.attempt + 1;
    step.emit({ type: 'orchestration-restarted', attempt, reason, instructions });
  } else {
    endDecidedRun(step);
  }
}

/** Nothing was decided about the work; it is accepted, and the user is told why nobody has confirmed it. */
export function acceptUnchecked(step: Step, by: Evaluation['by'], why: string): void {
  const message = `The result was not confirmed by a check. ${why}`;
  step.emit({ type: 'warning-raised', code: 'evaluation_undecided', message });
  endEvaluation(step, { decision: 'submit', by, reason: why });
}

export function failEvaluation(step: Step, where: Where, why: string): void {
  endTurn(step, where, 'error');
  acceptUnchecked(step, 'fault', why);
}

/** Ends an evaluation that takes too long, or that the end of the run's time stops. */
export function abortEvaluation(step: Step, why: string): void {
  const slot = step.state.evaluation?.slot ?? judgeSlot;
  const turn = step.state.agents[slot - 1]?.turn ?? null;
  if (stageOf(step.state) !== 'evaluation') {
    return;
  }
  if (turn !== null) {
    const where = { slot, turnNo: turn.turnNo };
    step.request({ kind: 'abort-turn', ...where, reason: 'timeout' });
    endTurn(step, where, 'timeout');
  }
  acceptUnchecked(step, 'timeout', why);
}
