import type { Slot } from '../../base/ids';
import type { RunState } from '../../run/state';
import { tallyOf } from './tally';
import { breakTie } from './tie-break';

/** Stands for a judge outside of the team where a slot is asked for. */
export const judgeSlot = 0;

/** Who looks at the finished work, or `undefined` when nobody can. */
export function evaluatorFor(state: RunState): Slot | undefined {
  const { evaluator, hasJudge } = state.settings;
  const winner = state.selection?.winner?.slot;
  const able = state.agents
    .filter(({ status }) => status !== 'failed')
    .map(({ info }) => info.slot);
  if (winner === undefined || able.length === 0) {
    return undefined;
  }
  if (evaluator === 'judge' && hasJudge) {
    return judgeSlot;
  }
  const others = able.filter((slot) => slot !== winner);
  const isOwn = evaluator === 'winner' && able.includes(winner);
  return isOwn || others.length === 0 ? winner : mostVoted(state, others);
}

/** Of some agents the one with the most votes, the chain deciding between equals. */
export function mostVoted(state: RunState, slots: readonly Slot[]): Slot {
  const tally = tallyOf(state);
  const votes = (slot: Slot): number => tally.votes.get(slot) ?? 0;
  const most = Math.max(...slots.map(votes));
  return breakTie(
    state,
    tally,
    slots.filter((slot) => votes(slot) === most),
  ).winner;
}
