// A split vote can be put before somebody who is not of the team: a judge model, or the user.
import { parseLabel, toLabel } from '../../base/ids';
import type { Label, Slot } from '../../base/ids';
import { leadersAndRunnersUp } from '../../run/decision/tally';
import type { Tally } from '../../run/decision/tally';
import type { RunState } from '../../run/state';
import { capOnNewTurn } from './caps';
import { shownToOutsider } from './display-order';
import { agentAt, candidates, currentRevision } from './ledger';
import type { Step } from './step';
import { clearTurnTimers } from './turn-end';

/** A judge makes one call; one that takes longer than this has none to make. */
const judgeTimeoutMs = 300_000;

/** Asks whom the settings name, if anybody can be asked. The poll rests until `judged` comes or the time is over. */
export function askOutside(step: Step, tally: Tally): boolean {
  const { state } = step;
  const { onSplit, hasJudge, humanTimeoutMs } = state.settings;
  const isAsking = (onSplit === 'judge' || onSplit === 'human') && hasJudge;
  if (!isAsking || (onSplit === 'judge' && capOnNewTurn(state) !== undefined)) {
    return false;
  }
  const slots = onSplit === 'judge' ? forJudge(state, tally) : slotsOf(state);
  endTurns(step);
  step.emit({ type: 'judge-asked', candidates: slots });
  const labels = shownToOutsider(step.state, slots);
  step.request(
    onSplit === 'judge'
      ? { kind: 'ask-judge', call: state.systemCalls.usage.calls + 1, candidates: labels }
      : { kind: 'ask-human', candidates: labels },
  );
  step.request({
    kind: 'set-timer',
    timer: { kind: 'judge' },
    delayMs: onSplit === 'judge' ? judgeTimeoutMs : humanTimeoutMs,
  });
  return true;
}

/** What a runoff would be about; with one name alone there is nothing to compare, so all are. */
function forJudge(state: RunState, tally: Tally): readonly Slot[] {
  const leaders = leadersAndRunnersUp(tally);
  return leaders.length > 1 ? leaders : slotsOf(state);
}

function slotsOf(state: RunState): readonly Slot[] {
  return candidates(state).map(({ slot }) => slot);
}

/** Nobody works while the question is open, and nobody is started. */
function endTurns(step: Step): void {
  for (const { info, turn } of step.state.agents) {
    if (turn !== null) {
      const where = { slot: info.slot, turnNo: turn.turnNo };
      step.request({ kind: 'abort-turn', ...where, reason: 'superseded' });
      step.emit({ type: 'agent-turn-ended', ...where, outcome: 'cancelled' });
      clearTurnTimers(step, where);
    }
  }
}

/** The candidate that an outsider has named, by its label or its agent; `undefined` when it is none. */
export function namedCandidate(state: RunState, written: string): Label | undefined {
  const { poll } = state;
  const named = parseLabel(written);
  if (poll.kind !== 'judge' || named === undefined || !poll.candidates.includes(named.slot)) {
    return undefined;
  }
  const current = currentRevision(agentAt(state, named.slot))?.label;
  const isCurrent = named.n === undefined || toLabel(named.slot, named.n) === current;
  return isCurrent ? current : undefined;
}

/** The question is settled, by its answer or by something else. */
export function clearQuestion(step: Step): void {
  if (step.state.poll.kind === 'judge') {
    step.request({ kind: 'clear-timer', timer: { kind: 'judge' } });
  }
}
