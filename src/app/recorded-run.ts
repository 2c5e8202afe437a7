import type { RunId, Slot } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { WorkspaceOpened } from '../run/call-events';
import type { RecordedEvent, RunStarted } from '../run/events';
import type { ContextFolder } from './app-contract';
import type { Services } from './services';

/** A log that can be played. */
export interface RecordedRun {
  readonly started: RunStarted;
  readonly events: readonly RecordedEvent[];
}

/** Throws `storage/corrupt` when the log holds no run, or not all that playing it needs. */
export async function readRecordedRun(
  { store, logger }: Pick<Services, 'store' | 'logger'>,
  runId: RunId,
): Promise<RecordedRun> {
  const { events, skippedLines } = await store.read(runId);
  const first = events[0];
  if (first?.event.type !== 'run-started' || first.event.runId !== runId) {
    throw new MassGenError('storage/corrupt', `The log of run ${runId} holds no run of that name.`);
  }
  if (first.by === undefined) {
    throw new MassGenError('storage/corrupt', 'An earlier version of MassGen recorded this run.', {
      hint: 'Only runs that were recorded by this version can be played again.',
    });
  }
  if (skippedLines > 0) {
    logger.warn('storage', `${skippedLines} unreadable lines of run ${runId} were left out`);
  }
  return { started: first.event, events };
}

/** The user's folders as the run was given them. */
export function foldersOf({ started, events }: RecordedRun): readonly ContextFolder[] {
  const opened = events.flatMap(({ event }) => (event.type === 'workspace-opened' ? [event] : []));
  const roots = opened[0]?.roots ?? [];
  return started.contextRoots.map(({ name, path, permission }) => {
    const root = roots.find((one) => one.kind === 'context' && one.name === name);
    const protectedPaths = root?.protectedPaths;
    return { name, path, permission, ...(protectedPaths === undefined ? {} : { protectedPaths }) };
  });
}

/** The last segment of the folder that an agent's places lie in. */
export function folderNamesOf({ events }: RecordedRun): ReadonlyMap<Slot, string> {
  return new Map(
    events.flatMap(({ event }): [Slot, string][] =>
      event.type === 'workspace-opened' ? [[event.slot, folderName(event)]] : [],
    ),
  );
}

function folderName({ roots }: WorkspaceOpened): string {
  return roots[0]?.shownPath.split(/[\\/]/).at(-2) ?? '';
}
