import type { Label, Slot } from '../../base/ids';
import type { RunState } from '../../run/state';
import { agentAt, currentRevision } from './ledger';
import { capOnNewTurn } from './caps';
import { endDecidedRun } from './run-end';
import type { Step } from './step';
import { tallyOf } from './tally';
import { breakTie } from './tie-break';
import { direct, endTurn } from './turn-end';
import type { Reporter } from './turn-end';

interface Winner {
  readonly slot: Slot;
  readonly label: Label;
}

/** After the decision: the winner writes the final text, or its answer is the final text as it stands. */
export function present(step: Step, winner: Winner): void {
  const { state } = step;
  const presenter = canPresent(state) ? presenterFor(state, winner.slot) : undefined;
  if (presenter === undefined) {
    reuse(step);
    return;
  }
  const cap = capOnNewTurn(state);
  if (cap !== undefined) {
    step.emit({ type: 'cap-reached', cap });
    reuse(step);
    return;
  }
  const turnNo = agentAt(state, presenter).turnNo + 1;
  const { label } = winner;
  step.emit({ type: 'final-presentation-started', slot: presenter, turnNo, label });
  step.request({
    kind: 'set-timer',
    timer: { kind: 'presentation' },
    delayMs: state.settings.presentationTimeoutMs,
  });
  step.request({ kind: 'start-presentation', slot: presenter, turnNo, label });
}

/** A decision without a vote, or at a cap, is shown as it is; so is the answer of an agent that worked alone. */
function canPresent(state: RunState): boolean {
  const decidedBy = state.selection?.agreement.decidedBy;
  return (
    state.settings.finalAnswerStrategy === 'winner_present' &&
    state.agents.length > 1 &&
    state.capReached === null &&
    decidedBy !== 'degraded'
  );
}

/** The winner, unless its backend has failed: then the live agent with the most votes speaks for its answer. */
function presenterFor(state: RunState, winner: Slot): Slot | undefined {
  const able = state.agents
    .filter(({ status }) => status !== 'failed')
    .map(({ info }) => info.slot);
  if (able.includes(winner) || able.length === 0) {
    return able.length === 0 ? undefined : winner;
  }
  const tally = tallyOf(state);
  const votes = (slot: Slot): number => tally.votes.get(slot) ?? 0;
  const most = Math.max(...able.map(votes));
  return breakTie(
    state,
    tally,
    able.filter((slot) => votes(slot) === most),
  ).winner;
}

/** The presenter has written the final text; without any text the voted answer is shown. */
export function onPresented(step: Step, reporter: Reporter, text: string): void {
  direct(step, reporter, { kind: 'end' });
  if (text.trim() === '') {
    failPresentation(step, reporter, 'The presenter wrote nothing.');
    return;
  }
  const { slot } = reporter;
  const label = step.state.presentation?.label;
  endTurn(step, reporter, 'stop');
  clearTimer(step);
  if (label !== undefined) {
    step.emit({ type: 'final-answer', slot, label, text, source: 'presented' });
  }
  endDecidedRun(step);
}

/** The presentation cannot be finished; `why` is a sentence for the user. */
export function failPresentation(
  step: Step,
  where: { readonly slot: Slot; readonly turnNo: number },
  why: string,
): void {
  endTurn(step, where, 'error');
  clearTimer(step);
  const message = `The voted answer is shown as it is. ${why}`;
  step.emit({ type: 'warning-raised', code: 'presentation_failed', message });
  reuse(step);
}

/** Ends a presentation that takes too long, or that a cap stops. */
export function abortPresentation(step: Step, code: string, why: string): void {
  const { state } = step;
  const slot = state.presentation?.slot;
  const turn = slot === undefined ? null : agentAt(state, slot).turn;
  if (slot !== undefined && turn !== null) {
    const where = { slot, turnNo: turn.turnNo };
    step.request({ kind: 'abort-turn', ...where, reason: 'timeout' });
    endTurn(step, where, 'timeout');
  }
  clearTimer(step);
  const message = `The voted answer is shown as it is. ${why}`;
  step.emit({ type: 'warning-raised', code, message });
  reuse(step);
}

function clearTimer(step: Step): void {
  step.request({ kind: 'clear-timer', timer: { kind: 'presentation' } });
}

/** The voted answer, word for word. */
function reuse(step: Step): void {
  const winner = step.state.selection?.winner ?? null;
  const revision = winner === null ? undefined : currentRevision(agentAt(step.state, winner.slot));
  if (revision !== undefined) {
    const { slot, label, text } = revision;
    step.emit({ type: 'final-answer', slot, label, text, source: 'reused' });
  }
  endDecidedRun(step);
}
