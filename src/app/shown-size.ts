// Bounds the record of a run that others look at: what is least missed goes first, and what went is said.
import { counted } from '../run/selectors/formats';
import type { ShownEvent } from './app-contract';

interface Bounded {
  readonly events: readonly ShownEvent[];
  /** One sentence each. */
  readonly leftOut: readonly string[];
}

/** Longer texts are cut to this many characters where there is not room for all. */
const longestText = 2_000;

/** `limit`: characters as JSON. The first event always stays. */
export function withinLimit(events: readonly ShownEvent[], limit: number): Bounded {
  if (sizeOf(events) <= limit) {
    return { events, leftOut: [] };
  }
  const decisive = events.filter(({ event }) => !isTextDelta(event));
  const pieces = events.length - decisive.length;
  const leftOut =
    pieces === 0
      ? []
      : [`What agents wrote along the way is left out (${counted(pieces, 'piece', 'pieces')}).`];
  if (sizeOf(decisive) <= limit) {
    return { events: decisive, leftOut };
  }
  const short = decisive.map(({ seq, at, event }) => ({ seq, at, event: shortened(event) }));
  const isCut = `Texts are cut after ${longestText} characters.`;
  const fitting = beginning(short, limit);
  const rest = short.length - fitting.length;
  return {
    events: fitting,
    leftOut: [
      ...leftOut,
      isCut,
      ...(rest === 0 ? [] : [`The last ${counted(rest, 'event is', 'events are')} left out.`]),
    ],
  };
}

function isTextDelta(event: unknown): boolean {
  return (
    typeof event === 'object' && event !== null && 'type' in event && event.type === 'text-delta'
  );
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > longestText ? `${value.slice(0, longestText)}…` : value;
  }
  if (Array.isArray(value)) {
    return value.map(shortened);
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]))
    : value;
}

function beginning(events: readonly ShownEvent[], limit: number): readonly ShownEvent[] {
  let size = 0;
  const end = events.findIndex((one, i) => {
    size += lengthOf(one);
    return size > limit && i > 0;
  });
  return end === -1 ? events : events.slice(0, end);
}

function sizeOf(events: readonly ShownEvent[]): number {
  return events.reduce((sum, one) => sum + lengthOf(one), 0);
}

function lengthOf(event: ShownEvent): number {
  return JSON.stringify(event).length + 1;
}
