import type { Slot } from '../../base/ids';
import { sha256Hex } from '../../base/sha256';

export interface BallotPaper {
  readonly candidates: readonly Slot[];
  /** All who are shown the candidates. */
  readonly voters: readonly Slot[];
  /** Makes the order of this run and attempt its own. */
  readonly seed: string;
}

/**
 * The order in which one voter is shown the candidates: row of a Latin square. Each candidate stands in each place
 * equally often over the voters, or once more or less where the numbers do not divide, so that no answer gains from
 * its place. Voters that are not on the list get a row as well.
 */
export function ballotOrder(paper: BallotPaper, voter: Slot): readonly Slot[] {
  const { candidates, voters, seed } = paper;
  const first = drawn(candidates, `${seed}\ncandidate`);
  const row = Math.max(0, drawn(voters, `${seed}\nvoter`).indexOf(voter));
  const shift = first.length === 0 ? 0 : row % first.length;
  return [...first.slice(shift), ...first.slice(0, shift)];
}

/** An order that depends on the seed and the members, not on how they are listed. */
function drawn(slots: readonly Slot[], seed: string): readonly Slot[] {
  return slots
    .map((slot) => ({ slot, rank: sha256Hex(`${seed}\n${slot}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ slot }) => slot);
}
