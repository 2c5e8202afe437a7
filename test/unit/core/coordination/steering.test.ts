import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { Engine, directive, effectsOf, eventOf, types } from '../../../support/engine';
import type { Said } from '../../../support/engine';

function steer(engine: Engine, text: string, targets: readonly number[] | null = null): Said {
  const id = `message${engine.state.steering.length + 1}`;
  return engine.put({ kind: 'user', command: { kind: 'steer', id, text, targets } });
}

function messages(said: Said): readonly string[] {
  const given = directive(said);
  return given.kind === 'continue' ? (given.messages ?? []) : [];
}

describe('a message of the user', () => {
  it('M8: reaches the agent it is for with the tool result of that moment, once', () => {
    const engine = new Engine();
    steer(engine, 'Use tabs.', [2]);
    const said = engine.tool(2, 'read_file');
    expect(messages(said)).toHaveLength(1);
    expect(messages(said)[0]).toContain('Use tabs.');
    expect(eventOf(said, 'steering-delivered')).toMatchObject({ slot: 2, ids: ['message1'] });
    expect(messages(engine.tool(2, 'read_file'))).toEqual([]);
    expect(messages(engine.tool(1, 'read_file'))).toEqual([]);
    expect(engine.state.steering[0]?.deliveredTo).toEqual([2]);
  });

  it('goes to everybody unless it names somebody', () => {
    const engine = new Engine({ count: 3 });
    steer(engine, 'First.');
    steer(engine, 'Second.');
    for (const slot of [1, 2, 3]) {
      expect(messages(engine.tool(slot, 'read_file')).join()).toMatch(/First\..*Second\./s);
    }
  });

  it('reaches an agent that has not answered yet, whose peers answers wait', () => {
    const engine = new Engine();
    engine.answer(1, 'one');
    steer(engine, 'Hurry.');
    const said = engine.tool(2, 'read_file');
    expect(messages(said)).toHaveLength(1);
    expect(directive(said)).toMatchObject({ update: [] });
  });

  it('is part of the task of a turn that begins later', () => {
    const engine = new Engine();
    engine.answer(1, 'one');
    steer(engine, 'Use tabs.');
    const said = engine.settle();
    expect(types(said)).toEqual(['agent-turn-started', 'steering-delivered']);
    expect(messages(engine.tool(1, 'read_file'))).toEqual([]);
  });

  it('goes to the presenter alone while the final text is written', () => {
    const engine = new Engine();
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(1, 'agent2');
    engine.vote(2, 'agent2');
    expect(eventOf(steer(engine, 'Keep it short.', [1]), 'steering-received')?.targets).toEqual([
      2,
    ]);
    expect(messages(engine.tool(2, 'read_file'))[0]).toContain('Keep it short.');
  });

  it('is nothing without a text, without anybody to read it, and after the end', () => {
    const engine = new Engine();
    expect(types(steer(engine, ' \n'))).toEqual([]);
    expect(types(steer(engine, 'Hello.', [7]))).toEqual([]);
    engine.put({ kind: 'cancel' });
    expect(types(steer(engine, 'Hello.'))).toEqual([]);
  });
});

describe('a message to agents that have voted', () => {
  function voted(): Engine {
    const engine = new Engine({ count: 3 });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    engine.vote(1, 'agent2');
    engine.settle();
    return engine;
  }

  it('wakes nobody when it goes to all', () => {
    const engine = voted();
    steer(engine, 'Look again.');
    expect(types(engine.settle())).toEqual([]);
    expect(engine.agent(1).status).toBe('voted');
  });

  it('wakes an agent that it names, whose vote counts until it decides anew', () => {
    const engine = voted();
    expect(eventOf(steer(engine, 'Look again.', [1]), 'steering-received')?.wakes).toEqual([1]);
    expect(effectsOf(engine.settle(), 'start-turn')).toMatchObject([{ slot: 1 }]);
    engine.vote(2, 'agent2');
    engine.vote(3, 'agent3');
    expect(engine.state.selection).toMatchObject({
      winner: { label: 'agent2.1' },
      agreement: { votes: { 'agent2.1': 2, 'agent3.1': 1 } },
    });
  });

  it('lets the woken agent take another choice', () => {
    const engine = voted();
    steer(engine, 'Look again.', [1]);
    engine.settle();
    engine.vote(1, 'agent3');
    engine.vote(2, 'agent2');
    engine.vote(3, 'agent3');
    expect(engine.state.selection).toMatchObject({
      winner: { label: 'agent3.1' },
      agreement: { votes: { 'agent2.1': 1, 'agent3.1': 2 } },
    });
  });

  it('makes no peer wait for the woken agent, whose vote stands', () => {
    const engine = new Engine({
      count: 3,
      settings: compatSettings({ fairnessLeadCap: 1, voteInvalidation: 'superseded_only' }),
    });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    engine.vote(2, 'agent3');
    engine.vote(3, 'agent3');
    steer(engine, 'Look again.', [2]);
    engine.settle();
    engine.answer(1, 'better');
    engine.settle();
    expect(types(engine.answer(1, 'best'))).toContain('answer-submitted');
  });

  it('does not take the vote of an agent that then can do nothing', () => {
    const engine = new Engine({
      count: 2,
      settings: compatSettings({ maxNewAnswersPerAgent: 1, maxFailedTurns: 1 }),
    });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(1, 'agent1');
    steer(engine, 'Look again.', [1]);
    engine.settle();
    engine.fault(1, { kind: 'fatal' });
    engine.vote(2, 'agent2');
    expect(engine.state.outcome ?? engine.state.presentation).not.toBeNull();
  });
});

describe('an agent that has failed', () => {
  const revive = { kind: 'user', command: { kind: 'revive', slot: 1 } } as const;

  it('starts again when the user gives it another chance', () => {
    const engine = new Engine({ settings: compatSettings({ maxFailedTurns: 1 }) });
    engine.fault(1, { kind: 'fatal' });
    expect(types(engine.put(revive))).toEqual(['agent-revived']);
    expect(effectsOf(engine.settle(), 'start-turn')).toMatchObject([{ slot: 1, turnNo: 2 }]);
    expect(engine.agent(1)).toMatchObject({ status: 'running', failedTurns: 0 });
  });

  it('is the only one that can be revived, and only while there is something to decide', () => {
    const engine = new Engine({ settings: compatSettings({ maxFailedTurns: 1 }) });
    expect(types(engine.put(revive))).toEqual([]);
    engine.fault(1, { kind: 'fatal' });
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(2, 'agent2');
    expect(types(engine.put(revive))).toEqual([]);
  });
});
