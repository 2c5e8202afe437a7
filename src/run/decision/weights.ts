import type { Slot } from '../../base/ids';
import type { Elector, RuleSettings } from './poll';

/** What each vote counts: its own weight, shared with the voters of the same family where families have one vote. */
export function voteWeights(
  electors: readonly Elector[],
  families: RuleSettings['families'],
): ReadonlyMap<Slot, number> {
  return new Map(
    electors.map((elector) => [
      elector.slot,
      families === 'weight' ? elector.weight / familySize(electors, elector) : elector.weight,
    ]),
  );
}

function familySize(electors: readonly Elector[], elector: Elector): number {
  return electors.filter((other) => isSameFamily(elector, other)).length;
}

/** A model of unknown family is only of its own. */
function isSameFamily(a: Elector, b: Elector): boolean {
  return a.slot === b.slot || (a.family !== '' && a.family === b.family);
}

/**
 * How many independent voters the electors are worth: (Σw)² / Σᵢⱼ wᵢwⱼρᵢⱼ, where ρ is 1 for a voter with itself and
 * `correlation` within a family. Equal voters that share one family count n / (1 + (n−1)ρ); 0 without voters.
 */
export function effectiveVoters(
  electors: readonly Elector[],
  families: RuleSettings['families'],
  correlation = 1,
): number {
  const weights = voteWeights(electors, families);
  const weightOf = ({ slot }: Elector): number => weights.get(slot) ?? 0;
  const sum = electors.reduce((total, elector) => total + weightOf(elector), 0);
  const together = electors.reduce(
    (total, a) =>
      total +
      electors.reduce(
        (row, b) => row + weightOf(a) * weightOf(b) * correlationOf(a, b, correlation),
        0,
      ),
    0,
  );
  return together === 0 ? 0 : sum ** 2 / together;
}

function correlationOf(a: Elector, b: Elector, withinFamily: number): number {
  if (a.slot === b.slot) {
    return 1;
  }
  return isSameFamily(a, b) ? withinFamily : 0;
}
