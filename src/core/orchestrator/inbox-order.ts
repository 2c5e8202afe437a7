import type { Input, TimerId } from '../coordination/inputs';

/** Something that happened, with the time at which it arrived (Unix ms). */
export interface Arrival {
  readonly at: number;
  readonly input: Input;
}

/**
 * Order of arrival; of what arrived in the same millisecond facts come first, then the user's stop, then the deadline,
 * then the agents by slot. A fact never overtakes what the same agent reported before: an agent that has reported
 * waits for its directive.
 */
export function inOrder(arrivals: readonly Arrival[]): readonly Arrival[] {
  return [...arrivals].sort((a, b) => a.at - b.at || rank(a.input) - rank(b.input));
}

const beforeAgents = { observed: -3, cancel: -2, deadline: -1 } as const;

function rank(input: Input): number {
  switch (input.kind) {
    case 'observed':
      return beforeAgents.observed;
    case 'cancel':
      return beforeAgents.cancel;
    case 'timer':
      return rankOfTimer(input.timer);
    case 'report':
    case 'turn-crashed':
      return input.slot;
    case 'start':
    case 'user':
    case 'judged':
    case 'planned':
    case 'checked':
    case 'resume':
    case 'instant-ended':
      return 0;
  }
}

function rankOfTimer(timer: TimerId): number {
  switch (timer.kind) {
    case 'deadline':
      return beforeAgents.deadline;
    case 'presentation':
    case 'evaluation':
    case 'judge':
    case 'settle':
      return 0;
    case 'turn-soft':
    case 'turn-hard':
    case 'turn-kill':
    case 'turn-timeout':
    case 'back-off':
      return timer.slot;
  }
}
