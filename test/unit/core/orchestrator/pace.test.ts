import { describe, expect, it } from 'vitest';
import { paced, Pacer } from '../../../../src/core/orchestrator/pace';
import type { AgentRuntime, TurnEngine, TurnInput } from '../../../../src/core/ports/agent-runtime';
import { FakeClock } from '../../../support/fake-clock';
import { RunHarness, settle } from '../../../support/run-harness';
import { say } from '../../../support/scripted-backend';

describe('a pace', () => {
  it('lets starts with one key in one after the other, and others at once', async () => {
    const clock = new FakeClock();
    const pacer = new Pacer(clock);
    const begun: string[] = [];
    const enter = async (name: string, key: string): Promise<void> => {
      await pacer.enter(key, 3000, new AbortController().signal);
      begun.push(`${name} at ${clock.now() - 1_000_000}`);
    };
    const all = Promise.all([enter('a', 'x'), enter('b', 'x'), enter('c', 'x'), enter('d', 'y')]);
    await settle();
    clock.advance(3000);
    await settle();
    clock.advance(3000);
    await all;
    expect(begun).toEqual(['a at 0', 'd at 0', 'b at 3000', 'c at 6000']);
    expect(clock.pending).toBe(0);
  });

  it('is no delay when enough time has passed', async () => {
    const clock = new FakeClock();
    const pacer = new Pacer(clock);
    const { signal } = new AbortController();
    await pacer.enter('x', 3000, signal);
    clock.advance(3000);
    await pacer.enter('x', 3000, signal);
    expect(clock.pending).toBe(0);
  });

  it('is not waited for when the turn is stopped, which then never begins', async () => {
    const clock = new FakeClock();
    const pacer = new Pacer(clock);
    const stop = new AbortController();
    await pacer.enter('x', 3000, stop.signal);
    let isBegun = false;
    const inner: AgentRuntime = {
      runTurn: async () => {
        isBegun = true;
      },
      close: async () => undefined,
    };
    const runtime = paced(inner, { pacer, key: 'x', gapMs: 3000 });
    const harness = new RunHarness([[[say.answer('Done.')]]]);
    await harness.play();
    const turn: TurnInput = {
      ...{ slot: 1, turnNo: 1, attempt: 1, purpose: 'coordinate', shown: [] },
      state: harness.record.state,
      toolset: { hasNewAnswer: true, hasVote: false, hasOrdinaryTools: true, targets: [] },
    };
    const engine: TurnEngine = {
      state: () => harness.record.state,
      observe: () => undefined,
      report: async () => ({ kind: 'end' }),
    };
    const running = runtime.runTurn(turn, engine, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(isBegun).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
