import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MassGenError } from '../core/errors';
import type { SessionNote, SessionTurn, StoredSession } from '../core/ports/session-store';
import { isRunId } from './run-folder';

/** Files of one session. */
export interface SessionFolder {
  readonly dir: string;
  readonly lock: string;
  readonly winners: string;
  readonly summary: string;
  readonly notes: string;
}

/** Throws `storage/failed` when the id could name anything but a folder below `sessions/`. */
export function sessionFolder(storageDir: string, sessionId: string): SessionFolder {
  if (!isRunId(sessionId)) {
    throw new MassGenError(
      'storage/failed',
      `${JSON.stringify(sessionId)} is not the id of a session.`,
    );
  }
  const dir = join(storageDir, 'sessions', sessionId);
  return {
    dir,
    lock: join(dir, 'lock.json'),
    winners: join(dir, 'winning_agents_history.json'),
    summary: join(dir, 'SESSION_SUMMARY.txt'),
    notes: join(dir, 'notes.json'),
  };
}

export interface TurnFolder {
  readonly dir: string;
  readonly answer: string;
  readonly workspace: string;
  /** What makes the folder a turn. */
  readonly metadata: string;
}

export function turnFolder({ dir }: SessionFolder, turn: number): TurnFolder {
  const folder = join(dir, `turn_${turn}`);
  return {
    dir: folder,
    answer: join(folder, 'answer.txt'),
    workspace: join(folder, 'workspace'),
    metadata: join(folder, 'metadata.json'),
  };
}

const metadataSchema = z.looseObject({
  turn: z.number().int().min(1),
  timestamp: z.iso.datetime(),
  winning_agent: z.string(),
  task: z.string(),
  session_id: z.string(),
  run_id: z.string(),
  snapshot_id: z.string().nullable(),
  cost_usd: z.number(),
});

export function metadataText(sessionId: string, turn: SessionTurn): string {
  const metadata: z.infer<typeof metadataSchema> = {
    schema_version: 1,
    turn: turn.turn,
    timestamp: new Date(turn.endedAt).toISOString(),
    winning_agent: turn.winner,
    task: turn.task,
    session_id: sessionId,
    run_id: turn.runId,
    snapshot_id: turn.snapshotId,
    cost_usd: turn.costUsd,
  };
  return `${JSON.stringify(metadata, null, 2)}\n`;
}

const notesSchema = z.object({
  notes: z.array(
    z.object({
      run_id: z.string(),
      outcome: z.enum([
        'completed',
        'timeout',
        'budget',
        'no-consensus',
        'error',
        'cancelled',
        'interrupted',
      ]),
      timestamp: z.iso.datetime(),
      cost_usd: z.number(),
    }),
  ),
});

export function notesText(notes: readonly SessionNote[]): string {
  const stored: z.infer<typeof notesSchema> = {
    notes: notes.map(({ runId, outcome, endedAt, costUsd }) => ({
      run_id: runId,
      outcome,
      timestamp: new Date(endedAt).toISOString(),
      cost_usd: costUsd,
    })),
  };
  return `${JSON.stringify({ schema_version: 1, ...stored }, null, 2)}\n`;
}

/** A folder without readable metadata is no turn: its writer was cut off. */
export async function readSession(
  folder: SessionFolder,
  sessionId: string,
): Promise<StoredSession> {
  const turns: SessionTurn[] = [];
  for (const number of await turnNumbers(folder.dir)) {
    const turn = await readTurn(turnFolder(folder, number), sessionId);
    if (turn?.turn === number) {
      turns.push(turn);
    }
  }
  turns.sort((a, b) => a.turn - b.turn);
  const isTurn = (one: SessionNote): boolean => turns.some(({ runId }) => runId === one.runId);
  const notes = (await readNotes(folder.notes)).filter((one) => !isTurn(one));
  const costUsd = [...turns, ...notes].reduce((sum, one) => sum + one.costUsd, 0);
  return { sessionId, turns, notes, costUsd };
}

async function turnNumbers(dir: string): Promise<readonly number[]> {
  try {
    const names = await readdir(dir);
    return names.flatMap((name) => {
      const number = /^turn_([1-9]\d{0,8})$/.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  } catch {
    return [];
  }
}

async function readTurn(folder: TurnFolder, sessionId: string): Promise<SessionTurn | undefined> {
  try {
    const found = metadataSchema.parse(JSON.parse(await readFile(folder.metadata, 'utf8')));
    if (found.session_id !== sessionId) {
      return undefined;
    }
    return {
      turn: found.turn,
      runId: found.run_id,
      task: found.task,
      answer: await readFile(folder.answer, 'utf8'),
      winner: found.winning_agent,
      snapshotId: found.snapshot_id,
      endedAt: Date.parse(found.timestamp),
      costUsd: found.cost_usd,
    };
  } catch {
    return undefined;
  }
}

async function readNotes(path: string): Promise<readonly SessionNote[]> {
  try {
    const { notes } = notesSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    return notes.map(({ run_id, outcome, timestamp, cost_usd }) => ({
      ...{ runId: run_id, outcome, endedAt: Date.parse(timestamp), costUsd: cost_usd },
    }));
  } catch {
    return [];
  }
}
