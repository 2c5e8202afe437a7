import type { Label, Slot } from '../../base/ids';
import { checkedFirst, hasGates } from '../../run/checks';
import { isSatisfied } from '../../run/decision/rules';
import type { Tally } from '../../run/decision/tally';
import type { CapReached, PollClosed } from '../../run/poll-events';
import type { AgentCancelled } from '../../run/turn-events';
import type { DecidedBy, EarlyStop } from '../../run/facts';
import type { RunState } from '../../run/state';
import { agreementOf } from './agreement';
import { askOutside, clearQuestion } from './ask';
import { awaitsChecks } from './checks';
import { agentAt, candidates, currentRevision, currentRevisions, electable } from './ledger';
import { present } from './presentation';
import { endDecidedRun } from './run-end';
import { dualPass, nextRound, startRound } from './split';
import type { Step } from './step';
import { tallyOf } from './tally';
import { breakTie } from './tie-break';
import { isDecomposition } from './toolset';
import { clearTurnTimers } from './turn-end';

/** Why a poll ends, and the count that stands then. */
export interface PollEnd {
  readonly cause: PollClosed['cause'];
  readonly tally: Tally;
  readonly stop?: EarlyStop;
}

interface Verdict {
  readonly decidedBy: DecidedBy;
  /** Slots among which the chain decides; a single one has won, none means no winner. */
  readonly among: readonly Slot[];
}

/** The poll is complete: the rule decides, or what the settings say about a close or split vote. */
export function closePoll(step: Step, end: PollEnd): void {
  const { tally } = end;
  const isSplit = tally.ballots.length > 0 && !isSatisfied(step.state.settings, tally);
  const next = dualPass(step.state, tally) ?? (isSplit ? nextRound(step.state, tally) : undefined);
  if (next !== undefined) {
    startRound(step, next);
  } else if (!isSplit || !askOutside(step, tally)) {
    decide(step, { ...end, reason: 'poll-closed' }, regularVerdict(step.state, tally));
  }
}

/** What the settings say about the votes alone, without asking anybody more. */
export function closeByVotes(step: Step): void {
  const tally = tallyOf(step.state);
  decide(
    step,
    { cause: 'quorum', tally, reason: 'poll-closed' },
    regularVerdict(step.state, tally),
  );
}

/** Somebody outside of the team has chosen. */
export function closeByChoice(step: Step, chosen: Slot, decidedBy: 'judge' | 'human'): void {
  const tally = tallyOf(step.state);
  const cause = decidedBy === 'judge' ? 'quorum' : 'user';
  decide(step, { cause, tally, reason: 'poll-closed' }, { decidedBy, among: [chosen] });
}

function regularVerdict(state: RunState, tally: Tally): Verdict {
  const isAlone = state.agents.length === 1;
  const among = choosable(state);
  if (isDecomposition(state) && among.length > 0) {
    return { decidedBy: 'presenter', among: [presenterOf(state)] };
  }
  if (tally.ballots.length === 0) {
    return among.length === 0
      ? { decidedBy: withoutCandidate(state), among }
      : { decidedBy: isAlone ? 'single' : 'no_vote', among };
  }
  if (isSatisfied(state.settings, tally)) {
    const byRule = state.runoffs > 0 ? 'runoff' : 'rule';
    return { decidedBy: isAlone ? 'single' : byRule, among: tally.top };
  }
  if (state.settings.onSplit === 'fail') {
    return { decidedBy: 'no_consensus', among: [] };
  }
  return {
    decidedBy: tally.top.length === 1 ? 'fallback_plurality' : 'tie_break',
    among: tally.top,
  };
}

/** Why nothing can be chosen: no answer has passed the checks, or there is none. */
function withoutCandidate(state: RunState): DecidedBy {
  return currentRevisions(state).length > 0 ? 'gate_failed' : 'error';
}

/** The agent that speaks for a team without votes: the configured one, else the last in the list with an answer. */
function presenterOf(state: RunState): Slot {
  const slots = choosable(state);
  const chosen = slots.find((slot) => slot === state.settings.presenterSlot);
  return chosen ?? Math.max(...slots);
}

