import type { Label, Slot } from '../../base/ids';
import { sha256Hex } from '../../base/sha256';
import type { RunState } from '../../run/state';
import { candidates } from './ledger';

/**
 * The order in which a viewer is shown the answers that may win. A pure function of the run's seed, the viewer and
 * the attempt, so that no answer gains from its place and the same run shows the same order again.
 */
export function displayOrder(state: RunState, viewer: Slot): readonly Label[] {
  const { displayOrder: order, runSeed } = state.settings;
  const rank = (slot: Slot): string =>
    sha256Hex(['display', runSeed, viewer, state.attempt, slot].join('\n'));
  const shown = candidates(state).map(({ slot, label }) => ({
    label,
    rank: order === 'shuffle' ? rank(slot) : '',
  }));
  return shown.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0)).map((x) => x.label);
}
