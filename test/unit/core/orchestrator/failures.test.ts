import { describe, expect, it } from 'vitest';
import { MassGenError } from '../../../../src/core/errors';
import { look, toolOf } from '../../../support/plain-tools';
import { RunHarness, settle } from '../../../support/run-harness';
import type { ScriptedResponse } from '../../../support/scripted-backend';
import { say } from '../../../support/scripted-backend';

const peer: readonly ScriptedResponse[] = [[say.answer('B.')], [say.vote('agent2')], ['Final.']];
const fail = (error: MassGenError) => [{ fail: error }];

describe('what goes wrong in a run', () => {
  it('asks again after a stream that was cut, and keeps the turn', async () => {
    const harness = new RunHarness([
      [['Half', { cut: true }], [say.answer('A.')], [say.vote('agent1')], ['F.']],
      [[say.answer('B.')], [say.vote('agent1')]],
    ]);
    const state = await harness.play();
    expect(harness.types).toContain('backend-retried');
    expect(state.agents[0]?.revisions.map(({ text }) => text)).toEqual(['A.']);
    const steps = harness.backends[0]?.requests.slice(0, 2).map(({ step }) => step);
    expect(steps?.[1]).toEqual(steps?.[0]);
  });

  it('waits as long as the service asks, says so, and then goes on', async () => {
    const busy = new MassGenError('backend/rate-limited', 'Slow down.', {
      retryable: true,
      retryAfterMs: 7_000,
    });
    const harness = new RunHarness([
      [fail(busy), [say.answer('A.')], [say.vote('agent1')], ['F.']],
      [[say.answer('B.')], [say.vote('agent1')]],
    ]);
    const start = harness.clock.now();
    const ended = harness.play();
    await settle();
    expect(harness.record.state.agents[0]?.activity).toEqual({
      kind: 'waiting',
      reason: 'rate-limit',
      until: start + 7_000,
    });
    harness.clock.advance(6_999);
    await settle();
    expect(harness.backends[0]?.requests).toHaveLength(1);
    harness.clock.advance(1);
    expect((await ended).outcome).toBe('completed');
  });

  it('takes an agent out whose key is refused, and the others decide', async () => {
    const refused = new MassGenError('backend/auth', 'Wrong key.');
    const harness = new RunHarness([[fail(refused), fail(refused)], peer]);
    const state = await harness.play();
    expect(state.agents[0]?.status).toBe('failed');
    expect(state.agents[0]?.lastError?.message).toBe('Wrong key.');
    expect(state.outcome).toBe('completed');
    expect(state.finalAnswer?.text).toBe('Final.');
  });

  it('ends with an error that names the last problem when nobody can work', async () => {
    const down = new MassGenError('backend/bad-request', 'No such model.');
    const harness = new RunHarness([
      [fail(down), fail(down)],
      [fail(down), fail(down)],
    ]);
    const state = await harness.play();
    expect(state.outcome).toBe('error');
    expect(JSON.stringify(state.error)).toContain('No such model.');
  });

  it('treats an adapter that throws like a failed call', async () => {
    const broken = { throws: new TypeError('x is undefined') };
    const harness = new RunHarness([[[broken], [broken]], peer]);
    const state = await harness.play();
    expect(state.agents[0]?.status).toBe('failed');
    expect(state.agents[0]?.lastError?.code).toBe('bug/invariant');
    expect(state.outcome).toBe('completed');
  });

  it('gives the model an error result when a tool breaks, and goes on', async () => {
    const broken = toolOf('broken', 'read', async () => {
      throw new RangeError('index 7');
    });
    const harness = new RunHarness(
      [
        [[{ call: 'broken', input: {} }], [say.answer('A.')], [say.vote('agent1')], ['F.']],
        [[say.answer('B.')], [say.vote('agent1')]],
      ],
      { tools: [broken] },
    );
    const state = await harness.play();
    const second = harness.backends[0]?.requests[1]?.messages.at(-1);
    expect(second).toMatchObject({
      role: 'tool',
      results: [{ isError: true, text: 'The tool failed inside.' }],
    });
    expect(state.outcome).toBe('completed');
  });

  it('tells the model what is wrong with malformed arguments of a tool', async () => {
    const harness = new RunHarness(
      [
        [
          [{ rawCall: 'look', argumentsJson: '{"path": "a.txt"' }],
          [{ rawCall: 'look', argumentsJson: '["a.txt"]' }],
          [say.answer('A.')],
          [say.vote('agent1')],
          ['F.'],
        ],
        [[say.answer('B.')], [say.vote('agent1')]],
      ],
      { tools: [look] },
    );
    const state = await harness.play();
    const texts = harness.backends[0]?.requests[2]?.messages.flatMap((message) =>
      message.role === 'tool' ? message.results.map(({ text }) => text) : [],
    );
    expect(texts?.[0]).toMatch(/^The arguments are not valid JSON: .+ Call look again\.$/s);
    expect(texts?.[1]).toBe('The arguments must be a JSON object. Call look again.');
    expect(harness.types).not.toContain('protocol-error');
    expect(state.outcome).toBe('completed');
  });

  it('counts malformed arguments of an answer as a mistake and lets the agent correct it', async () => {
    const harness = new RunHarness([
      [
        [{ rawCall: 'new_answer', argumentsJson: '{"content": ' }],
        [say.answer('A.')],
        [say.vote('agent1')],
        ['F.'],
      ],
      [[say.answer('B.')], [say.vote('agent1')]],
    ]);
    const state = await harness.play();
    expect(harness.events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'protocol-error', code: 'bad_arguments', slot: 1 }),
    );
    expect(state.agents[0]?.revisions).toHaveLength(1);
  });

  it('tells an agent that called a tool nobody knows what it may do', async () => {
    const harness = new RunHarness([
      [[{ call: 'launch', input: {} }], [say.answer('A.')], [say.vote('agent1')], ['F.']],
      [[say.answer('B.')], [say.vote('agent1')]],
    ]);
    await harness.play();
    const result = harness.backends[0]?.requests[1]?.messages.at(-1);
    expect(result?.role === 'tool' ? JSON.parse(result.results[0]?.text ?? '') : {}).toMatchObject({
      status: 'rejected',
      code: 'unknown_tool',
      allowed_now: ['new_answer'],
    });
  });

  it('fails a turn after three responses that do nothing, without an empty message in between', async () => {
    const harness = new RunHarness([[[], ['   '], [], [], [], []], peer]);
    const state = await harness.play();
    expect(state.agents[0]?.status).toBe('failed');
    expect(state.outcome).toBe('completed');
    const third = harness.backends[0]?.requests[2]?.messages ?? [];
    expect(third.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user']);
  });

  it('counts a turn that its runtime leaves without being told to as failed', async () => {
    const leaving = { runTurn: async () => undefined, close: async () => undefined };
    const harness = new RunHarness([[], peer], { runtimes: new Map([[1, leaving]]) });
    const state = await harness.play();
    expect(state.agents[0]?.status).toBe('failed');
    expect(state.agents[0]?.lastError?.message).toBe('The turn ended without being told to.');
    expect(state.outcome).toBe('completed');
  });

  it('accepts an answer whose files cannot be kept, with a warning', async () => {
    const harness = new RunHarness([[[say.answer('A.')]]]);
    const workspace = harness.workspaces.agents.get(1);
    if (workspace !== undefined) {
      workspace.beforeSnapshot = async () => {
        throw new MassGenError('workspace/snapshot-failed', 'The disk is full.');
      };
    }
    const state = await harness.play();
    expect(state.agents[0]?.revisions).toMatchObject([{ snapshotId: null, changes: [] }]);
    expect(harness.events.map(({ event }) => event)).toContainEqual({
      type: 'warning-raised',
      code: 'snapshot-failed',
      message: 'The files of an answer of agent1 could not be kept: The disk is full.',
    });
    expect(state.review).toBeNull();
  });

  it('ends when its log cannot be written, with everything stopped', async () => {
    const harness = new RunHarness([
      [[say.answer('A.')]],
      [[{ until: new Promise(() => undefined) }]],
    ]);
    const ended = harness.play();
    harness.log.fails = new MassGenError('storage/failed', 'No space left.');
    const state = await ended;
    expect(state.outcome).toBe('error');
    expect(state.error?.message).toBe('No space left.');
    expect(harness.backends.map(({ open, isClosed }) => [open, isClosed])).toEqual([
      [0, true],
      [0, true],
    ]);
    expect(harness.types).not.toContain('run-ended');
  });

  it('writes nothing behind what could not be written, so that its log can be continued', async () => {
    const harness = new RunHarness([
      [[say.answer('A.')]],
      [[{ until: new Promise(() => undefined) }]],
    ]);
    const ended = harness.play();
    await settle();
    const written = harness.log.events.length;
    harness.log.failsOnce = new MassGenError('storage/failed', 'No space left.');
    harness.driver.observe({ type: 'warning-raised', code: 'disk', message: 'Full.' });
    const state = await ended;
    expect(state.error?.message).toBe('No space left.');
    expect(harness.log.events).toHaveLength(written);
  });

  it('goes on when somebody who watches it breaks', async () => {
    const harness = new RunHarness([[[say.answer('A.')]]]);
    let heard = 0;
    harness.record.onEvents(() => {
      throw new Error('a view broke');
    });
    harness.record.onEvents((events) => {
      heard += events.length;
    });
    expect((await harness.play()).outcome).toBe('completed');
    expect(heard).toBe(harness.events.length);
  });

  it('records what a call cost even when it was cut off by the end of the run', async () => {
    const harness = new RunHarness(
      [
        [
          [
            'Half',
            { usage: { inputTokens: 10, outputTokens: 2 } },
            { until: new Promise(() => undefined) },
          ],
        ],
      ],
      { costUsdPerCall: 0.25 },
    );
    const ended = harness.play();
    await settle();
    harness.driver.cancel();
    const state = await ended;
    expect(state.agents[0]?.usage).toMatchObject({ inputTokens: 10, costUsd: 0.25 });
  });
});