/** No live agent is left: what was handed in still counts, without any vote. */
export function closeAfterFailures(step: Step): void {
  const among = choosable(step.state);
  decide(
    step,
    { cause: 'failed', tally: tallyOf(step.state), reason: 'poll-closed' },
    { decidedBy: among.length === 0 ? withoutCandidate(step.state) : 'degraded', among },
  );
}

/**
 * A cap of the run: no further call, and what there is goes to the vote. Checks cost nothing but time, so a cap of calls
 * or money waits for those of a gate.
 */
export function closeAtCap(step: Step, cap: CapReached['cap']): void {
  step.emit({ type: 'cap-reached', cap });
  if (cap !== 'duration' && hasGates(step.state) && awaitsChecks(step.state)) {
    cancelRunning(step, 'budget');
    return;
  }
  decideAtCap(step, cap);
}

/** What a cap has ended is decided by what there is, once nothing is awaited any more. */
export function decideAtCap(step: Step, cap: CapReached['cap']): void {
  const tally = tallyOf(step.state);
  const isFailing = step.state.settings.onTimeout === 'fail';
  const among = tally.ballots.length > 0 ? tally.top : unvoted(step.state);
  const isOut = currentRevisions(step.state).length > 0 && among.length === 0;
  const byCap = cap === 'duration' ? 'timeout' : 'budget';
  decide(
    step,
    cap === 'duration'
      ? { cause: 'timeout', tally, reason: 'deadline' }
      : { cause: 'budget', tally, reason: 'budget' },
    { decidedBy: isOut ? 'gate_failed' : byCap, among: isFailing ? [] : among },
  );
}

/** Who may be chosen without any ballot: behind a gate nobody who has not come through it. */
function choosable(state: RunState): readonly Slot[] {
  const open = hasGates(state) ? electable(state) : checkedFirst(state, candidates(state));
  return open.map(({ slot }) => slot);
}

function unvoted(state: RunState): readonly Slot[] {
  const slots = choosable(state);
  return isDecomposition(state) && slots.length > 0 ? [presenterOf(state)] : slots;
}

interface Closing extends PollEnd {
  readonly reason: AgentCancelled['reason'];
}

function decide(step: Step, closing: Closing, verdict: Verdict): void {
  const { state } = step;
  const { tally, cause, stop } = closing;
  const { winner, element } = chosenOf(state, tally, verdict.among);
  const { decidedBy } = verdict;
  const choice = { decidedBy, winner: winner?.slot ?? null, element, stop };
  const agreement = agreementOf(state, tally, choice);
  clearQuestion(step);
  step.emit({
    type: 'poll-closed',
    cause,
    eligible: tally.electorate.length,
    ballots: tally.ballots.length,
  });
  cancelRunning(step, closing.reason);
  if (element !== null && winner !== null) {
    const tied = currentRevisions(state)
      .filter(({ slot }) => verdict.among.includes(slot))
      .map(({ label }) => label);
    step.emit({ type: 'tie-broken', element, tied, winner: winner.label });
  }
  step.emit({ type: 'final-agent-selected', winner, agreement });
  if (winner === null) {
    endDecidedRun(step);
  } else {
    present(step, winner);
  }
}

interface Chosen {
  readonly winner: { readonly slot: Slot; readonly label: Label } | null;
  /** What the chain needed to choose; `null` when there was nothing to choose. */
  readonly element: string | null;
}

function chosenOf(state: RunState, tally: Tally, among: readonly Slot[]): Chosen {
  if (among.length === 0) {
    return { winner: null, element: null };
  }
  const { winner: slot, element } = breakTie(state, tally, among);
  const revision = currentRevision(agentAt(state, slot));
  return { winner: revision === undefined ? null : { slot, label: revision.label }, element };
}

/** Stops the turns that are still going on; votes and answers of these agents stand. */
function cancelRunning(step: Step, reason: AgentCancelled['reason']): void {
  for (const { info, turn } of step.state.agents) {
    if (turn !== null) {
      const { slot } = info;
      const { turnNo } = turn;
      step.request({
        kind: 'abort-turn',
        slot,
        turnNo,
        reason: reason === 'deadline' ? 'timeout' : 'superseded',
      });
      clearTurnTimers(step, { slot, turnNo });
      step.emit({ type: 'agent-cancelled', slot, reason });
    }
  }
}
