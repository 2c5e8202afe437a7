import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { Engine, directive, effectsOf, eventOf, types } from '../../../support/engine';
import type { Said } from '../../../support/engine';

function delayOf(said: Said): number {
  const given = directive(said);
  return given.kind === 'retry' ? given.delayMs : Number.NaN;
}

describe('a fault that may pass', () => {
  it('is tried again after waits that double, give or take a quarter', () => {
    const engine = new Engine({ settings: compatSettings({ backoffMs: 1000, backendRetries: 3 }) });
    const delays = [1000, 2000, 4000].map((nominal) => delayOf(engine.fault(1)) / nominal);
    for (const share of delays) {
      expect(share).toBeGreaterThanOrEqual(0.75);
      expect(share).toBeLessThanOrEqual(1.25);
    }
    expect(new Set(delays).size).toBe(3);
  });

  it('waits as long in every repetition of the run', () => {
    const delays = [1, 2].map(() => delayOf(new Engine().fault(1)));
    expect(delays[0]).toBe(delays[1]);
  });

  it('waits at least as long as the service asks', () => {
    expect(delayOf(new Engine().fault(1, { retryAfterMs: 30_000 }))).toBe(30_000);
  });

  it('fails the turn when the retries are used up', () => {
    const engine = new Engine({ settings: compatSettings({ backendRetries: 1 }) });
    engine.fault(1);
    const said = engine.fault(1);
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(eventOf(said, 'turn-failed')).toMatchObject({ cause: 'backend', failedTurns: 1 });
  });

  it('fails the turn when the service asks for more patience than the team has', () => {
    const settings = compatSettings({ rateLimitMaxWaitMs: 10_000 });
    expect(directive(new Engine({ settings }).fault(1, { retryAfterMs: 10_001 }))).toEqual({
      kind: 'end',
    });
  });
});

describe('a service that asks for patience', () => {
  it('does not use up retries', () => {
    const engine = new Engine({ settings: compatSettings({ backendRetries: 0 }) });
    for (let i = 0; i < 5; i++) {
      const said = engine.fault(1, { kind: 'wait', retryAfterMs: 2000 });
      expect(directive(said)).toEqual({ kind: 'retry', delayMs: 2000, reason: 'rate-limit' });
      expect(eventOf(said, 'backend-retried')?.retryNo).toBe(0);
    }
    expect(engine.agent(1).turn).toMatchObject({ retries: 0, waits: 5, waitedMs: 10_000 });
    expect(engine.agent(1).activity).toEqual({
      kind: 'waiting',
      reason: 'rate-limit',
      until: engine.now + 2000,
    });
  });

  it('is waited for no longer than the settings say', () => {
    const engine = new Engine({ settings: compatSettings({ rateLimitMaxWaitMs: 5000 }) });
    engine.fault(1, { kind: 'wait', retryAfterMs: 3000 });
    const said = engine.fault(1, { kind: 'wait', retryAfterMs: 3000 });
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(eventOf(said, 'turn-failed')?.cause).toBe('backend');
  });

  it('is not asked again at once when it names no time', () => {
    const engine = new Engine({ settings: compatSettings({ backoffMs: 0 }) });
    expect(delayOf(engine.fault(1, { kind: 'wait' }))).toBe(1000);
  });

  it('gives the time of waiting back to the turn', () => {
    const engine = new Engine({ settings: compatSettings({ turnTimeoutMs: 60_000 }) });
    engine.now += 10_000;
    const said = engine.fault(1, { kind: 'wait', retryAfterMs: 7000 });
    expect(effectsOf(said, 'set-timer')).toEqual([
      {
        kind: 'set-timer',
        timer: { kind: 'turn-timeout', slot: 1, turnNo: 1 },
        delayMs: 57_000,
      },
    ]);
  });
});

