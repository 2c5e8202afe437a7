import type { Label, Slot } from '../../base/ids';
import type { RunState } from '../../run/state';
import { agentAt, currentRevision } from './ledger';
import { capOnNewTurn } from './caps';
import { concludeAttempt } from './evaluation';
import { mostVoted } from './evaluator';
import { endRun } from './run-end';
import { deliverSteering } from './steering';
import type { Step } from './step';
import { direct, endTurn } from './turn-end';
import type { Reporter } from './turn-end';

interface Winner {
  readonly slot: Slot;
  readonly label: Label;
}

/** After the decision: the winner writes the final text, or its answer is the final text as it stands. */
export function present(step: Step, winner: Winner): void {
  const { state } = step;
  const { debugFinalAnswer: text } = state.settings;
  if (text !== undefined) {
    step.emit({ type: 'final-answer', ...winner, text, source: 'presented' });
    concludeAttempt(step);
    return;
  }
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
  startPresentation(step, presenter, winner.label);
}

/** The turn in which `slot` writes the final text about the answer with this label. */
export function startPresentation(step: Step, slot: Slot, label: Label): void {
  const where = { slot, turnNo: agentAt(step.state, slot).turnNo + 1 };
  step.emit({ type: 'final-presentation-started', ...where, label });
  deliverSteering(step, where);
  step.request({
    kind: 'set-timer',
    timer: { kind: 'presentation' },
    delayMs: step.state.settings.presentationTimeoutMs,
  });
  step.request({ kind: 'start-presentation', ...where, label });
}

/**
 * What is left when all agents have failed is shown as it is; so is the answer of an agent that worked alone, unless
 * the settings want a final text all the same. When the time is over the settings say whether there is still one for the final text; for money and calls there is not.
 */
function canPresent(state: RunState): boolean {
  const { finalAnswerStrategy, timeoutPresentation, presentsAlone = false } = state.settings;
  const isAllowed =
    state.capReached === null ||
    (state.capReached === 'duration' && timeoutPresentation === 'present');
  return (
    finalAnswerStrategy !== 'winner_reuse' &&
    (state.agents.length > 1 || presentsAlone) &&
    isAllowed &&
    state.selection?.agreement.decidedBy !== 'degraded'
  );
}

/**
 * The winner, or the agent that the settings name for one text from all answers. When its backend has failed, the live
 * agent with the most votes speaks for the chosen answer.
 */
function presenterFor(state: RunState, winner: Slot): Slot | undefined {
  const { finalAnswerStrategy, presenterSlot } = state.settings;
  const wanted = finalAnswerStrategy === 'synthesize' ? (presenterSlot ?? winner) : winner;
  const able = state.agents
    .filter(({ status }) => status !== 'failed')
    .map(({ info }) => info.slot);
  const preferred = [wanted, winner].find((slot) => able.includes(slot));
  return preferred ?? (able.length === 0 ? undefined : mostVoted(state, able));
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
  concludeAttempt(step);
}

/** The presentation cannot be finished; `why` is a sentence for the user. */
export function failPresentation(
  step: Step,
  where: { readonly slot: Slot; readonly turnNo: number },
  why: string,
): void {
  endTurn(step, where, 'error');
  fallBack(step, 'presentation_failed', why);
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
  fallBack(step, code, why);
}

/** The voted answer is the final text. A run that has none, because nobody voted on anything, has failed. */
function fallBack(step: Step, code: string, why: string): void {
  clearTimer(step);
  const winner = step.state.selection?.winner ?? null;
  if (winner === null || currentRevision(agentAt(step.state, winner.slot)) === undefined) {
    endRun(step, 'error', { code: 'backend/bad-response', message: why, retryable: true });
    return;
  }
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
  concludeAttempt(step);
}
