import { describe, expect, it } from 'vitest';
import { onAbort } from '../../../../src/base/abort';
import { MassGenError } from '../../../../src/core/errors';
import { shell, toolOf } from '../../../support/plain-tools';
import { gate, type HarnessOptions, RunHarness, settle } from '../../../support/run-harness';
import type { ScriptedResponse } from '../../../support/scripted-backend';
import { say } from '../../../support/scripted-backend';

const never = new Promise<void>(() => undefined);
const other: readonly ScriptedResponse[] = [[{ until: never }]];

/** Starts, lets everything run until it waits, stops, and returns the run when it is over. */
async function stopped(
  script: readonly ScriptedResponse[],
  options: HarnessOptions = {},
  prepare: (harness: RunHarness) => void = () => undefined,
): Promise<RunHarness> {
  const harness = new RunHarness([script, other], options);
  prepare(harness);
  const ended = harness.play();
  await settle();
  harness.driver.cancel();
  await ended;
  return harness;
}

function expectClean(harness: RunHarness): void {
  const { state } = harness.record;
  expect(state.outcome).toBe('cancelled');
  expect(state.approvals).toEqual([]);
  expect(harness.backends.map(({ open }) => open)).toEqual([0, 0]);
  expect(harness.clock.pending).toBe(0);
  expect([...harness.workspaces.agents.values()].map(({ isClosed }) => isClosed)).toEqual([
    true,
    true,
  ]);
  const started = harness.types.filter((type) => type === 'model-call-started').length;
  const ended = harness.types.filter((type) => type === 'model-call-ended').length;
  expect(ended).toBe(started);
}

describe('stopping a run', () => {
  it('ends calls that have not brought anything yet', async () => {
    expectClean(await stopped([[{ until: never }, say.answer('Too late.')]]));
  });

  it('ends calls in the middle of their text, which stays readable', async () => {
    const harness = await stopped([['Half a sen', { until: never }]]);
    expectClean(harness);
    const ends = harness.events.flatMap(({ event }) =>
      event.type === 'model-call-ended' && event.slot === 1 ? [event] : [],
    );
    expect(ends).toMatchObject([{ text: 'Half a sen', error: { code: 'cancelled/user' } }]);
    expect(harness.record.state.agents[0]?.liveText).toBe('Half a sen');
  });

  it('ends a tool while it works, and the call gets its end in the log', async () => {
    let wasAborted = false;
    const slow = toolOf('slow', 'execute', async (_input, _context, signal) => {
      await new Promise<void>((resolve) => {
        onAbort(signal, () => {
          wasAborted = true;
          resolve();
        });
      });
      throw signal.reason;
    });
    const harness = await stopped([[{ call: 'slow', input: {} }]], { tools: [slow] });
    expectClean(harness);
    expect(wasAborted).toBe(true);
    expect(harness.types.filter((type) => type.startsWith('tool-call-'))).toEqual([
      'tool-call-started',
      'tool-call-ended',
    ]);
  });

  it('denies a command that waits for a person', async () => {
    let hasRun = false;
    const harness = await stopped(
      [[{ call: 'shell', input: { command: 'rm -rf .' } }]],
      { tools: [shell] },
      ({ workspaces }) => {
        workspaces.agents.get(1)?.commands.set('rm -rf .', async () => {
          hasRun = true;
          return { exitCode: 0, isTimedOut: false, output: '', outputBytes: 0 };
        });
      },
    );
    expectClean(harness);
    expect(hasRun).toBe(false);
    expect(harness.events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'approval-resolved', decision: 'deny', by: 'stop' }),
    );
  });

  it('gives up a snapshot that is being taken, and the answer with it', async () => {
    const harness = await stopped([[say.answer('Done.')]], {}, ({ workspaces }) => {
      const workspace = workspaces.agents.get(1);
      if (workspace !== undefined) {
        workspace.beforeSnapshot = async (signal) => {
          await new Promise<void>((resolve) => {
            onAbort(signal, () => resolve());
          });
        };
      }
    });
    expectClean(harness);
    expect(harness.types).not.toContain('answer-submitted');
  });

  it('interrupts the wait for a busy service', async () => {
    const busy = new MassGenError('backend/rate-limited', 'Slow down.', {
      retryable: true,
      retryAfterMs: 30_000,
    });
    const harness = await stopped([[{ fail: busy }]]);
    expectClean(harness);
    expect(harness.types).toContain('agent-waiting');
  });

  it('works while the winner presents: the choice stands, nothing is presented', async () => {
    const harness = new RunHarness([
      [[say.answer('A.')], [say.vote('agent1')], ['The beginning', { until: never }]],
      [[say.answer('B.')], [say.vote('agent1')]],
    ]);
    const ended = harness.play();
    await settle();
    harness.driver.cancel();
    const state = await ended;
    expectClean(harness);
    expect(state.selection?.winner?.label).toBe('agent1.1');
    expect(state.finalAnswer).toBeNull();
  });

  it('may be asked for twice and after the end', async () => {
    const harness = await stopped([[{ until: never }]]);
    const before = harness.events.length;
    harness.driver.cancel();
    await settle();
    expect(harness.events).toHaveLength(before);
  });

  it('does not wait for ever for a model that does not end its stream', async () => {
    const deaf = {
      capabilities: {
        hasTools: true,
        hasParallelToolCalls: true,
        contextWindowTokens: undefined,
        maxOutputTokens: undefined,
      },
      async *stream() {
        yield { type: 'text-delta', text: 'Hm' } as const;
        await never;
      },
      close: async () => undefined,
    };
    const harness = new RunHarness([[], other], {
      backends: new Map([[1, deaf]]),
    });
    const ended = harness.play();
    await settle();
    harness.driver.cancel();
    await settle();
    harness.clock.advance(2_000);
    expect((await ended).outcome).toBe('cancelled');
  });

  it('starts nothing more: an answer that arrives with the stop is not a new turn', async () => {
    const { opened, open } = gate();
    const harness = new RunHarness([[[{ until: opened }, say.answer('A.')]], other]);
    const ended = harness.play();
    await settle();
    open();
    harness.driver.cancel();
    const state = await ended;
    expect(state.outcome).toBe('cancelled');
    expect(harness.backends[0]?.requests).toHaveLength(1);
  });
});