describe('a failed turn', () => {
  const settings = compatSettings({ backoffMs: 1000, maxFailedTurns: 3 });

  it('is followed by the next one after a wait that doubles', () => {
    const engine = new Engine({ settings });
    const first = engine.fault(1, { kind: 'fatal' });
    const timer = { kind: 'back-off', slot: 1 } as const;
    expect(effectsOf(first, 'set-timer')).toEqual([{ kind: 'set-timer', timer, delayMs: 1000 }]);
    expect(types(engine.settle())).toEqual([]);
    engine.now += 1000;
    engine.put({ kind: 'timer', timer });
    expect(types(engine.settle())).toEqual(['agent-turn-started']);
    const second = engine.fault(1, { kind: 'fatal' });
    expect(effectsOf(second, 'set-timer')).toEqual([{ kind: 'set-timer', timer, delayMs: 2000 }]);
  });

  it.each([
    ['tool/denied', ['turn-failed', 'agent-turn-ended', 'agent-failed']],
    ['backend/no-permission', ['turn-failed', 'agent-turn-ended']],
  ])('with %s is the last one only where somebody said no', (code, said) => {
    const engine = new Engine({ settings });
    const error = { code, message: 'It was not allowed.', retryable: false };
    const effects = engine.fault(1, { kind: 'fatal', error });
    expect(types(effects)).toEqual(said);
    const isOut = said.includes('agent-failed');
    expect(effectsOf(effects, 'set-timer').length).toBe(isOut ? 0 : 1);
    expect(engine.agent(1)).toMatchObject({ failedTurns: 1, lastError: error });
  });

  it('is forgotten once an action is accepted', () => {
    const engine = new Engine({ settings });
    engine.fault(1, { kind: 'fatal' });
    engine.now += 1000;
    engine.settle();
    engine.answer(1, 'first');
    expect(engine.agent(1).failedTurns).toBe(0);
  });

  it('is what a turn becomes that breaks or ends by itself', () => {
    const engine = new Engine({ settings });
    const error = { code: 'bug/invariant', message: 'It broke.', retryable: false };
    const said = engine.put({ kind: 'turn-crashed', slot: 1, turnNo: 1, error });
    expect(eventOf(said, 'turn-failed')).toMatchObject({ cause: 'internal', error });
    expect(types(engine.put({ kind: 'turn-crashed', slot: 1, turnNo: 1, error }))).toEqual([]);
  });

  it('is what a turn becomes that takes too long', () => {
    const engine = new Engine({ settings: compatSettings({ turnTimeoutMs: 5000 }) });
    const timer = { kind: 'turn-timeout', slot: 1, turnNo: 1 } as const;
    const said = engine.put({ kind: 'timer', timer });
    expect(effectsOf(said, 'abort-turn')).toMatchObject([{ slot: 1, reason: 'timeout' }]);
    expect(eventOf(said, 'turn-failed')?.cause).toBe('turn_timeout');
    expect(eventOf(said, 'agent-turn-ended')?.outcome).toBe('timeout');
  });

  it('ends the run with the reason of each agent when all have failed', () => {
    const engine = new Engine({ settings: compatSettings({ maxFailedTurns: 1 }) });
    const error = { code: 'backend/auth', message: 'The key was refused.', retryable: false };
    engine.fault(1, { kind: 'fatal', error: { ...error, hint: 'Set another key.' } });
    engine.fault(2, { kind: 'fatal' });
    expect(engine.state.outcome).toBe('error');
    expect(engine.state.error).toEqual({
      code: 'backend/auth',
      message: 'agent1: The key was refused.\nagent2: The connection was reset.',
      hint: 'Set another key.',
      retryable: true,
    });
  });
});

describe('inputs that come too late', () => {
  it('tell a turn that is over to end, and change nothing', () => {
    const engine = new Engine();
    engine.answer(1, 'first');
    const before = engine.state;
    const report = { kind: 'tool-round', call: 2, tools: ['read_file'] } as const;
    const said = engine.put({ kind: 'report', slot: 1, turnNo: 1, report });
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(engine.state).toBe(before);
  });

  it('are answered after the end of the run, but only costs and the review are still written', () => {
    const engine = new Engine();
    engine.put({ kind: 'cancel' });
    const where = { slot: 1, turnNo: 1, call: 1 } as const;
    const report = { kind: 'response', call: 1, actions: [] } as const;
    expect(directive(engine.put({ kind: 'report', slot: 1, turnNo: 1, report }))).toEqual({
      kind: 'end',
    });
    const text = engine.put({
      kind: 'observed',
      event: { type: 'text-delta', ...where, text: 'x' },
    });
    expect(types(text)).toEqual([]);
    const ended = { type: 'model-call-ended', ...where, text: '', toolCalls: [] } as const;
    engine.put({ kind: 'observed', event: { ...ended, usage: { inputTokens: 7 }, costUsd: 0.1 } });
    expect(engine.agent(1).usage).toMatchObject({ inputTokens: 7, costUsd: 0.1 });
    expect(types(engine.put({ kind: 'cancel' }))).toEqual([]);
    expect(types(engine.settle())).toEqual([]);
  });
});

describe('a clock that rings too early', () => {
  it('is set again for the rest of the wait', () => {
    const engine = new Engine({ settings: compatSettings({ backoffMs: 1000 }) });
    engine.fault(1, { kind: 'fatal' });
    engine.now += 999;
    const timer = { kind: 'back-off', slot: 1 } as const;
    expect(effectsOf(engine.put({ kind: 'timer', timer }), 'set-timer')).toEqual([
      { kind: 'set-timer', timer, delayMs: 1 },
    ]);
  });
});
