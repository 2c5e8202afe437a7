import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RunSummary } from '../core/ports/event-store';
import type { RecordedEvent, RunEvent, RunStarted } from '../run/events';
import type { SessionInfo } from '../run/facts';
import type { RunState } from '../run/state';
import { writeFileAtomically } from './atomic-write';

/** What the log says about a run; whether it is running now is a matter of its lock. */
export type StoredSummary = Omit<RunSummary, 'isRunning'>;

const summarySchema = z.object({
  runId: z.string(),
  task: z.string(),
  startedAt: z.number(),
  outcome: z.string().nullable(),
  winner: z.string().nullable(),
  sessionId: z.string().optional(),
  turn: z.number().int().optional(),
  folders: z.array(z.string()).optional(),
});

/** `undefined` before `run-started`. */
export function summarize(
  events: readonly RecordedEvent[],
  earlier?: StoredSummary,
): StoredSummary | undefined {
  return events.reduce<StoredSummary | undefined>(
    (summary, recorded) =>
      recorded.event.type === 'run-started'
        ? summaryAtStart(recorded.event, recorded.at)
        : summary && { ...summary, ...changeBy(recorded.event) },
    earlier,
  );
}

function summaryAtStart(event: RunStarted, startedAt: number): StoredSummary {
  const { runId, task, session, contextRoots } = event;
  const folders = contextRoots.map(({ path }) => path);
  return { runId, task, startedAt, outcome: null, winner: null, folders, ...placeOf(session) };
}

function changeBy(event: RunEvent): Partial<StoredSummary> {
  switch (event.type) {
    case 'final-agent-selected':
      return { winner: event.winner?.label ?? null };
    case 'user-override':
      return event.when === 'after' ? { winner: event.label } : {};
    case 'orchestration-restarted':
      return { winner: null };
    case 'run-ended':
      return { outcome: event.outcome };
    default:
      return {};
  }
}

/** The same from the state alone; `undefined` before `run-started`. */
export function summaryOf(state: RunState | undefined): StoredSummary | undefined {
  if (state === undefined || state.runId === '') {
    return undefined;
  }
  const { runId, task, startedAt, outcome, session, selection, override } = state;
  const chosen = selection?.winner?.label ?? null;
  const winner = override?.when === 'after' ? override.label : chosen;
  const folders = state.contextRoots.map(({ path }) => path);
  return { runId, task, startedAt, outcome, winner, folders, ...placeOf(session ?? undefined) };
}

function placeOf(session: SessionInfo | undefined): Pick<RunSummary, 'sessionId' | 'turn'> {
  return session === undefined ? {} : { sessionId: session.sessionId, turn: session.turn };
}

export function readSummary(path: string): StoredSummary | undefined {
  try {
    const found = summarySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const { sessionId, turn, folders, ...summary } = found;
    return {
      ...summary,
      ...(sessionId === undefined || turn === undefined ? {} : { sessionId, turn }),
      ...(folders === undefined ? {} : { folders }),
    };
  } catch {
    return undefined;
  }
}

/** A summary that cannot be written is no loss: lists then read the log. */
export function writeSummary(path: string, summary: StoredSummary): void {
  try {
    writeFileAtomically(path, JSON.stringify(summary));
  } catch {
    return;
  }
}
