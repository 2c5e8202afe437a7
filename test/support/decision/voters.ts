// Models of how agents vote for one best answer, candidate 1, and what a panel of them comes to.
import type { Slot } from '../../../src/base/ids';
import type { Poll, RuleSettings } from '../../../src/run/decision/poll';
import { tallyPoll } from '../../../src/run/decision/tally';
import { allChoices, jury, panel, range } from './polls';

/** Probabilities of the candidates 1, 2 … for each voter. */
export type VotingModel = readonly (readonly number[])[];

/** The best with `quality`, every other one alike. */
export function preferring(candidates: number, quality: number): readonly number[] {
  const other = (1 - quality) / (candidates - 1);
  return range(candidates).map((slot) => (slot === 1 ? quality : other));
}

/** With probability `self` an agent votes for itself, otherwise for what it prefers. */
export function selfish(agents: number, quality: number, self: number): VotingModel {
  const base = preferring(agents, quality);
  return range(agents).map((agent) =>
    base.map((p, index) => (1 - self) * p + (index + 1 === agent ? self : 0)),
  );
}

/** The own answer cannot be voted for; what is left is scaled up. */
export function withoutOwn(agents: number, quality: number): VotingModel {
  const base = preferring(agents, quality);
  return range(agents).map((agent) => {
    const left = base.map((p, index) => (index + 1 === agent ? 0 : p));
    const sum = left.reduce((total, p) => total + p, 0);
    return left.map((p) => p / sum);
  });
}

/** With probability `bias` the first in the list is taken, whatever it is. */
export function hasty(
  orders: readonly (readonly Slot[])[],
  quality: number,
  bias: number,
): VotingModel {
  return orders.map((order) =>
    preferring(order.length, quality).map(
      (p, index) => (1 - bias) * p + (order[0] === index + 1 ? bias : 0),
    ),
  );
}

/** How often the best wins over all ways in which the agents can vote; tied leaders share. */
export function accuracyOfPanel(model: VotingModel, rules: RuleSettings): number {
  return accuracy(model, rules, model.length, panel);
}

/** The same with voters who are not authors. */
export function accuracyOfJury(
  candidates: number,
  model: VotingModel,
  rules: RuleSettings,
): number {
  return accuracy(model, rules, candidates, (choices) => jury(candidates, model.length, choices));
}

function accuracy(
  model: VotingModel,
  rules: RuleSettings,
  candidates: number,
  pollOf: (choices: readonly Slot[]) => Poll,
): number {
  let right = 0;
  for (const choices of allChoices(candidates, model.length)) {
    const weight = choices.reduce((p, slot, i) => p * (model[i]?.[slot - 1] ?? 0), 1);
    if (weight > 0) {
      right += weight * shareOfBest(tallyPoll(pollOf(choices), rules).top);
    }
  }
  return right;
}

export function shareOfBest(tied: readonly Slot[]): number {
  return tied.includes(1) ? 1 / tied.length : 0;
}
