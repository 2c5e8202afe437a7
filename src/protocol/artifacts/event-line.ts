// One line of `events.jsonl`: an event of the log in the shape that scripts read.
import type { RecordedEvent, RunEvent } from '../../run/events';
import type { RunState } from '../../run/state';
import { eventName, eventTypeOf, memberNames, subjectOf } from './event-names';
import { toCamelKey, toSnakeKey, withKeys } from './key-case';

export interface EventLine {
  /** From 0, without gaps over the whole run. */
  readonly seq: number;
  /** Unix ms. */
  readonly ts: number;
  readonly type: string;
  readonly attempt: number;
  /** From 1; 0 is a judge outside of the team. */
  readonly slot: number | null;
  readonly agent_id: string | null;
  readonly turn_no: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `state`: before the event, and after it for the first one. */
export function toEventLine({ seq, at, event }: RecordedEvent, state: RunState): EventLine {
  const { type, ...members } = event;
  const { slot: own, turnNo, ...rest } = { slot: undefined, turnNo: undefined, ...members };
  const slot = own ?? subjectOf(event);
  return {
    seq,
    ts: at,
    type: eventName(event) ?? type,
    attempt: state.attempt,
    slot,
    agent_id: slot === null ? null : (state.agents[slot - 1]?.info.id ?? null),
    turn_no: turnNo ?? null,
    data: toData(type, rest),
  };
}

function toData(
  type: string,
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = new Map(memberNames(type));
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [own.get(key) ?? toSnakeKey(key), withKeys(value, toSnakeKey)]),
  );
}

/** The event of a line, so that a state can be made from `events.jsonl` alone. `undefined` for an unknown type. */
export function fromEventLine(line: EventLine): RecordedEvent | undefined {
  const type = eventTypeOf(line.type);
  if (type === undefined) {
    return undefined;
  }
  const own = new Map(memberNames(type).map(([inLog, inFile]) => [inFile, inLog]));
  const members = Object.entries(line.data).map(([key, value]) => [
    own.get(key) ?? toCamelKey(key),
    withKeys(value, toCamelKey),
  ]);
  const event: unknown = {
    type,
    ...(line.slot === null || hasDerivedSlot.has(type) ? {} : { slot: line.slot }),
    ...(line.turn_no === null ? {} : { turnNo: line.turn_no }),
    ...Object.fromEntries(members),
  };
  return isEventOf(type, event) ? { seq: line.seq, at: line.ts, event } : undefined;
}

const hasDerivedSlot: ReadonlySet<string> = new Set(['votes-voided', 'final-agent-selected']);

/** The file is our own: its members are trusted as those of the log are. */
function isEventOf(type: string, event: unknown): event is RunEvent {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === type;
}
