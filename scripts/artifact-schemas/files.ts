// JSON Schemas (draft 2020-12) of the files that scripts read.
import { z } from 'zod';
import { attempts, coordinationEvents, eventLine, outputLine, snapshotMappings } from './course';
import { stability } from './stability';
import { status } from './status';
import { resultVote, vote } from './votes';

const schemas = {
  status: { schema: status, title: 'status.json: the state of a run, for scripts that watch it' },
  vote: { schema: vote, title: 'vote.json beside an accepted vote' },
  'result-vote': { schema: resultVote, title: 'vote.json of an attempt: its result' },
  'events-line': { schema: eventLine, title: 'One line of events.jsonl' },
  'output-line': { schema: outputLine, title: 'One line of massgen --stream-events' },
  'coordination-events': {
    schema: coordinationEvents,
    title: 'coordination_events.json: the course of an attempt',
  },
  'snapshot-mappings': {
    schema: snapshotMappings,
    title: 'snapshot_mappings.json: where the files of each label are',
  },
  attempts: { schema: attempts, title: 'attempts.json: what each attempt of a run came to' },
} as const satisfies Record<string, { readonly schema: z.ZodType; readonly title: string }>;

export type ArtifactSchemaName = keyof typeof schemas;

export const artifactSchemaNames = Object.keys(schemas) as readonly ArtifactSchemaName[];

/** `closed`: refuses members that are not listed, for our own tests; readers must accept them. */
export function artifactSchema(
  name: ArtifactSchemaName,
  { closed }: { readonly closed: boolean } = { closed: false },
): Readonly<Record<string, unknown>> {
  const { schema, title } = schemas[name];
  const { $schema, ...body } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: closed ? 'output' : 'input',
  });
  return { $schema, $comment: stability, title, ...body };
}
