import type { SnapshotId } from '../../base/ids';
import type { CheckReport } from '../../run/check-facts';
import { handle } from '../coordination/handle';
import { causeOf } from './event-cause';
import type { RunRecord } from './run-record';

/** The checks of what the user has put together have ended, while the run goes on or afterwards. Throws `storage/failed`. */
export function endMixChecks(
  record: RunRecord,
  checked: { readonly snapshotId: SnapshotId; readonly report: CheckReport },
  now: number,
): void {
  const { snapshotId, report } = checked;
  const at = Math.max(now, record.state.lastEventAt);
  const input = { kind: 'checked', subject: { kind: 'mix', snapshotId }, report } as const;
  record.append(handle(record.state, { at, input }).events, at, causeOf(input));
}
