import type { Label, Slot } from '../../base/ids';
import { ballotOrder } from '../../run/decision/ballot-order';
import type { RunState } from '../../run/state';
import { agentAt, candidates, currentRevision, slotOf } from './ledger';
import { isDualPass } from './split';

/** No agent: who is asked about a split. */
const outsider: Slot = 0;

/**
 * The order in which a viewer is shown the answers that may win. A pure function of the run's seed, the viewer and
 * the attempt, so that no answer gains from its place and the same run shows the same order again. A close pair is
 * shown in the opposite of the order in which the viewer saw it first.
 */
export function displayOrder(state: RunState, viewer: Slot): readonly Label[] {
  const slots = candidates(state).map(({ slot }) => slot);
  if (!isDualPass(state)) {
    return labelsOf(state, ordered(state, slots, viewer));
  }
  const first = firstSeen(state, viewer) ?? slots;
  const pair = ordered(state, first, viewer).filter((slot) => slots.includes(slot));
  return labelsOf(state, pair.toReversed());
}

/** The order for somebody who is not of the team. */
export function shownToOutsider(state: RunState, slots: readonly Slot[]): readonly Label[] {
  return labelsOf(state, ordered(state, slots, outsider));
}

function ordered(state: RunState, slots: readonly Slot[], viewer: Slot): readonly Slot[] {
  const { displayOrder: order, runSeed } = state.settings;
  if (order === 'config') {
    return slots.toSorted((a, b) => a - b);
  }
  const voters = state.agents.filter(({ info }) => info.weight > 0).map(({ info }) => info.slot);
  const paper = { candidates: slots, voters, seed: `${runSeed}\n${state.attempt}` };
  return ballotOrder(paper, viewer);
}

/** The slots that the viewer had before it when it voted on the pair for the first time. */
function firstSeen(state: RunState, viewer: Slot): readonly Slot[] | undefined {
  const ballot = agentAt(state, viewer).ballots.findLast((one) => one.void?.by === 'dual_pass');
  return ballot === undefined ? undefined : [...new Set(ballot.seen.map(slotOf))];
}

function labelsOf(state: RunState, slots: readonly Slot[]): readonly Label[] {
  return slots.flatMap((slot) => currentRevision(agentAt(state, slot))?.label ?? []);
}
