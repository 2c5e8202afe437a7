import { describe, expect, it } from 'vitest';
import type { TimerId } from '../../../../src/core/coordination/inputs';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { Engine, directive, effectsOf, eventOf, types } from '../../../support/engine';
import type { Said } from '../../../support/engine';

const settings = compatSettings({
  softTurnMs: { first: 10_000, later: 4000 },
  turnGraceMs: 2000,
  hardKillMs: 500,
  backoffMs: 0,
  fairnessLeadCap: 1,
});

function fire(engine: Engine, kind: 'turn-soft' | 'turn-hard' | 'turn-kill', slot = 1): Said {
  const { turnNo } = engine.agent(slot);
  return engine.put({ kind: 'timer', timer: { kind, slot, turnNo } });
}

function messages(said: Said): readonly string[] {
  const given = directive(said);
  return given.kind === 'continue' ? (given.messages ?? []) : [];
}

function delays(said: Said): Partial<Record<TimerId['kind'], number>> {
  return Object.fromEntries(
    effectsOf(said, 'set-timer').map(({ timer, delayMs }) => [timer.kind, delayMs]),
  );
}

/** The notice was delivered with a tool result. */
function told(engine: Engine): void {
  fire(engine, 'turn-soft');
  engine.tool(1, 'run_command');
}

describe('the limits of a turn', () => {
  it('give the first work more time than what follows', () => {
    const engine = new Engine({ settings });
    const first = effectsOf(engine, 'set-timer').filter(({ timer }) => timer.kind === 'turn-soft');
    expect(first.map(({ delayMs }) => delayMs)).toEqual([10_000, 10_000]);
    engine.answer(1, 'one');
    expect(delays(engine.settle())).toMatchObject({ 'turn-soft': 4000 });
  });

  it('M11: tell the agent once, with the result of the tool that ran, and count from then', () => {
    const engine = new Engine({ settings });
    engine.now += 10_000;
    const reached = fire(engine, 'turn-soft');
    expect(eventOf(reached, 'turn-limit-reached')).toMatchObject({ limit: 'soft', by: 'clock' });
    expect(effectsOf(reached, 'abort-turn')).toEqual([]);
    engine.now += 60_000;
    const said = engine.tool(1, 'run_command');
    expect(eventOf(said, 'wrap-up-delivered')).toMatchObject({ slot: 1, graceMs: 2000 });
    expect(messages(said)).toHaveLength(1);
    expect(messages(said)[0]).toContain('In 2 seconds');
    expect(delays(said)).toEqual({ 'turn-hard': 2000 });
    expect(messages(engine.tool(1, 'read_file'))).toEqual([]);
  });

  it('tell it with the reply to an error and to a stale vote as well', () => {
    for (const respond of [
      (engine: Engine) => engine.respond(1),
      (engine: Engine) => engine.vote(1, 'agent2'),
    ]) {
      const engine = new Engine({ settings });
      engine.answer(2, 'peer');
      fire(engine, 'turn-soft');
      expect(eventOf(respond(engine), 'wrap-up-delivered')).toBeDefined();
    }
  });

  it('do not tell it in a call that is only made again', () => {
    const engine = new Engine({ settings });
    fire(engine, 'turn-soft');
    expect(types(engine.fault(1))).not.toContain('wrap-up-delivered');
  });

  it('take the ordinary tools away after the grace period', () => {
    const engine = new Engine({ settings });
    told(engine);
    const reached = fire(engine, 'turn-hard');
    expect(eventOf(reached, 'turn-limit-reached')).toMatchObject({ limit: 'hard', by: 'clock' });
    expect(delays(reached)).toEqual({ 'turn-kill': 500 });
    expect(directive(engine.tool(1, 'read_file'))).toMatchObject({
      toolset: { hasOrdinaryTools: false, hasNewAnswer: true },
    });
  });

  it('end the turn with the tenth round of refused calls in a row', () => {
    const engine = new Engine({ settings });
    told(engine);
    fire(engine, 'turn-hard');
    // This round was asked for while the tools were still there.
    engine.tool(1, 'read_file');
    for (let i = 0; i < 9; i++) {
      expect(directive(engine.tool(1, 'read_file')).kind).toBe('continue');
    }
    const said = engine.tool(1, 'read_file');
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(eventOf(said, 'turn-failed')).toMatchObject({ cause: 'turn_timeout', slot: 1 });
  });

  it('count refused rounds anew after another kind of response', () => {
    const engine = new Engine({ settings });
    told(engine);
    fire(engine, 'turn-hard');
    engine.tool(1, 'read_file');
    for (let i = 0; i < 9; i++) {
      engine.tool(1, 'read_file');
    }
    engine.respond(1);
    expect(directive(engine.tool(1, 'read_file')).kind).toBe('continue');
  });

  it('end a call that still runs some time after the tools are gone', () => {
    const engine = new Engine({ settings });
    told(engine);
    fire(engine, 'turn-hard');
    const said = fire(engine, 'turn-kill');
    expect(effectsOf(said, 'abort-turn')).toMatchObject([{ slot: 1, reason: 'timeout' }]);
    expect(eventOf(said, 'turn-failed')?.cause).toBe('turn_timeout');
  });

  it('end a model that does not answer, though it could not be told anything', () => {
    const engine = new Engine({ settings });
    const call = { slot: 1, turnNo: 1, call: 1 };
    engine.put({ kind: 'observed', event: { type: 'model-call-started', ...call } });
    expect(delays(fire(engine, 'turn-soft'))).toEqual({ 'turn-kill': 2500 });
    expect(eventOf(fire(engine, 'turn-kill'), 'turn-failed')?.cause).toBe('turn_timeout');
  });

  it('leave a tool its own time while the agent could not be told anything', () => {
    const engine = new Engine({ settings });
    const call = { slot: 1, turnNo: 1, call: 1 };
    engine.put({ kind: 'observed', event: { type: 'model-call-started', ...call } });
    engine.put({
      kind: 'observed',
      event: {
        type: 'tool-call-started',
        ...call,
        index: 0,
        tool: 'run_command',
        subject: 'npm test',
      },
    });
    fire(engine, 'turn-soft');
    const said = fire(engine, 'turn-kill');
    expect(types(said)).toEqual([]);
    expect(delays(said)).toEqual({ 'turn-kill': 500 });
  });

  it('give back the time of waiting for a service', () => {
    const engine = new Engine({ settings });
    engine.now += 1000;
    const early = engine.fault(1, { kind: 'wait', retryAfterMs: 7000 });
    expect(delays(early)).toEqual({ 'turn-soft': 16_000 });
    told(engine);
    const late = engine.fault(1, { kind: 'wait', retryAfterMs: 3000 });
    expect(delays(late)).toEqual({ 'turn-hard': 5000 });
  });

  it('clear their timers with the turn, and say nothing about a turn that is over', () => {
    const engine = new Engine({ settings });
    const said = engine.answer(1, 'one');
    expect(effectsOf(said, 'clear-timer').map(({ timer }) => timer.kind)).toEqual([
      'turn-soft',
      'turn-hard',
      'turn-kill',
    ]);
    expect(types(fire(engine, 'turn-soft'))).toEqual([]);
  });

  it('let an agent whose time is over answer though it is ahead of its peers', () => {
    const engine = new Engine({ settings });
    engine.answer(1, 'one');
    engine.settle();
    told(engine);
    fire(engine, 'turn-hard');
    expect(types(engine.answer(1, 'two'))).toContain('answer-submitted');
  });

  it('say nothing where there are none', () => {
    const engine = new Engine();
    expect(effectsOf(engine, 'set-timer').map(({ timer }) => timer.kind)).toEqual(['deadline']);
  });
});

