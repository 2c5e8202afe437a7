// The schemas of the files for scripts: they fit the types that the files are made from, and every file fits them.
import Ajv from 'ajv/dist/2020';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type {
  attempts,
  coordinationEvents,
  eventLine,
  snapshotMappings,
} from '../../../../scripts/artifact-schemas/course';
import { artifactSchema, artifactSchemaNames } from '../../../../scripts/artifact-schemas/files';
import type { ArtifactSchemaName } from '../../../../scripts/artifact-schemas/files';
import type { status } from '../../../../scripts/artifact-schemas/status';
import type { resultVote, vote } from '../../../../scripts/artifact-schemas/votes';
import type { AttemptEntry } from '../../../../src/protocol/artifacts/attempts-file';
import type { BallotFile, ResultFile } from '../../../../src/protocol/artifacts/ballot-file';
import type { CoordinationEventsFile } from '../../../../src/protocol/artifacts/coordination-events';
import type { EventLine } from '../../../../src/protocol/artifacts/event-line';
import type { SnapshotMappings } from '../../../../src/protocol/artifacts/snapshot-mappings';
import type { StatusJson } from '../../../../src/protocol/status-shape';
import type { RecordedEvent } from '../../../../src/run/events';
import { goldenLogs, scenarioLog, scenarios } from '../../../support/known-logs';
import { filesOf, type Files } from '../../../support/project';
import { restartedRunEvents } from '../../../support/restarted-run';
import { record } from '../../../support/sample-run';
import { play } from '../../../support/scenarios/player';
import { randomPlays } from '../../../support/scenarios/random-scripts';

type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Fits<S extends z.ZodType, T> = Same<DeepReadonly<z.infer<S>>, T>;

/** Does not compile when a schema and the type of its file part ways. */
const typesFit: readonly true[] = [
  true satisfies Fits<typeof status, StatusJson>,
  true satisfies Fits<typeof vote, BallotFile>,
  true satisfies Fits<typeof resultVote, ResultFile>,
  true satisfies Fits<typeof eventLine, EventLine>,
  true satisfies Fits<typeof coordinationEvents, CoordinationEventsFile>,
  true satisfies Fits<typeof snapshotMappings, SnapshotMappings>,
  true satisfies Fits<typeof attempts, readonly AttemptEntry[]>,
];

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
const validators = Object.fromEntries(
  artifactSchemaNames.map((name) => [
    name,
    {
      open: ajv.compile(artifactSchema(name)),
      closed: ajv.compile(artifactSchema(name, { closed: true })),
    },
  ]),
) as Record<
  ArtifactSchemaName,
  { open: ReturnType<Ajv['compile']>; closed: ReturnType<Ajv['compile']> }
>;

/** What a value has against both forms of a schema; empty when it is valid. */
function faults(name: ArtifactSchemaName, value: unknown, where: string): readonly string[] {
  const { open, closed } = validators[name];
  return [open, closed].flatMap((validate) =>
    validate(value) ? [] : [`${where}: ${ajv.errorsText(validate.errors)}`],
  );
}

function schemaOf(path: string, value: unknown): ArtifactSchemaName | undefined {
  switch (path.split('/').at(-1)) {
    case 'status.json':
      return 'status';
    case 'vote.json':
      return typeof value === 'object' && value !== null && 'ballot_label' in value
        ? 'vote'
        : 'result-vote';
    case 'coordination_events.json':
      return 'coordination-events';
    case 'snapshot_mappings.json':
      return 'snapshot-mappings';
    case 'attempts.json':
      return 'attempts';
    default:
      return undefined;
  }
}

function faultsOf(files: Files): readonly string[] {
  return [...files].flatMap(([path, text]) => {
    if (path === 'events.jsonl') {
      return text
        .trimEnd()
        .split('\n')
        .flatMap((line, i) => faults('events-line', JSON.parse(line), `${path}:${i + 1}`));
    }
    if (!path.endsWith('.json')) {
      return [];
    }
    const value: unknown = JSON.parse(text);
    const name = schemaOf(path, value);
    return name === undefined ? [`${path} has no schema`] : faults(name, value, path);
  });
}

const checked = (events: readonly RecordedEvent[]): readonly string[] => faultsOf(filesOf(events));

describe('the schemas of files for scripts', () => {
  it('fit the types that the files are made from', () => {
    expect(typesFit.every(Boolean)).toBe(true);
  });

  it('promise what stays, and accept members that they do not know', () => {
    for (const name of artifactSchemaNames) {
      expect(artifactSchema(name)['$comment']).toContain('only added');
    }
    const [line] = (filesOf(scenarioLog('C01')).get('events.jsonl') ?? '').split('\n');
    const newer: unknown = { ...JSON.parse(line ?? ''), added_later: 1 };
    expect(validators['events-line'].open(newer)).toBe(true);
    expect(validators['events-line'].closed(newer)).toBe(false);
  });

  it('refuse a file that has lost a member', () => {
    const status: unknown = JSON.parse(filesOf(scenarioLog('C01')).get('status.json') ?? '');
    const broken: unknown = { ...Object(status), results: {} };
    expect(validators.status.open(broken)).toBe(false);
  });

  it.each([...goldenLogs.keys()])('hold for every file of the run "%s"', (name) => {
    expect(checked(goldenLogs.get(name) ?? [])).toEqual([]);
  });

  it('hold for every file of every scenario', () => {
    expect([...scenarios.keys()].flatMap((id) => checked(scenarioLog(id)))).toEqual([]);
  });

  it('hold for a run that started anew, and at every event before its end', () => {
    const events = record(restartedRunEvents);
    for (let end = 1; end <= events.length; end++) {
      expect(checked(events.slice(0, end))).toEqual([]);
    }
  });

  it('hold for runs at random', () => {
    fc.assert(
      fc.property(randomPlays, (script) => {
        expect(checked(play(script).log)).toEqual([]);
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});
