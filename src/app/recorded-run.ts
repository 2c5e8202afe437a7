import type { RunId, Slot } from '../base/ids';
import { MassGenError } from '../core/errors';
import type { WorkspaceOpened } from '../run/call-events';
import type { RecordedEvent, RunStarted } from '../run/events';
import type { ContextFolder } from './app-contract';
import { damageOf, type LogDamage } from './log-damage';
import type { Services } from './services';

/** A log that can be played. */
export interface RecordedRun {
  readonly started: RunStarted;
  readonly events: readonly RecordedEvent[];
  readonly damage: LogDamage;
}

/** Throws `storage/corrupt` when the log holds no run, or not all that playing it needs. */
export async function readRecordedRun(
  { store, logger }: Pick<Services, 'store' | 'logger'>,
  runId: RunId,
): Promise<RecordedRun> {
  const { events, skippedLines } = await store.read(runId);
  const first = events[0];
  if (first?.event.type !== 'run-started' || first.event.runId !== runId) {
    throw withoutBeginning(runId);
  }
  if (first.by === undefined) {
    throw new MassGenError('storage/corrupt', 'An earlier version of MassGen recorded this run.', {
      hint: 'Only runs that were recorded by this version can be played again.',
    });
  }
  if (skippedLines > 0) {
    logger.warn('storage', `${skippedLines} unreadable lines of run ${runId} were left out`);
  }
  return { started: first.event, events, damage: damageOf(events, skippedLines) };
}

/** Of a log that is empty, or whose first event is lost or of another run. */
export function withoutBeginning(runId: RunId): MassGenError {
  return new MassGenError(
    'storage/corrupt',
    `The log of run ${runId} is damaged: it does not begin with the start of that run.`,
    {
      hint: 'What the run wrote for people may still be in massgen_logs; put run.jsonl back from a backup, or start the task again.',
    },
  );
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
