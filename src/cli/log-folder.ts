// Folders with the readable files of runs, as `massgen logs` finds and reads them.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from './failure';

const toolSchema = z.looseObject({
  call_count: z.number(),
  failure_count: z.number(),
  total_execution_time_ms: z.number(),
  avg_execution_time_ms: z.number(),
});

const toolsSchema = z.looseObject({
  total_calls: z.number(),
  total_failures: z.number(),
  total_execution_time_ms: z.number(),
  by_tool: z.record(z.string(), toolSchema),
});

/** What is read of `status.json`; members of later versions are let through. */
const statusSchema = z.looseObject({
  meta: z.looseObject({
    question: z.string(),
    start_time: z.number(),
    elapsed_seconds: z.number(),
    session_id: z.string(),
    run_id: z.string(),
    turn: z.number(),
  }),
  agents: z.record(
    z.string(),
    z.looseObject({
      status: z.string(),
      answer_count: z.number(),
      latest_answer_label: z.string().nullable(),
      vote_cast: z.looseObject({ voted_for_label: z.string() }).nullable(),
      round_history: z.array(z.unknown()),
      token_usage: z.looseObject({
        input_tokens: z.number(),
        output_tokens: z.number(),
        estimated_cost: z.number().nullable(),
      }),
    }),
  ),
  results: z.looseObject({
    votes: z.record(z.string(), z.number()),
    winner: z.string().nullable(),
    winner_label: z.string().nullable(),
  }),
  costs: z.looseObject({
    total_estimated_cost: z.number().nullable(),
    total_input_tokens: z.number(),
    total_output_tokens: z.number(),
    total_calls: z.number(),
  }),
  tools: toolsSchema,
  finish_reason: z.string(),
});

export type LogStatus = z.infer<typeof statusSchema>;

/** The folder of a turn with its state. Throws `UsageError` when it cannot be read. */
export interface ReadLog {
  readonly dir: string;
  readonly status: LogStatus;
}

export function readLogFolder(dir: string): ReadLog {
  let text: string;
  try {
    text = readFileSync(join(dir, 'status.json'), 'utf8');
  } catch {
    throw new UsageError(
      `There is no status.json in ${dir}.`,
      'A run of which nothing is kept has none.',
    );
  }
  const status = parse(text);
  if (status === undefined) {
    throw new UsageError(`${join(dir, 'status.json')} is not what MassGen writes.`);
  }
  return { dir, status };
}

function parse(text: string): LogStatus | undefined {
  try {
    return statusSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * The folder of the newest turn at or below `path`: a folder of a turn, of a session (`log_…`), or one that holds
 * those. Throws `UsageError` when there is none.
 */
export function newestTurnIn(path: string): string {
  for (const inner of ['', 'massgen_logs', '.massgen/massgen_logs']) {
    const found = turnAt(join(path, inner));
    if (found !== undefined) {
      return found;
    }
  }
  throw new UsageError(`${path} holds no files of a run.`, 'Name a folder log_… or turn_….');
}

function turnAt(dir: string): string | undefined {
  if (hasStatus(dir)) {
    return dir;
  }
  const turns = namesIn(dir, /^turn_(\d+)$/).map((name) => join(dir, name));
  const newestTurn = turns.filter(hasStatus).at(-1);
  if (newestTurn !== undefined) {
    return newestTurn;
  }
  const logs = namesIn(dir, /^log_(.+)$/).map((name) => join(dir, name));
  return logs
    .flatMap((log) => turnAt(log) ?? [])
    .toSorted((a, b) => changed(a) - changed(b))
    .at(-1);
}

function hasStatus(dir: string): boolean {
  return statSync(join(dir, 'status.json'), { throwIfNoEntry: false })?.isFile() === true;
}

function changed(dir: string): number {
  return statSync(join(dir, 'status.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** By their number where they have one, else by name. */
function namesIn(dir: string, pattern: RegExp): readonly string[] {
  try {
    const names = readdirSync(dir).filter((name) => pattern.test(name));
    const numberOf = (name: string): number => Number(pattern.exec(name)?.[1] ?? 0) || 0;
    return names.toSorted((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1));
  } catch {
    return [];
  }
}
