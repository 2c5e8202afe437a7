import { describe, expect, it } from 'vitest';
import { MassGenError } from '../../../../../src/core/errors';
import type { Media } from '../../../../../src/core/ports/model-backend';
import type { RecordedEvent } from '../../../../../src/run/events';
import { shell, toolOf } from '../../../../support/plain-tools';
import { ReplayedRun, storedOf } from '../../../../support/replayed-run';
import { RunHarness, settle } from '../../../../support/run-harness';
import { say, type ScriptedResponse } from '../../../../support/scripted-backend';

const never = new Promise<void>(() => undefined);
const minute = 60_000;

/** A run that was stopped from outside after `play` has brought it somewhere. */
async function leftAlone(harness: RunHarness, play: () => Promise<void>): Promise<RunHarness> {
  void harness.play();
  await settle();
  await play();
  return harness;
}

/** How far the log is when the first event of this type is in it. */
function upTo({ events }: RunHarness, type: string): number {
  return 1 + events.findIndex(({ event }) => event.type === type);
}

function typesOf(events: readonly RecordedEvent[]): readonly string[] {
  return events.map(({ event }) => event.type);
}

describe('a run that is gone on with', () => {
  it('asks a person again who had not answered, and does not run what was run', async () => {
    const call = { call: 'shell', input: { command: 'make' } };
    const harness = new RunHarness([[[call], [say.answer('Made.')]]], { tools: [shell] });
    await leftAlone(harness, async () => undefined);
    const stored = storedOf(harness, upTo(harness, 'approval-requested'));
    const run = new ReplayedRun(stored, { tools: [shell] }, [[[say.answer('Made.')], ['Made.']]]);
    const ended = run.resume();
    await settle();
    const [asked] = run.record.state.approvals;
    expect(asked).toMatchObject({ command: 'make' });
    expect(run.desk.resolve(asked?.approvalId ?? '', asked?.hash ?? '', 'deny')).toBe(true);
    expect((await ended).outcome).toBe('completed');
    expect(typesOf(run.log.events).filter((type) => type === 'tool-call-started')).toEqual([]);
  });

  it('shows a model again what tools had shown it, and leaves out again what was too much', async () => {
    const media: readonly Media[] = [
      { kind: 'image', mediaType: 'image/png', name: 'plan.png', base64: 'AAAA' },
    ];
    const look = toolOf('look', 'read', async () => ({ text: 'Shown.', isError: false, media }));
    const overflow = new MassGenError('backend/context-overflow', 'Too much.');
    const call: ScriptedResponse = [{ call: 'look', input: {} }];
    const harness = new RunHarness([[call, [{ fail: overflow }], call, [{ until: never }]]], {
      tools: [look],
    });
    await leftAlone(harness, async () => undefined);
    const script: readonly ScriptedResponse[] = [[say.answer('Done.')], ['Done.']];
    const run = new ReplayedRun(storedOf(harness), { tools: [look] }, [script]);
    expect((await run.resume()).outcome).toBe('completed');
    const results = run.backends[0]?.requests[0]?.messages.flatMap((message) =>
      message.role === 'tool' ? message.results : [],
    );
    expect(results?.map((result) => result.media)).toEqual([undefined, media]);
    expect(results).toEqual(
      harness.backends[0]?.requests
        .at(-1)
        ?.messages.flatMap((message) => (message.role === 'tool' ? message.results : [])),
    );
  });

  it('has as much time as was left to it, however long nobody played it', async () => {
    const harness = new RunHarness([[['Half', { until: never }]], [['Half', { until: never }]]], {
      caps: { durationMs: 10 * minute },
    });
    await leftAlone(harness, async () => {
      harness.clock.advance(4 * minute);
      harness.driver.observe({ type: 'warning-raised', code: 'x', message: 'Four minutes in.' });
      await settle();
    });
    const run = new ReplayedRun(storedOf(harness), {}, [
      [[{ until: never }]],
      [[{ until: never }]],
    ]);
    run.clock.advance(1_000 * minute);
    const ended = run.resume();
    await settle();
    run.clock.advance(6 * minute - 1);
    await settle();
    expect(run.record.state.outcome).toBeNull();
    run.clock.advance(1);
    expect((await ended).capReached).toBe('duration');
  });

  it('waits for a service as long as was left of the wait', async () => {
    const busy = new MassGenError('backend/rate-limited', 'Busy.', {
      retryable: true,
      retryAfterMs: minute,
    });
    const harness = new RunHarness([[[{ fail: busy }]]]);
    await leftAlone(harness, async () => {
      harness.clock.advance(minute / 4);
      harness.driver.observe({ type: 'warning-raised', code: 'x', message: 'A while later.' });
      await settle();
    });
    const run = new ReplayedRun(storedOf(harness), {}, [[[say.answer('Done.')], ['Done.']]]);
    const ended = run.resume();
    await settle();
    run.clock.advance((minute * 3) / 4 - 1);
    await settle();
    expect(run.backends[0]?.requests).toEqual([]);
    run.clock.advance(1);
    expect((await ended).outcome).toBe('completed');
  });

  it('begins the calls again that the end of the program had cut off', async () => {
    const harness = new RunHarness([[['Half', { until: never }]], [[say.answer('Done.')]]]);
    const ended = harness.play();
    await settle();
    harness.driver.cancel('shutdown');
    expect((await ended).outcome).toBe('interrupted');
    const run = new ReplayedRun(storedOf(harness), {}, [
      [[say.answer('Done too.')], [say.vote('agent2')]],
      [[say.vote('agent2')], ['Done.']],
    ]);
    const state = await run.resume();
    expect(state.outcome).toBe('completed');
    expect(state.agents.map(({ revisions }) => revisions.map(({ text }) => text))).toEqual([
      ['Done too.'],
      ['Done.'],
    ]);
    const again = new ReplayedRun({ ...storedOf(harness), events: run.events });
    expect(await again.replay()).toBeNull();
    expect(again.record.state).toEqual(run.record.state);
  });

  it('does not ask for a command again that a person had allowed for the run', async () => {
    const call = { call: 'shell', input: { command: 'make' } };
    const harness = new RunHarness([[[call], [{ until: never }]]], { tools: [shell] });
    await leftAlone(harness, async () => {
      const [asked] = harness.record.state.approvals;
      harness.desk.resolve(asked?.approvalId ?? '', asked?.hash ?? '', 'allow-run');
      await settle();
    });
    const run = new ReplayedRun(storedOf(harness), { tools: [shell] }, [
      [[call], [say.answer('Made.')], ['Made.']],
    ]);
    expect((await run.resume()).outcome).toBe('completed');
    const resolved = run.log.events.flatMap(({ event }) =>
      event.type === 'approval-resolved' ? [[event.approvalId, event.by]] : [],
    );
    expect(resolved).toEqual([['approval-2', 'earlier-decision']]);
  });
});

