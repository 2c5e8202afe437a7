import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RunSummary } from '../core/ports/event-store';
import type { RecordedEvent } from '../run/events';
import { writeFileAtomically } from './atomic-write';

/** What the log says about a run; whether it is running now is a matter of its lock. */
export type StoredSummary = Omit<RunSummary, 'isRunning'>;

const summarySchema = z.object({
  runId: z.string(),
  task: z.string(),
  startedAt: z.number(),
  outcome: z.string().nullable(),
  winner: z.string().nullable(),
});

/** `undefined` before `run-started`. */
export function summarize(
  events: readonly RecordedEvent[],
  earlier?: StoredSummary,
): StoredSummary | undefined {
  let summary = earlier;
  for (const { at, event } of events) {
    if (event.type === 'run-started') {
      const { runId, task } = event;
      summary = { runId, task, startedAt: at, outcome: null, winner: null };
    } else if (summary !== undefined && event.type === 'final-agent-selected') {
      summary = { ...summary, winner: event.winner?.label ?? null };
    } else if (summary !== undefined && event.type === 'run-ended') {
      summary = { ...summary, outcome: event.outcome };
    }
  }
  return summary;
}

export function readSummary(path: string): StoredSummary | undefined {
  try {
    return summarySchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
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
