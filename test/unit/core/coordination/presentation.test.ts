import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { Engine, directive, effectsOf, eventOf, types } from '../../../support/engine';
import type { EngineSetup, Said } from '../../../support/engine';

/** Both answer and vote for agent2; answers with the engine and what it said to the last vote. */
function decided(setup: EngineSetup = {}): { readonly engine: Engine; readonly said: Said } {
  const engine = new Engine(setup);
  engine.answer(1, 'first');
  engine.answer(2, 'second');
  engine.settle();
  engine.vote(1, 'agent2');
  return { engine, said: engine.vote(2, 'agent2') };
}

function present(engine: Engine, text: string): Said {
  return engine.report(2, { kind: 'presented', call: 1, text });
}

describe('the presentation of the winner', () => {
  it('starts in a turn of its own after the decision', () => {
    const { engine, said } = decided();
    expect(effectsOf(said, 'start-presentation')).toEqual([
      { kind: 'start-presentation', slot: 2, turnNo: 3, label: 'agent2.1' },
    ]);
    expect(eventOf(said, 'final-presentation-started')).toMatchObject({ slot: 2, turnNo: 3 });
    expect(engine.agent(2).status).toBe('running');
    expect(engine.state.outcome).toBeNull();
  });

  it('ends the run with the text that the winner wrote', () => {
    const { engine } = decided();
    const said = present(engine, 'The final text');
    expect(types(said)).toEqual(['agent-turn-ended', 'final-answer', 'run-ended']);
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(effectsOf(said, 'end-run')).toHaveLength(1);
    expect(engine.state.outcome).toBe('completed');
    expect(engine.state.finalAnswer).toEqual({
      slot: 2,
      label: 'agent2.1',
      text: 'The final text',
      source: 'presented',
    });
  });

  it('takes a new answer for the final text', () => {
    const { engine } = decided();
    engine.answer(2, 'As an answer');
    expect(engine.state.finalAnswer).toMatchObject({ text: 'As an answer', source: 'presented' });
    expect(engine.agent(2).revisions).toHaveLength(1);
  });

  it('offers the presenter no tool to vote or answer again', () => {
    const { engine } = decided();
    expect(directive(engine.tool(2, 'read_file'))).toMatchObject({
      kind: 'continue',
      toolset: { hasNewAnswer: false, hasVote: false, hasOrdinaryTools: true, targets: [] },
    });
  });

  it('retries a fault that may pass', () => {
    const { engine } = decided();
    expect(directive(engine.fault(2))).toMatchObject({ kind: 'retry', reason: 'transient' });
    expect(engine.state.outcome).toBeNull();
  });

  it.each<[string, (engine: Engine) => Said]>([
    ['writes nothing', (engine) => present(engine, '  \n')],
    ['calls no tool and says nothing', (engine) => engine.respond(2)],
    ['meets a fault for good', (engine) => engine.fault(2, { kind: 'fatal' })],
    ['takes too long', (engine) => engine.put({ kind: 'timer', timer: { kind: 'presentation' } })],
    [
      'runs into the deadline',
      (engine) => engine.put({ kind: 'timer', timer: { kind: 'deadline' } }),
    ],
    [
      'breaks',
      (engine) => {
        const error = { code: 'bug/invariant', message: 'It broke.', retryable: false };
        return engine.put({ kind: 'turn-crashed', slot: 2, turnNo: 3, error });
      },
    ],
  ])('falls back to the voted answer when the presenter %s', (_what, fail) => {
    const { engine } = decided();
    const said = fail(engine);
    expect(engine.state.finalAnswer).toEqual({
      slot: 2,
      label: 'agent2.1',
      text: 'second',
      source: 'reused',
    });
    expect(engine.state.outcome).toBe('completed');
    expect(eventOf(said, 'warning-raised')?.message).toContain('The voted answer is shown');
  });

  it('is aborted when its time is over', () => {
    const { engine } = decided();
    const said = engine.put({ kind: 'timer', timer: { kind: 'presentation' } });
    expect(effectsOf(said, 'abort-turn')).toMatchObject([
      { slot: 2, turnNo: 3, reason: 'timeout' },
    ]);
  });

  it('is stopped by the user without a final answer, and the decision stays readable', () => {
    const { engine } = decided();
    const said = engine.put({ kind: 'cancel' });
    expect(effectsOf(said, 'abort-turn')).toMatchObject([{ slot: 2, turnNo: 3, reason: 'user' }]);
    expect(engine.state.outcome).toBe('cancelled');
    expect(engine.state.finalAnswer).toBeNull();
    expect(engine.state.selection?.winner?.label).toBe('agent2.1');
  });

  it('does not happen when the settings show the voted text', () => {
    const { engine, said } = decided({
      settings: compatSettings({ finalAnswerStrategy: 'winner_reuse' }),
    });
    expect(effectsOf(said, 'start-presentation')).toEqual([]);
    expect(engine.state.finalAnswer?.source).toBe('reused');
  });

  it('does not happen when no further call is allowed', () => {
    const { engine, said } = decided({ caps: { modelCalls: 4 } });
    expect(types(said).slice(-3)).toEqual(['cap-reached', 'final-answer', 'run-ended']);
    expect(engine.state.finalAnswer?.source).toBe('reused');
    expect(engine.state.outcome).toBe('completed');
  });

  it('stops at the cap of calls and shows the voted answer', () => {
    const { engine } = decided({ caps: { modelCalls: 5 } });
    const said = engine.tool(2, 'read_file');
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(engine.state.capReached).toBe('model-calls');
    expect(engine.state.finalAnswer?.source).toBe('reused');
  });

  it('is left out for a single agent', () => {
    const engine = new Engine({ count: 1, settings: compatSettings({ skipVoting: true }) });
    engine.answer(1, 'alone');
    expect(engine.state.finalAnswer).toMatchObject({ text: 'alone', source: 'reused' });
    expect(engine.state.selection?.agreement.decidedBy).toBe('single');
  });

  it('is given by another agent when the winner has failed', () => {
    const engine = new Engine({ settings: compatSettings({ maxFailedTurns: 1 }) });
    engine.answer(1, 'first');
    engine.answer(2, 'second');
    engine.settle();
    engine.fault(2, { kind: 'fatal' });
    const said = engine.vote(1, 'agent2');
    expect(effectsOf(said, 'start-presentation')).toMatchObject([{ slot: 1, label: 'agent2.1' }]);
  });
});