describe('a log that was changed', () => {
  const played = async () => {
    const harness = new RunHarness([[[say.answer('A.')], ['A.']], [[say.answer('B.')]]]);
    await leftAlone(harness, async () => undefined);
    harness.driver.cancel();
    await settle();
    return storedOf(harness);
  };
  const replayed = async (events: readonly RecordedEvent[]) => {
    const run = new ReplayedRun({ ...(await played()), events });
    const replaying = run.replay();
    await settle();
    run.clock.advance(minute);
    return replaying;
  };

  it('is found where a turn says something that is missing in it', async () => {
    const { events } = await played();
    const gone = events.findIndex(({ event }) => event.type === 'model-call-started');
    const difference = await replayed(events.filter((_event, i) => i !== gone));
    expect(difference?.expected).not.toBe('');
    expect(difference?.seq).toBeGreaterThan(gone);
  });

  it('is found where an event stands that nothing comes from', async () => {
    const { events } = await played();
    const extra: RecordedEvent = {
      seq: 3,
      at: events[0]?.at ?? 0,
      event: { type: 'agent-abstained', slot: 1 },
    };
    const difference = await replayed([...events.slice(0, 3), extra, ...events.slice(3)]);
    expect(difference).toEqual({ seq: 3, expected: JSON.stringify(extra.event), actual: '' });
  });

  it('is found where a decision is missing', async () => {
    const { events } = await played();
    const at = events.findIndex(({ event }) => event.type === 'answer-submitted');
    const shorter = events.filter((_event, i) => i !== at && i !== at + 1);
    const difference = await replayed(shorter);
    expect(difference).not.toBeNull();
  });
});
