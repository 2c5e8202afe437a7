import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { presentationPart } from '../../../../src/core/agent/prompt/presentation';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import { Engine, effectsOf, eventOf, types } from '../../../support/engine';
import type { Said } from '../../../support/engine';

describe('an answer compared by its phrases', () => {
  const engine = (noveltyMeasure?: 'phrases'): Engine =>
    new Engine({
      settings: compatSettings({
        novelty: 'balanced',
        ...(noveltyMeasure === undefined ? {} : { noveltyMeasure }),
      }),
    });
  const code = (said: Said): string | undefined => eventOf(said, 'protocol-error')?.code;

  it('may use the words of a peer in another order', () => {
    const [byWords, byPhrases] = [engine(), engine('phrases')];
    for (const each of [byWords, byPhrases]) {
      each.answer(1, 'one two three four');
    }
    expect(code(byWords.answer(2, 'four three two one'))).toBe('answer_novelty');
    expect(types(byPhrases.answer(2, 'four three two one'))).toContain('answer-submitted');
  });

  it('may not say the same in the same order, however short it is', () => {
    for (const text of ['one two three four', 'yes']) {
      const each = engine('phrases');
      each.answer(1, text);
      expect(code(each.answer(2, `${text}!`))).toBe('answer_novelty');
    }
  });
});

describe('an agent that works alone and is to present', () => {
  it('writes a final text, and is told nothing of votes', () => {
    const engine = new Engine({
      count: 1,
      settings: compatSettings({ singleAgentVote: false, presentsAlone: true }),
    });
    expect(effectsOf(engine.answer(1, 'Draft.'), 'start-presentation')).toHaveLength(1);
    const [own] = engine.agent(1).revisions;
    const told = presentationPart({
      state: engine.state,
      selected: 'agent1.1',
      answers: own === undefined ? [] : [{ revision: own, text: own.text, folder: '' }],
      budget: 1000,
      tools: [],
      localize: (text) => text,
    });
    expect(told).toContain('The selected answer is yours.');
    expect(told).not.toMatch(/team|No votes/);
    engine.report(1, { kind: 'presented', call: 1, text: 'Final.' });
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      finalAnswer: { text: 'Final.', source: 'presented' },
    });
  });
});

describe('a text given in the place of a presentation', () => {
  it('is what is looked at, and costs no call', () => {
    const engine = new Engine({
      settings: compatSettings({ debugFinalAnswer: 'Wrong on purpose.', maxRestarts: 1 }),
    });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(1, 'agent1');
    const said = engine.vote(2, 'agent1');
    expect(effectsOf(said, 'start-presentation')).toEqual([]);
    expect(effectsOf(said, 'start-evaluation')).toHaveLength(1);
    expect(engine.state.finalAnswer).toMatchObject({ slot: 1, text: 'Wrong on purpose.' });
  });
});

describe('agents that have done their part', () => {
  const divided = (overrides: Partial<CoordinationSettings> = {}): Engine => {
    const engine = new Engine({
      settings: compatSettings({
        ...{ mode: 'decomposition', maxNewAnswersPerAgent: 1 },
        ...{ finalAnswerStrategy: 'winner_reuse' },
        ...overrides,
      }),
    });
    engine.answer(1, 'first part');
    engine.settle();
    return engine;
  };

  it('are left alone by new answers of others', () => {
    const engine = divided();
    const said = engine.answer(2, 'second part');
    expect(engine.state.outcome).toBe('completed');
    expect(eventOf(said, 'answer-submitted')).not.toHaveProperty('reopens');
  });

  it('look at them when they are to, and may answer again', () => {
    const engine = divided({ reopenOnUpdate: true });
    expect(engine.agent(1).status).toBe('done');
    const said = engine.answer(2, 'second part');
    expect(eventOf(said, 'answer-submitted')?.reopens).toEqual([1]);
    expect(engine.agent(1)).toMatchObject({ status: 'idle', stop: null });
    const started = effectsOf(engine.settle(), 'start-turn');
    expect(started).toMatchObject([{ slot: 1, shown: ['agent1.1', 'agent2.1'] }]);
    expect(started[0]?.toolset.hasNewAnswer).toBe(true);
    expect(engine.state.outcome).toBeNull();
    const stop = { kind: 'stop', toolCallId: 'c', summary: '', status: 'complete' } as const;
    engine.respond(1, stop);
    expect(engine.state.outcome).toBe('completed');
  });

  it('are not started again when no further answer is allowed', () => {
    const engine = divided({ reopenOnUpdate: true, maxNewAnswersGlobal: 2 });
    engine.answer(2, 'second part');
    expect(engine.state.outcome).toBe('completed');
  });
});
