import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RecordedEvent } from '../../../src/run/events';
import { migrate } from '../../../src/run/migrate';
import { compatProfile, recommendedProfile } from '../../../src/run/profiles';
import { applyAll } from '../../../src/run/reducer';
import { toPlainText } from '../../../src/run/selectors/plain-text';

const fixture = join(import.meta.dirname, '../../fixtures/v1/run.jsonl');

function eventsOfVersion1(): readonly RecordedEvent[] {
  const [, ...lines] = readFileSync(fixture, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedEvent);
}

const migrated = (): readonly RecordedEvent[] =>
  eventsOfVersion1().map((recorded) => migrate(recorded, 1));

it('gives a run of version 1 every setting, and keeps those it has', () => {
  const old = applyAll(undefined, eventsOfVersion1());
  const state = applyAll(undefined, migrated());
  expect(Object.keys(state?.settings ?? {}).sort()).toEqual(
    [...Object.keys(compatProfile), 'runSeed'].sort(),
  );
  expect(state?.settings).toMatchObject({
    rule: 'majority',
    maxNewAnswersPerAgent: recommendedProfile.maxNewAnswersPerAgent,
    runSeed: old?.settings.runSeed,
    maxRestarts: 0,
    projectInstructions: false,
  });
});

it('says how a run of version 1 was decided, in words that came later', () => {
  const state = applyAll(undefined, migrated());
  expect(state?.selection?.agreement).toMatchObject({
    ...{ ballots: 3, isSatisfied: true, result: 'decided', margin: 0 },
    ...{ lead: 1, effectiveVoters: 3, ignoredSelfVotes: 0 },
  });
  expect(state?.outcome).toBe('completed');
  expect(toPlainText(state ?? never(), 0, 'en')).toContain('Fix the greeting.');
});

it('calls an early stop of version 1 by its present name', () => {
  const [first] = eventsOfVersion1();
  const started = first ?? never();
  if (started.event.type !== 'run-started') {
    throw new Error('the log begins otherwise');
  }
  const settings = { ...started.event.settings, earlyStop: true };
  const event = { ...started.event, settings };
  const after = migrate({ ...started, event }, 1).event;
  expect(after).toMatchObject({ settings: { stop: 'exact' } });
  expect(JSON.stringify(after)).not.toContain('earlyStop');
});

it('changes nothing twice, and nothing of this version', () => {
  for (const recorded of migrated()) {
    expect(migrate(recorded, 1)).toEqual(recorded);
    expect(migrate(recorded, 2)).toBe(recorded);
  }
});

it('keeps what a later version has written into a log of version 1', () => {
  const decided = migrated().find(({ event }) => event.type === 'final-agent-selected');
  if (decided?.event.type !== 'final-agent-selected') {
    throw new Error('nothing was decided');
  }
  const agreement = { ...decided.event.agreement, lead: 7, margin: 2 };
  const event = { ...decided.event, agreement };
  expect(migrate({ ...decided, event }, 1).event).toEqual(event);
});

it('leaves the events of version 1 themselves as they were', () => {
  const events = eventsOfVersion1();
  events.forEach((recorded) => migrate(recorded, 1));
  expect(events).toEqual(eventsOfVersion1());
});

function never(): never {
  throw new Error('there is nothing');
}
