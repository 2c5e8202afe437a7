import { z } from 'zod';
import { derivedNames } from '../../src/protocol/artifacts/derived-events';
import { eventNames } from '../../src/protocol/artifacts/event-names';
import { count, label, seconds, stampText } from './stability';

const open = z.record(z.string(), z.unknown());
const list = (names: readonly string[]): string => [...new Set(names)].toSorted().join(', ');

/** One line of `events.jsonl`. */
export const eventLine = z.object({
  seq: count.describe('From 0, without gaps over the whole run.'),
  ts: z.number().describe('Unix milliseconds.'),
  type: z.string().describe(`An open list: ${list(eventNames)}.`),
  attempt: z.int().min(1),
  slot: count.nullable().describe('From 1; 0 is a judge outside of the team.'),
  agent_id: z.string().nullable(),
  turn_no: count.nullable(),
  data: open,
});

/** One line of `--stream-events`. */
export const outputLine = eventLine.extend({
  seq: eventLine.shape.seq
    .nullable()
    .describe('That of the event; null for output_started and output_ended, which no log holds.'),
  type: z
    .string()
    .describe(
      'Those of events.jsonl, between output_started (log_dir, status, runtime_inbox) and output_ended (exit_code, outcome, winner, answer, output_file).',
    ),
});

/** `coordination_events.json`. */
export const coordinationEvents = z.object({
  schema_version: z.int(),
  session_metadata: z.object({
    user_prompt: z.string(),
    agent_ids: z.array(z.string()),
    start_time: seconds,
    end_time: seconds.nullable(),
    final_winner: z.string().nullable(),
  }),
  events: z.array(
    z.object({
      timestamp: seconds,
      event_type: z.string().describe(`An open list: ${list([...eventNames, ...derivedNames])}.`),
      agent_id: z.string().nullable(),
      details: z.string(),
      context: open.describe('Beside its own members: iteration and round.'),
    }),
  ),
});

/** `snapshot_mappings.json`. */
export const snapshotMappings = z.record(
  z.string(),
  z.object({
    type: z.enum(['answer', 'vote', 'final_answer', 'work_in_progress']),
    label: z.string(),
    agent_id: z.string(),
    timestamp: stampText,
    iteration: count,
    round: count,
    path: z.string(),
    voted_for: z.string().exactOptional(),
    voted_for_label: label.exactOptional(),
  }),
);

/** `attempts.json`. */
export const attempts = z.array(
  z.object({
    attempt: z.int().min(1),
    winner: z.string().nullable(),
    winner_label: label.nullable(),
    decided_by: z.string().nullable(),
    evaluation: z.enum(['submit', 'restart']).nullable(),
    reason: z.string().nullable(),
    instructions: z.string().nullable(),
    started: seconds,
    ended: seconds.nullable(),
  }),
);
