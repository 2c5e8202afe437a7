import type { Label } from '../../base/ids';
import { handle } from '../coordination/handle';
import { withChangeSet } from './change-set';
import { causeOf } from './event-cause';
import type { RunRecord } from './run-record';

/** The user chooses another answer when the run is over; answers whether that has changed anything. Throws `storage/failed`. */
export function chooseAfterEnd(record: RunRecord, label: Label, at: number): boolean {
  const { state } = record;
  const input = { kind: 'user', command: { kind: 'override', label } } as const;
  const { events } = handle(state, { at: Math.max(at, state.lastEventAt), input });
  record.append(withChangeSet(state, events), Math.max(at, state.lastEventAt), causeOf(input));
  return events.length > 0;
}
