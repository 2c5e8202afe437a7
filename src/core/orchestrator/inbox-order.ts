import type { Slot } from '../../base/ids';
import type { Input } from '../coordination/inputs';

/** Something that happened, with the time at which it arrived (Unix ms). */
export interface Arrival {
  readonly at: number;
  readonly input: Input;
}

/**
 * Order of arrival; of what arrived in the same millisecond the user's stop comes first, then the deadline, then the
 * agents by slot. What one agent sent keeps its order.
 */
export function inOrder(arrivals: readonly Arrival[]): readonly Arrival[] {
  return [...arrivals].sort((a, b) => a.at - b.at || rank(a.input) - rank(b.input));
}

const beforeAgents = { cancel: -2, deadline: -1 } as const;

function rank(input: Input): number {
  switch (input.kind) {
    case 'cancel':
      return beforeAgents.cancel;
    case 'timer':
      return input.timer.kind === 'deadline' ? beforeAgents.deadline : slotOf(input.timer);
    case 'report':
    case 'turn-crashed':
      return input.slot;
    case 'observed':
      return slotOf(input.event);
    case 'start':
    case 'instant-ended':
      return 0;
  }
}

function slotOf(value: object): Slot {
  return 'slot' in value && typeof value.slot === 'number' ? value.slot : 0;
}
