import { describe, expect, it } from 'vitest';
import { RateGate, gated } from '../../../../src/core/orchestrator/rate-gate';
import { MassGenError } from '../../../../src/core/errors';
import type { BackendPart, ModelBackend } from '../../../../src/core/ports/model-backend';
import { collect, endOf, requestOf } from '../../../contract/backend-kit';
import { FakeClock } from '../../../support/fake-clock';

const never = new AbortController().signal;

/** A service that refuses everybody until a moment, and writes down when it is asked. */
function serviceUntil(clock: FakeClock, openAt: number, retryAfterMs: number) {
  const askedAt: number[] = [];
  const backend: ModelBackend = {
    capabilities: {
      ...{ hasTools: true, hasParallelToolCalls: true },
      ...{ contextWindowTokens: undefined, maxOutputTokens: undefined },
    },

    async *stream(_request, signal): AsyncGenerator<BackendPart> {
      if (signal.aborted) {
        const error = new MassGenError('cancelled/user', 'Stopped.');
        yield { type: 'end', reason: 'cancelled', error };
        return;
      }
      askedAt.push(clock.now());
      if (clock.now() >= openAt) {
        yield { type: 'end', reason: 'stop' };
        return;
      }
      const error = new MassGenError('backend/rate-limited', 'Slow down.', {
        ...{ retryable: true, retryAfterMs },
      });
      yield { type: 'end', reason: 'error', error };
    },
    close: () => Promise.resolve(),
  };
  return { backend, askedAt };
}

/** Lets everything run that does not wait for the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) {
    await Promise.resolve();
  }
}

async function runOut(clock: FakeClock): Promise<void> {
  do {
    await settle();
  } while (clock.advanceToNext());
}

describe('agents that share a key', () => {
  it('wait once for all of them, and come back one after the other', async () => {
    const clock = new FakeClock();
    const gate = new RateGate(clock);
    const start = clock.now();
    const { backend, askedAt } = serviceUntil(clock, start + 2000, 2000);
    const agents = [1, 2, 3, 4].map(() => gated(backend, { gate, clock, key: 'k' }));
    const [first, ...others] = agents;
    expect(first && endOf(await collect(first.stream(requestOf(), never))).reason).toBe('error');
    const waiting = others.map((agent) => collect(agent.stream(requestOf(), never)));
    await runOut(clock);
    const ends = (await Promise.all(waiting)).map((parts) => endOf(parts).reason);
    expect(ends).toEqual(['stop', 'stop', 'stop']);
    expect(askedAt).toHaveLength(4);
    expect(new Set(askedAt).size).toBe(4);
    expect(Math.min(...askedAt.slice(1))).toBeGreaterThanOrEqual(start + 2000);
  });

  it('do not return together although each was told the same', async () => {
    const clock = new FakeClock();
    const gate = new RateGate(clock);
    const { backend, askedAt } = serviceUntil(clock, clock.now() + 2000, 2000);
    const agents = [1, 2, 3, 4].map(() => gated(backend, { gate, clock, key: 'k' }));
    await Promise.all(agents.map((agent) => collect(agent.stream(requestOf(), never))));
    clock.advance(2000);
    const again = agents.map((agent) => collect(agent.stream(requestOf(), never)));
    await runOut(clock);
    await Promise.all(again);
    expect(new Set(askedAt.slice(4)).size).toBe(4);
  });

  it('wait on when another one is refused meanwhile', async () => {
    const clock = new FakeClock();
    const gate = new RateGate(clock);
    const start = clock.now();
    const { backend, askedAt } = serviceUntil(clock, start + 9000, 3000);
    gate.hold('k', 3000);
    const agents = [1, 2].map(() => gated(backend, { gate, clock, key: 'k' }));
    const all = agents.map((agent) => collect(agent.stream(requestOf(), never)));
    await settle();
    clock.advance(3000);
    gate.hold('k', 8000);
    await runOut(clock);
    await Promise.all(all);
    expect(Math.min(...askedAt)).toBeGreaterThanOrEqual(start + 11_000);
  });

  it('say until when they wait', async () => {
    const clock = new FakeClock();
    const gate = new RateGate(clock);
    gate.hold('k', 2000);
    const { backend } = serviceUntil(clock, 0, 0);
    const agent = gated(backend, { gate, clock, key: 'k' });
    const parts = collect(agent.stream(requestOf(), never));
    await runOut(clock);
    expect((await parts)[0]).toEqual({ type: 'waiting', reason: 'rate-limit', until: 1_002_000 });
  });

  it('stop at once during the wait and ask nobody', async () => {
    const clock = new FakeClock();
    const gate = new RateGate(clock);
    gate.hold('k', 30_000);
    const { backend, askedAt } = serviceUntil(clock, 0, 0);
    const abort = new AbortController();
    const agent = gated(backend, { gate, clock, key: 'k' });
    const parts = collect(agent.stream(requestOf(), abort.signal));
    await settle();
    abort.abort(new MassGenError('cancelled/user', 'Stopped.'));
    expect(endOf(await parts).reason).toBe('cancelled');
    expect(askedAt).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('the line of a key', () => {
  it('is no matter of other keys', () => {
    const clock = new FakeClock();
    const gate = new RateGate(clock);
    gate.hold('k', 2000);
    expect(gate.enter('other')).toBe(0);
    expect(gate.enter('k')).toBeGreaterThan(clock.now());
  });

  it('is over some time after the wait', () => {
    const clock = new FakeClock();
    const gate = new RateGate(clock);
    gate.hold('k', 2000);
    clock.advance(8000);
    expect([gate.enter('k'), gate.enter('k')]).toEqual([0, 0]);
  });

  it('holds nobody longer than a minute, whatever the service asks of one agent', () => {
    const clock = new FakeClock();
    const gate = new RateGate(clock);
    gate.hold('k', 86_400_000);
    expect(gate.enter('k')).toBeLessThanOrEqual(clock.now() + 60_000);
  });

  it('does not grow when the time of day is set back', () => {
    const clock = new FakeClock();
    let offsetMs = 0;
    const gate = new RateGate({
      now: () => clock.now() + offsetMs,
      after: (delayMs, run) => clock.after(delayMs, run),
    });
    gate.hold('k', 2000);
    offsetMs = -3_600_000;
    expect(gate.enter('k') - (clock.now() + offsetMs)).toBeLessThanOrEqual(2000);
  });
});
