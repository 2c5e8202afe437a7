// Which run a window comes back to, and which one the user has left on purpose.
import { wasChosenAfterEnd } from '../../run/selectors/choice';
import { isDeliverable } from '../../run/selectors/deliverables';
import type { RunState } from '../../run/state';
import type { Services } from '../services';

type Parts = Pick<Services, 'app' | 'memory' | 'runs'>;

/**
 * Shows the newest run of the workspace when something of it is still open: it was cut off, or files wait for a
 * decision. Does nothing once anything else was shown, or when the user has left that run for another task.
 */
export async function restoreRun({ app, memory, runs }: Parts): Promise<void> {
  const isFree = (): boolean => !runs.hasShown;
  const [newest] = isFree() ? await app.listRuns() : [];
  if (newest === undefined || newest.isRunning || newest.runId === memory.leftRunId) {
    return;
  }
  const { runId } = newest;
  if (!isOpen((await app.openRun(runId)).state()) || !isFree()) {
    return;
  }
  await runs.open(runId);
  if (isFree()) {
    runs.show(runId);
  }
}

/** Shows the page of a new run; the run that was shown does not come back by itself. */
export async function leaveRun({
  host,
  memory,
  runs,
}: Pick<Services, 'host' | 'memory' | 'runs'>): Promise<void> {
  const { shownId } = runs;
  host.setStartFailure(undefined);
  runs.show(null);
  if (shownId !== null) {
    await memory.setLeftRunId(shownId);
  }
}

function isOpen(state: RunState): boolean {
  const files = state.review?.files ?? [];
  return (
    (state.outcome === 'interrupted' && !wasChosenAfterEnd(state)) ||
    files.some(
      ({ decision, root }) =>
        !isDeliverable(state, root) && (decision === 'pending' || decision === 'conflict'),
    )
  );
}
