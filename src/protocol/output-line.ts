// The lines around the events of a stream on standard output, in the envelope of an event.
import type { EventLine } from './artifacts/event-line';

/** No event of the log, so without a number. */
export type OutputLine = Omit<EventLine, 'seq'> & { readonly seq: null };

/** `now`: Unix ms. */
export function toOutputLine(
  type: 'output_started' | 'output_ended',
  now: number,
  data: Readonly<Record<string, unknown>>,
): OutputLine {
  return {
    seq: null,
    ts: now,
    type,
    attempt: 1,
    slot: null,
    agent_id: null,
    turn_no: null,
    data,
  };
}
