import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import { Engine, effectsOf, eventOf, types } from '../../../support/engine';
import type { Said } from '../../../support/engine';

/** Three agents, of which the second is chosen. */
function chosen(overrides: Partial<CoordinationSettings>): {
  readonly engine: Engine;
  readonly said: Said;
} {
  const engine = new Engine({ count: 3, settings: compatSettings(overrides) });
  for (const slot of [1, 2, 3]) {
    engine.answer(slot, `answer ${slot}`);
  }
  engine.settle();
  engine.vote(1, 'agent2');
  engine.vote(2, 'agent2');
  return { engine, said: engine.vote(3, 'agent2') };
}

describe('one text from all answers', () => {
  it('is written by the agent that is configured for it', () => {
    const { said } = chosen({ finalAnswerStrategy: 'synthesize', presenterSlot: 3 });
    expect(effectsOf(said, 'start-presentation')).toMatchObject([{ slot: 3, label: 'agent2.1' }]);
  });

  it('is written by the winner when nobody is configured', () => {
    const { said } = chosen({ finalAnswerStrategy: 'synthesize' });
    expect(effectsOf(said, 'start-presentation')).toMatchObject([{ slot: 2 }]);
  });

  it('is written by the winner when the configured agent has failed', () => {
    const engine = new Engine({
      count: 3,
      settings: compatSettings({
        ...{ finalAnswerStrategy: 'synthesize', presenterSlot: 3, maxFailedTurns: 1 },
      }),
    });
    engine.fault(3, { kind: 'fatal' });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(1, 'agent1');
    expect(effectsOf(engine.vote(2, 'agent1'), 'start-presentation')).toMatchObject([{ slot: 1 }]);
  });

  it('is not asked of the configured agent when the winner alone presents', () => {
    const { said } = chosen({ finalAnswerStrategy: 'winner_present', presenterSlot: 3 });
    expect(effectsOf(said, 'start-presentation')).toMatchObject([{ slot: 2 }]);
  });
});

describe('after the deadline', () => {
  function late(overrides: Partial<CoordinationSettings>): {
    readonly engine: Engine;
    readonly said: Said;
  } {
    const engine = new Engine({ settings: compatSettings(overrides) });
    engine.answer(1, 'one');
    engine.settle();
    engine.vote(1, 'agent1');
    return { engine, said: engine.put({ kind: 'timer', timer: { kind: 'deadline' } }) };
  }

  it('the chosen answer is shown as it is, when the settings say so', () => {
    const { engine, said } = late({ timeoutPresentation: 'reuse' });
    expect(effectsOf(said, 'start-presentation')).toEqual([]);
    expect(engine.state).toMatchObject({ outcome: 'timeout', finalAnswer: { source: 'reused' } });
  });

  it('there may be a presentation with a limit of its own, and the run stays one without time', () => {
    const { engine, said } = late({ timeoutPresentation: 'present' });
    expect(effectsOf(said, 'start-presentation')).toMatchObject([{ slot: 1 }]);
    expect(effectsOf(said, 'set-timer')).toMatchObject([{ timer: { kind: 'presentation' } }]);
    engine.report(1, { kind: 'presented', call: 1, text: 'The final text' });
    expect(engine.state).toMatchObject({
      outcome: 'timeout',
      finalAnswer: { source: 'presented' },
    });
  });

  it('P11: there is one presentation only, also when it takes too long', () => {
    const { engine } = late({ timeoutPresentation: 'present' });
    engine.put({ kind: 'timer', timer: { kind: 'presentation' } });
    const starts = effectsOf(engine, 'start-presentation');
    expect(starts).toHaveLength(1);
    expect(engine.state.finalAnswer?.source).toBe('reused');
  });

  it('nothing is looked at again', () => {
    const { engine } = late({ timeoutPresentation: 'reuse', maxRestarts: 2 });
    expect(engine.state).toMatchObject({ outcome: 'timeout', evaluation: null });
  });

  it('P14: a vote that arrived earlier counts', () => {
    const engine = new Engine({
      settings: compatSettings({ finalAnswerStrategy: 'winner_reuse' }),
    });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(2, 'agent2');
    engine.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(engine.state.selection).toMatchObject({
      winner: { label: 'agent2.1' },
      agreement: { decidedBy: 'timeout', ballots: 1 },
    });
  });
});

describe('a run without coordination', () => {
  const settings = compatSettings({ skipCoordination: true, planning: 'classify' });

  it('P15: gives the task to the first agent alone, whose text is final', () => {
    const engine = new Engine({ count: 3, settings });
    const [start, ...others] = effectsOf(engine, 'start-presentation');
    expect(others).toEqual([]);
    expect(start).toMatchObject({ slot: 1, turnNo: 1 });
    expect(effectsOf(engine, 'start-turn')).toEqual([]);
    engine.report(1, { kind: 'presented', call: 1, text: 'Done.' });
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      finalAnswer: { slot: 1, text: 'Done.', source: 'presented' },
    });
    const said = engine.log.map(({ event }) => event.type);
    expect(said.filter((type) => type === 'vote-cast' || type === 'answer-submitted')).toEqual([]);
  });

  it('fails with the reason when that agent writes nothing', () => {
    const engine = new Engine({ settings });
    const said = engine.fault(1, { kind: 'fatal' });
    expect(eventOf(said, 'run-ended')).toMatchObject({
      outcome: 'error',
      error: { message: 'The connection was reset.' },
    });
  });

  it('does not start when no call is allowed', () => {
    const engine = new Engine({ settings, caps: { modelCalls: 0 } });
    expect(effectsOf(engine, 'start-presentation')).toEqual([]);
    expect(engine.state.outcome).toBe('budget');
  });
});

