import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/run/events';
import { ReplayedRun, storedOf } from '../support/replayed-run';
import { look, put } from '../support/plain-tools';
import { goldenRuns } from './scripts';

const tools = [look, put];

describe.each(Object.entries(goldenRuns))('the run "%s"', (_name, play) => {
  it('comes out the same, event for event, when its log is played again', async () => {
    const harness = await play();
    const run = new ReplayedRun(storedOf(harness), { tools });
    expect(await run.replay()).toBeNull();
    expect(run.record.state).toEqual(harness.record.state);
    expect(run.log.events).toEqual([]);
    expect(run.clock.pending).toBe(0);
  });
});

it('a vote whose reason was changed in the log is found where it stands', async () => {
  const harness = await goldenRuns['team-of-three']?.();
  if (harness === undefined) {
    throw new Error('the run is missing');
  }
  const stored = storedOf(harness);
  const events = stored.events.map((one): RecordedEvent =>
    one.event.type === 'vote-cast' && one.event.slot === 2
      ? { ...one, event: { ...one.event, reason: 'Because.' } }
      : one,
  );
  const seq = events.find(({ event }) => event.type === 'vote-cast' && event.slot === 2)?.seq;
  const difference = await new ReplayedRun({ ...stored, events }, { tools }).replay();
  expect(difference).toMatchObject({ seq });
  expect(difference?.expected).toContain('Because.');
  expect(difference?.actual).toContain('I was wrong');
});
