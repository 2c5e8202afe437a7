import { describe, expect, it } from 'vitest';
import { displayOrder } from '../../../../src/core/coordination/display-order';
import { compatSettings, recommendedSettings } from '../../../../src/core/coordination/profiles';
import { toolsetFor } from '../../../../src/core/coordination/toolset';
import { Engine, effectsOf, eventOf } from '../../../support/engine';

const settings = recommendedSettings({ runSeed: 'seed', backoffMs: 0 });

describe('the recommended profile', () => {
  it('makes the first drafts before anybody sees another, also after a failed turn', () => {
    const engine = new Engine({ count: 3, settings });
    engine.answer(1, 'first');
    engine.fault(2, { kind: 'fatal' });
    const said = engine.settle();
    expect(effectsOf(said, 'start-turn')).toMatchObject([{ slot: 2, turnNo: 2, shown: [] }]);
    expect(eventOf(said, 'agent-held')).toEqual({
      type: 'agent-held',
      slot: 1,
      reason: 'drafts',
    });
    expect(engine.agent(1).status).toBe('waiting');
  });

  it('opens the vote with all drafts in front of everybody', () => {
    const engine = new Engine({ count: 2, settings });
    engine.answer(1, 'first');
    engine.settle();
    engine.answer(2, 'second');
    const started = effectsOf(engine.settle(), 'start-turn');
    expect(started.map(({ slot }) => slot)).toEqual([1, 2]);
    for (const { shown, toolset } of started) {
      expect(shown).toEqual(['agent1.1', 'agent2.1']);
      expect(toolset).toMatchObject({ hasNewAnswer: true, hasVote: true });
    }
  });

  it('says that voting is not open to an agent that votes too early', () => {
    const engine = new Engine({ settings });
    engine.answer(1, 'first');
    const said = engine.vote(2, 'agent1');
    expect(eventOf(said, 'protocol-error')?.code).toBe('voting_not_open');
    expect(eventOf(said, 'update-delivered')).toBeUndefined();
  });

  it('lets a single agent answer without any vote', () => {
    const engine = new Engine({ count: 1, settings });
    engine.answer(1, 'alone');
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      selection: { winner: { label: 'agent1.1' }, agreement: { decidedBy: 'single' } },
    });
  });

  it('lets a runoff decide between the leaders when there is no majority', () => {
    const engine = new Engine({ count: 3, settings });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    engine.vote(1, 'agent2');
    engine.vote(2, 'agent3');
    const said = engine.vote(3, 'agent1');
    expect(eventOf(said, 'runoff-started')?.candidates).toEqual([1, 2, 3]);
    expect(engine.state.poll.kind).toBe('runoff');
    engine.settle();
    expect(engine.agent(1).turn?.shown).toEqual(['agent1.1', 'agent2.1', 'agent3.1']);
    engine.vote(1, 'agent2');
    engine.vote(2, 'agent3');
    engine.vote(3, 'agent2');
    expect(engine.state.selection).toMatchObject({
      winner: { slot: 2 },
      agreement: { decidedBy: 'runoff', runoffs: 1, voidBallots: 3 },
    });
  });

  it('takes votes for oneself with two voters, and not with three', () => {
    for (const count of [2, 3]) {
      const engine = new Engine({ count, settings });
      for (let slot = 1; slot <= count; slot++) {
        engine.answer(slot, `answer ${slot}`);
      }
      engine.settle();
      const targets = toolsetFor(engine.state, 1).targets;
      expect(targets.includes('agent1.1')).toBe(count === 2);
      const said = engine.vote(1, 'agent1');
      expect(eventOf(said, 'protocol-error')?.code).toBe(count === 2 ? undefined : 'self_vote');
    }
  });

  it('waits for no vote that can change nothing', () => {
    const engine = new Engine({ count: 3, settings });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    engine.vote(1, 'agent2');
    const said = engine.vote(3, 'agent2');
    expect(eventOf(said, 'poll-closed')).toMatchObject({ cause: 'early_stop', ballots: 2 });
    expect(engine.state.selection).toMatchObject({
      winner: { slot: 2 },
      agreement: {
        decidedBy: 'rule',
        result: 'decided',
        earlyStop: { by: 'exact', unasked: 1, probability: null },
      },
    });
  });

  it('takes at most three answers of one agent', () => {
    const engine = new Engine({ count: 2, settings });
    engine.answer(2, 'peer');
    for (const text of ['one', 'two', 'three']) {
      engine.answer(1, text);
      engine.settle();
    }
    expect(toolsetFor(engine.state, 1)).toMatchObject({ hasNewAnswer: false, hasVote: true });
    expect(eventOf(engine.answer(1, 'four'), 'protocol-error')?.code).toBe('answer_limit');
  });
});

describe('the tools of a call', () => {
  it('offer no vote before an answer was shown', () => {
    const engine = new Engine();
    expect(toolsetFor(engine.state, 1)).toEqual({
      hasNewAnswer: true,
      hasVote: false,
      hasOrdinaryTools: true,
      targets: [],
    });
    engine.answer(2, 'peer');
    expect(toolsetFor(engine.state, 1).targets).toEqual([]);
  });

  it('offer the newest answer of each peer, and the own one unless that is forbidden', () => {
    for (const selfVote of ['allow', 'forbid'] as const) {
      const engine = new Engine({ settings: compatSettings({ selfVote }) });
      engine.answer(1, 'old');
      engine.answer(2, 'peer');
      engine.settle();
      engine.answer(1, 'new');
      engine.settle();
      expect(toolsetFor(engine.state, 1).targets).toEqual(
        selfVote === 'allow' ? ['agent1.2', 'agent2.1'] : ['agent2.1'],
      );
    }
  });
});

describe('the order in which answers are shown', () => {
  function answered(runSeed: string, order: 'shuffle' | 'config'): Engine {
    const engine = new Engine({
      count: 5,
      settings: compatSettings({ runSeed, displayOrder: order }),
    });
    for (const slot of [1, 2, 3, 4, 5]) {
      engine.answer(slot, `answer ${slot}`);
    }
    return engine;
  }

  it('is the order of the list when the settings say so', () => {
    expect(displayOrder(answered('x', 'config').state, 3)).toEqual(
      [1, 2, 3, 4, 5].map((slot) => `agent${slot}.1`),
    );
  });

  it('is the same in every repetition, differs between viewers, and has every answer once', () => {
    const orders = [1, 2, 3].map((viewer) => displayOrder(answered('x', 'shuffle').state, viewer));
    expect(displayOrder(answered('x', 'shuffle').state, 2)).toEqual(orders[1]);
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(1);
    for (const order of orders) {
      expect([...order].sort()).toEqual([1, 2, 3, 4, 5].map((slot) => `agent${slot}.1`));
    }
  });

  it('keeps the place of an agent whose answer is replaced', () => {
    const engine = answered('x', 'shuffle');
    const before = displayOrder(engine.state, 1).map((label) => label.split('.')[0]);
    engine.settle();
    engine.answer(3, 'better');
    expect(displayOrder(engine.state, 1).map((label) => label.split('.')[0])).toEqual(before);
  });
});