describe('an agent that is asked to answer now', () => {
  const answerNow = { kind: 'user', command: { kind: 'answer-now', slot: 1 } } as const;

  it('is told at its next safe point, as if its time were over', () => {
    const engine = new Engine();
    const asked = engine.put(answerNow);
    expect(types(asked)).toEqual(['answer-now-requested', 'turn-limit-reached']);
    expect(eventOf(asked, 'turn-limit-reached')).toMatchObject({ limit: 'soft', by: 'user' });
    expect(messages(engine.tool(1, 'read_file'))[0]).toContain('time to finish');
    expect(effectsOf(engine, 'set-timer').at(-1)?.timer.kind).toBe('turn-hard');
  });

  it('is not asked twice', () => {
    const engine = new Engine();
    engine.put(answerNow);
    expect(types(engine.put(answerNow))).toEqual([]);
  });

  it('is left alone without a turn, or when it does not exist', () => {
    const engine = new Engine();
    engine.answer(2, 'peer');
    engine.answer(1, 'one');
    engine.settle();
    engine.vote(1, 'agent1');
    expect(types(engine.put(answerNow))).toEqual([]);
    const nobody = { kind: 'answer-now', slot: 9 } as const;
    expect(types(engine.put({ kind: 'user', command: nobody }))).toEqual([]);
  });

  it('ends its presentation soon when it writes the final text', () => {
    const engine = new Engine({ settings: compatSettings({ turnGraceMs: 2000 }) });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(1, 'agent1');
    engine.vote(2, 'agent1');
    engine.put(answerNow);
    expect(messages(engine.tool(1, 'read_file'))).toHaveLength(1);
    fire(engine, 'turn-hard');
    expect(directive(engine.tool(1, 'read_file'))).toMatchObject({
      toolset: { hasOrdinaryTools: false },
    });
    fire(engine, 'turn-kill');
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      finalAnswer: { text: 'one', source: 'reused' },
    });
  });
});

describe('an agent that makes the same calls again and again', () => {
  const round = (engine: Engine, repeats: number): Said =>
    engine.report(1, {
      ...{ kind: 'tool-round', call: (engine.agent(1).turn?.calls ?? 0) + 1 },
      ...{ tools: ['read_file'], repeats },
    });

  it('is asked to finish, once, and loses its tools when it goes on', () => {
    const engine = new Engine({ settings });
    const limits: unknown[] = [];
    for (let repeats = 2; repeats <= 9; repeats++) {
      const said = round(engine, repeats);
      const reached = eventOf(said, 'turn-limit-reached');
      limits.push([repeats, reached?.limit, reached?.by, messages(said).length]);
    }
    expect(limits).toEqual([
      [2, undefined, undefined, 0],
      [3, undefined, undefined, 0],
      [4, undefined, undefined, 0],
      [5, 'soft', 'repeats', 1],
      [6, undefined, undefined, 0],
      [7, undefined, undefined, 0],
      [8, 'hard', 'repeats', 0],
      [9, undefined, undefined, 0],
    ]);
    const last = directive(round(engine, 10));
    expect(last.kind === 'continue' && last.toolset.hasOrdinaryTools).toBe(false);
  });

  it('fails its turn in the end, when it asks for nothing but tools that it has lost', () => {
    const engine = new Engine({ settings });
    for (let repeats = 1; repeats <= 19; repeats++) {
      round(engine, repeats);
    }
    expect(engine.agent(1).turn).toBeNull();
    expect(engine.agent(1).failedTurns).toBe(1);
  });
});
