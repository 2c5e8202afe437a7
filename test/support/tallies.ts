import { addToTallies, type RunTallies } from '../../src/protocol/run-tallies';
import type { RecordedEvent } from '../../src/run/events';
import { apply } from '../../src/run/reducer';
import type { RunState } from '../../src/run/state';

/** What `status.json` counts beside the state. */
export function talliesOf(events: readonly RecordedEvent[]): RunTallies {
  let state: RunState | undefined;
  let tallies: RunTallies = new Map();
  for (const recorded of events) {
    state = apply(state, recorded);
    tallies = addToTallies(tallies, recorded, state);
  }
  return tallies;
}