describe('answers that arrive shortly after one another', () => {
  const settings = compatSettings({ settleMs: 300 });

  it('cost one prompt: free agents start when none has come for a while', () => {
    const engine = new Engine({ count: 3, settings });
    engine.answer(1, 'one');
    const first = engine.settle();
    expect(effectsOf(first, 'start-turn')).toEqual([]);
    expect(effectsOf(first, 'set-timer')).toEqual([
      { kind: 'set-timer', timer: { kind: 'settle' }, delayMs: 300 },
    ]);
    engine.now += 200;
    engine.answer(2, 'two');
    expect(effectsOf(engine.settle(), 'set-timer')).toMatchObject([{ delayMs: 300 }]);
    engine.now += 300;
    engine.put({ kind: 'timer', timer: { kind: 'settle' } });
    expect(effectsOf(engine.settle(), 'start-turn')).toMatchObject([
      { slot: 1, shown: ['agent1.1', 'agent2.1'] },
      { slot: 2, shown: ['agent1.1', 'agent2.1'] },
    ]);
  });

  it('do not delay the end of a poll', () => {
    const engine = new Engine({ settings });
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.now += 300;
    engine.settle();
    engine.vote(1, 'agent1');
    expect(types(engine.vote(2, 'agent1'))).toContain('poll-closed');
  });
});

describe('an agent that works alone', () => {
  it.each([
    [true, 'voted for itself'],
    [false, 'is done'],
  ])('with a vote of its own set to %s', (singleAgentVote) => {
    const engine = new Engine({ count: 1, settings: compatSettings({ singleAgentVote }) });
    engine.answer(1, 'alone');
    expect(engine.state.outcome).toBe(singleAgentVote ? null : 'completed');
    if (singleAgentVote) {
      engine.settle();
      engine.vote(1, 'agent1');
    }
    expect(engine.state.selection?.agreement).toMatchObject({
      decidedBy: 'single',
      ballots: singleAgentVote ? 1 : 0,
    });
  });
});

describe('the same text over other files', () => {
  it.each([
    [true, 'answer-submitted'],
    [false, 'protocol-error'],
  ] as const)('with files compared: %s, leads to %s', (duplicateConsidersFiles, expected) => {
    const engine = new Engine({ settings: compatSettings({ duplicateConsidersFiles }) });
    engine.answer(1, 'one', { snapshotId: 'a' });
    engine.settle();
    expect(types(engine.answer(1, 'one', { snapshotId: 'b' }))).toContain(expected);
  });
});

describe('agents that divide the work', () => {
  const divided = (overrides: Partial<CoordinationSettings> = {}): Engine =>
    new Engine({
      settings: compatSettings({ mode: 'decomposition', maxNewAnswersPerAgent: 2, ...overrides }),
    });

  it('are stopped after so many answers in a row', () => {
    const engine = divided();
    engine.answer(1, 'a');
    engine.settle();
    expect(eventOf(engine.answer(1, 'b'), 'agent-stopped')).toMatchObject({ by: 'limit' });
    expect(engine.agent(1).status).toBe('done');
  });

  it('may go on when they have seen something new of their peers', () => {
    const engine = divided();
    engine.answer(1, 'a');
    engine.answer(2, 'x');
    engine.settle();
    expect(types(engine.answer(1, 'b'))).not.toContain('agent-stopped');
    engine.settle();
    expect(types(engine.answer(1, 'c'))).toContain('agent-stopped');
  });

  it('may go on when something new came during the turn', () => {
    const engine = divided();
    engine.answer(1, 'a');
    engine.settle();
    engine.answer(2, 'x');
    engine.tool(1, 'read_file');
    expect(types(engine.answer(1, 'b'))).not.toContain('agent-stopped');
  });

  it('have all their answers counted where there is a limit for all together', () => {
    const engine = divided({ maxNewAnswersGlobal: 9 });
    engine.answer(1, 'a');
    engine.answer(2, 'x');
    engine.settle();
    expect(types(engine.answer(1, 'b'))).toContain('agent-stopped');
  });

  it('leave word when they are blocked', () => {
    const engine = divided();
    engine.respond(1, {
      kind: 'stop',
      toolCallId: 'call-1',
      summary: 'The key is missing.',
      status: 'blocked',
    });
    expect(engine.agent(1).stop).toEqual({ status: 'blocked', summary: 'The key is missing.' });
  });

  it('are said to need a limit of another kind', () => {
    const engine = new Engine({
      settings: compatSettings({ mode: 'decomposition', maxNewAnswersPerAgent: 2 }),
      caps: { durationMs: null },
    });
    expect(engine.log[1]?.event).toMatchObject({ type: 'warning-raised', code: 'no_limit' });
  });
});
