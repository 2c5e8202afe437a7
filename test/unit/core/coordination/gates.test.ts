import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { Engine, directive, effectsOf, eventOf, types } from '../../../support/engine';

describe('the fairness gate', () => {
  const settings = compatSettings({ fairnessLeadCap: 1, fairnessMaxWaitMs: 60_000 });

  function ahead(): Engine {
    const engine = new Engine({ settings });
    engine.answer(1, 'one');
    engine.settle();
    return engine;
  }

  it('keeps the draft with its files and lets the agent wait without an error', () => {
    const engine = ahead();
    const said = engine.answer(1, 'two', { snapshotId: 'abc' });
    expect(types(said)).toEqual(['agent-turn-ended', 'agent-held']);
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(engine.agent(1)).toMatchObject({
      status: 'waiting',
      draft: { text: 'two', snapshotId: 'abc', heldAt: engine.now },
    });
    expect(types(engine.settle())).toEqual([]);
  });

  it('opens when the slower peer has caught up, and the draft is gone with the answer', () => {
    const engine = ahead();
    engine.answer(1, 'two');
    engine.answer(2, 'peer');
    expect(types(engine.settle())).toEqual(['agent-turn-started', 'agent-turn-started']);
    engine.answer(1, 'two');
    expect(engine.agent(1)).toMatchObject({ draft: null });
    expect(engine.agent(1).revisions).toHaveLength(2);
  });

  it('opens when the longest wait is over, and does not close again for the same draft', () => {
    const engine = ahead();
    const held = engine.answer(1, 'two');
    const timer = { kind: 'back-off', slot: 1 } as const;
    expect(effectsOf(held, 'set-timer')).toEqual([{ kind: 'set-timer', timer, delayMs: 60_000 }]);
    engine.now += 60_000;
    engine.put({ kind: 'timer', timer });
    expect(types(engine.settle())).toEqual(['agent-turn-started']);
    expect(types(engine.answer(1, 'two'))).toContain('answer-submitted');
  });
});

describe('a team that divides the work', () => {
  const settings = compatSettings({ mode: 'decomposition', finalAnswerStrategy: 'winner_reuse' });
  const stop = {
    kind: 'stop',
    toolCallId: 'call-1',
    summary: 'My part is done.',
    status: 'complete',
  } as const;

  it('ends when everybody has stopped, with the last answer in the list', () => {
    const engine = new Engine({ settings });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.respond(1, stop);
    expect(engine.agent(1).status).toBe('done');
    engine.respond(2, stop);
    expect(engine.state.selection).toMatchObject({
      winner: { label: 'agent2.1' },
      agreement: { decidedBy: 'presenter' },
    });
  });

  it('knows no vote, and other teams know no stop', () => {
    const dividing = new Engine({ settings });
    dividing.answer(1, 'one');
    expect(eventOf(dividing.vote(2, 'agent1'), 'protocol-error')?.code).toBe('unknown_tool');
    const voting = new Engine();
    expect(eventOf(voting.respond(1, stop), 'protocol-error')?.code).toBe('unknown_tool');
  });

  it('has its presenter speak when the time is over', () => {
    const engine = new Engine({ settings });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(engine.state.selection).toMatchObject({
      winner: { label: 'agent2.1' },
      agreement: { decidedBy: 'timeout' },
    });
  });
});
