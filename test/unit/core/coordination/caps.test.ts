import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { Engine, answer, directive, effectsOf, types } from '../../../support/engine';

const reuse = { finalAnswerStrategy: 'winner_reuse' } as const;

describe('the cap of model calls', () => {
  it('counts calls that are allowed but have not started', () => {
    const engine = new Engine({ count: 3, caps: { modelCalls: 2 } });
    expect(engine.state.capReached).toBe('model-calls');
    expect(effectsOf({ events: [], effects: engine.effects }, 'start-turn')).toHaveLength(2);
    expect(engine.state.outcome).toBe('budget');
  });

  it('lets no further call begin, stops the others and votes with what there is', () => {
    const engine = new Engine({ caps: { modelCalls: 3 }, settings: compatSettings(reuse) });
    engine.answer(1, 'first');
    engine.settle();
    const said = engine.tool(2, 'read_file');
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(effectsOf(said, 'abort-turn').map(({ slot }) => slot)).toEqual([1, 2]);
    expect(engine.state.selection).toMatchObject({
      winner: { slot: 1, label: 'agent1.1' },
      agreement: { decidedBy: 'budget' },
    });
    expect(engine.state.outcome).toBe('budget');
  });

  it('counts the ballots that are in', () => {
    const engine = new Engine({
      count: 3,
      caps: { modelCalls: 7 },
      settings: compatSettings(reuse),
    });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    engine.vote(1, 'agent3');
    engine.tool(2, 'read_file');
    engine.tool(3, 'read_file');
    expect(engine.state.selection).toMatchObject({
      winner: { slot: 3 },
      agreement: { decidedBy: 'budget', votes: { 'agent3.1': 1 } },
    });
  });

  it('forbids a retry as well', () => {
    const engine = new Engine({ caps: { modelCalls: 2 } });
    expect(directive(engine.fault(1))).toEqual({ kind: 'end' });
    expect(engine.state.capReached).toBe('model-calls');
  });
});

describe('the cap of costs', () => {
  it('still takes the answer of the call that reached it', () => {
    const engine = new Engine({ caps: { costUsd: 0.5 }, settings: compatSettings(reuse) });
    engine.report(1, { kind: 'response', call: 1, actions: [answer('dear')] }, 0.5);
    expect(engine.state.outcome).toBeNull();
    const said = engine.settle();
    expect(types(said)[0]).toBe('cap-reached');
    expect(engine.state.capReached).toBe('cost');
    expect(engine.state.finalAnswer?.text).toBe('dear');
  });

  it('does not count calls without a price', () => {
    const engine = new Engine({ caps: { costUsd: 0.5 } });
    engine.report(1, { kind: 'tool-round', call: 1, tools: ['read_file'] }, null);
    expect(engine.state.capReached).toBeNull();
    expect(engine.agent(1).usage.unpricedCalls).toBe(1);
  });
});

describe('the deadline', () => {
  it('is asked for when the run starts', () => {
    const engine = new Engine({ caps: { durationMs: 5000 } });
    expect(engine.effects[0]).toEqual({
      kind: 'set-timer',
      timer: { kind: 'deadline' },
      delayMs: 5000,
    });
  });

  it('chooses nobody when the settings demand a full vote', () => {
    const engine = new Engine({ settings: compatSettings({ onTimeout: 'fail' }) });
    engine.answer(1, 'first');
    engine.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(engine.state.selection?.winner).toBeNull();
    expect(engine.state.finalAnswer).toBeNull();
    expect(engine.state.outcome).toBe('timeout');
  });

  it('says at the start when nothing bounds the run', () => {
    const engine = new Engine({ caps: { durationMs: null } });
    expect(engine.log[1]?.event).toMatchObject({ type: 'warning-raised', code: 'no_limit' });
  });
});
