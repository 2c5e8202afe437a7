import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/core/coordination/inputs';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import { Engine, directive, effectsOf, eventOf, types } from '../../../support/engine';
import type { EngineSetup, Said } from '../../../support/engine';

const submit: Finding = { kind: 'submit', toolCallId: 'call-1', isConfirmed: true };
const restart: Finding = {
  kind: 'restart',
  toolCallId: 'call-2',
  reason: 'Half of it is missing.',
  instructions: 'Do the other half.',
};

function withRestarts(overrides: Partial<CoordinationSettings> = {}): EngineSetup {
  return { settings: compatSettings({ maxRestarts: 1, backoffMs: 0, ...overrides }) };
}

/** Both vote for agent2, which has presented; its work is looked at now. */
function presented(setup: EngineSetup = withRestarts()): {
  readonly engine: Engine;
  readonly said: Said;
} {
  const engine = new Engine(setup);
  return { engine, said: attempt(engine, setup.count ?? 2) };
}

function attempt(engine: Engine, count = 2): Said {
  for (let slot = 1; slot <= count; slot++) {
    engine.answer(slot, `answer ${slot}`);
  }
  engine.settle();
  for (let slot = 1; slot <= count; slot++) {
    engine.vote(slot, 'agent2');
  }
  return engine.report(2, { kind: 'presented', call: 1, text: 'The final text' });
}

function evaluate(engine: Engine, ...findings: readonly Finding[]): Said {
  const slot = engine.state.evaluation?.slot ?? 0;
  const call = (engine.agent(slot).turn?.calls ?? 0) + 1;
  return engine.report(slot, { kind: 'evaluated', call, findings });
}

describe('finished work', () => {
  it('is looked at by an agent before it is accepted, with a time limit', () => {
    const { engine, said } = presented();
    expect(types(said)).toEqual(['agent-turn-ended', 'final-answer', 'evaluation-started']);
    expect(effectsOf(said, 'start-evaluation')).toEqual([
      { kind: 'start-evaluation', slot: 2, turnNo: 4 },
    ]);
    expect(effectsOf(said, 'set-timer')).toMatchObject([
      { timer: { kind: 'evaluation' }, delayMs: 300_000 },
    ]);
    expect(engine.agent(2).turn?.purpose).toBe('evaluate');
    expect(engine.state.outcome).toBeNull();
  });

  it('is accepted when the evaluator confirms', () => {
    const { engine } = presented();
    const said = evaluate(engine, submit);
    expect(types(said)).toEqual(['agent-turn-ended', 'evaluation-ended', 'run-ended']);
    expect(directive(said)).toEqual({ kind: 'end' });
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      evaluation: { result: { decision: 'submit', by: 'evaluator' } },
    });
  });

  it('may be read, but not answered or voted for, by the evaluator', () => {
    const { engine } = presented();
    expect(directive(engine.tool(2, 'read_file'))).toMatchObject({
      kind: 'continue',
      toolset: { hasNewAnswer: false, hasVote: false, hasOrdinaryTools: true },
    });
  });

  it('P4: makes the team begin anew, and is not looked at in the last attempt', () => {
    const { engine } = presented();
    const said = evaluate(engine, restart);
    expect(types(said)).toEqual([
      'agent-turn-ended',
      'evaluation-ended',
      'orchestration-restarted',
    ]);
    expect(engine.state).toMatchObject({
      attempt: 2,
      outcome: null,
      poll: { kind: 'open' },
      pastAttempts: [
        {
          attempt: 1,
          winner: { label: 'agent2.1' },
          finalText: 'The final text',
          evaluation: { reason: 'Half of it is missing.', instructions: 'Do the other half.' },
        },
      ],
    });
    const began = effectsOf(engine.settle(), 'start-turn');
    expect(began).toMatchObject([
      { slot: 1, shown: [] },
      { slot: 2, shown: [] },
    ]);
    const end = attempt(engine);
    expect(types(end)).toEqual(['agent-turn-ended', 'final-answer', 'run-ended']);
  });

  it('does not get more time by a new attempt', () => {
    const { engine } = presented();
    const said = evaluate(engine, restart);
    const again = engine.settle();
    const timers = [...effectsOf(said, 'set-timer'), ...effectsOf(again, 'set-timer')];
    expect(timers.filter(({ timer }) => timer.kind === 'deadline')).toEqual([]);
    engine.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(engine.state.outcome).toBe('timeout');
  });

  it('P5: is accepted with a warning when the evaluator twice says both', () => {
    const { engine } = presented();
    const first = evaluate(engine, submit, restart);
    expect(eventOf(first, 'protocol-error')?.code).toBe('conflict');
    expect(directive(first)).toMatchObject({
      kind: 'continue',
      replies: [{ toolCallId: 'call-1' }, { toolCallId: 'call-2' }],
      notice: '',
    });
    const second = evaluate(engine, submit, restart);
    expect(directive(second)).toEqual({ kind: 'end' });
    expect(eventOf(second, 'warning-raised')?.code).toBe('evaluation_undecided');
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      evaluation: { result: { decision: 'submit', by: 'default' } },
    });
  });

  it('P6: is accepted with a warning when the evaluator calls nothing after a reminder', () => {
    const { engine } = presented();
    const first = evaluate(engine);
    const given = directive(first);
    expect(given).toMatchObject({ kind: 'continue', replies: [] });
    expect(given.kind === 'continue' ? given.notice : '').toContain('submit');
    expect(eventOf(evaluate(engine), 'evaluation-ended')).toMatchObject({
      decision: 'submit',
      by: 'default',
    });
  });

  it('is accepted with a warning when the evaluator never confirms', () => {
    const { engine } = presented();
    const unsure: Finding = { kind: 'submit', toolCallId: 'call-1', isConfirmed: false };
    expect(eventOf(evaluate(engine, unsure), 'protocol-error')?.code).toBe('not_confirmed');
    expect(eventOf(evaluate(engine, unsure), 'warning-raised')).toBeDefined();
    expect(engine.state.outcome).toBe('completed');
  });

  it('may still make the team begin anew after a reminder', () => {
    const { engine } = presented();
    evaluate(engine);
    evaluate(engine, restart);
    expect(engine.state.attempt).toBe(2);
  });

  it('P7: is accepted when the evaluator takes too long', () => {
    const { engine } = presented();
    const said = engine.put({ kind: 'timer', timer: { kind: 'evaluation' } });
    expect(effectsOf(said, 'abort-turn')).toMatchObject([{ slot: 2, turnNo: 4 }]);
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      evaluation: { result: { decision: 'submit', by: 'timeout' } },
    });
  });

  it.each<[string, (engine: Engine) => Said]>([
    ['meets a fault for good', (engine) => engine.fault(2, { kind: 'fatal' })],
    [
      'breaks',
      (engine) => {
        const error = { code: 'bug/invariant', message: 'It broke.', retryable: false };
        return engine.put({ kind: 'turn-crashed', slot: 2, turnNo: 4, error });
      },
    ],
  ])('is accepted, with the cause, when the evaluator %s', (_what, fail) => {
    const { engine } = presented();
    const ended = eventOf(fail(engine), 'evaluation-ended');
    expect(ended).toMatchObject({ decision: 'submit', by: 'fault' });
    expect(ended?.reason).not.toBe('');
    expect(engine.state.outcome).toBe('completed');
  });

  it('waits for an evaluator whose service fails for a moment', () => {
    const { engine } = presented();
    expect(directive(engine.fault(2))).toMatchObject({ kind: 'retry' });
    expect(engine.state.outcome).toBeNull();
  });

  it('is accepted when the time of the run is over', () => {
    const { engine } = presented();
    engine.put({ kind: 'timer', timer: { kind: 'deadline' } });
    expect(engine.state).toMatchObject({ outcome: 'completed', capReached: 'duration' });
  });

  it('is not looked at when no further call is allowed', () => {
    const { engine, said } = presented({ ...withRestarts(), caps: { modelCalls: 5 } });
    expect(types(said).slice(-2)).toEqual(['cap-reached', 'run-ended']);
    expect(engine.state.evaluation).toBeNull();
  });

  it('is given up when the user stops the run', () => {
    const { engine } = presented();
    engine.put({ kind: 'cancel' });
    expect(engine.state.outcome).toBe('cancelled');
  });

  it('is not questioned when the user has chosen it', () => {
    const engine = new Engine(withRestarts({ finalAnswerStrategy: 'winner_reuse' }));
    engine.answer(1, 'one');
    const said = engine.put({ kind: 'user', command: { kind: 'override', label: 'agent1.1' } });
    expect(types(said)).not.toContain('evaluation-started');
    expect(engine.state.outcome).toBe('completed');
  });

  it('is presented anew when the user chooses another answer during the check', () => {
    const { engine } = presented();
    const said = engine.put({ kind: 'user', command: { kind: 'override', label: 'agent1.1' } });
    expect(effectsOf(said, 'start-presentation')).toMatchObject([{ slot: 1 }]);
    engine.report(1, { kind: 'presented', call: 1, text: 'The other text' });
    expect(engine.state).toMatchObject({
      outcome: 'completed',
      finalAnswer: { label: 'agent1.1', text: 'The other text' },
    });
  });
});

describe('the evaluator', () => {
  it('is another agent than the winner, the one with the most votes, when the settings say so', () => {
    const engine = new Engine({ ...withRestarts({ evaluator: 'other' }), count: 3 });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    engine.vote(1, 'agent2');
    engine.vote(2, 'agent2');
    engine.vote(3, 'agent3');
    const said = engine.report(2, { kind: 'presented', call: 1, text: 'The final text' });
    expect(effectsOf(said, 'start-evaluation')).toMatchObject([{ slot: 3 }]);
  });

  it('is the winner when nobody else is left', () => {
    const engine = new Engine(withRestarts({ evaluator: 'other', maxFailedTurns: 1 }));
    engine.fault(1, { kind: 'fatal' });
    engine.answer(2, 'two');
    engine.settle();
    engine.vote(2, 'agent2');
    const said = engine.report(2, { kind: 'presented', call: 1, text: 'The final text' });
    expect(effectsOf(said, 'start-evaluation')).toMatchObject([{ slot: 2 }]);
  });

  it('is another agent when the winner has failed', () => {
    const engine = new Engine(
      withRestarts({ maxFailedTurns: 1, finalAnswerStrategy: 'winner_reuse' }),
    );
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    engine.settle();
    engine.fault(2, { kind: 'fatal' });
    expect(effectsOf(engine.vote(1, 'agent2'), 'start-evaluation')).toMatchObject([{ slot: 1 }]);
  });

  it('can be a judge outside of the team, asked in one call', () => {
    const { engine, said } = presented(withRestarts({ evaluator: 'judge', hasJudge: true }));
    expect(effectsOf(said, 'start-evaluation')).toEqual([]);
    expect(effectsOf(said, 'ask-judge')).toEqual([
      { kind: 'ask-judge', call: 1, candidates: ['agent2.1'] },
    ]);
    const reason = 'It does nothing.';
    engine.put({ kind: 'judged', label: 'restart', reason, instructions: 'Do it.' });
    expect(engine.state).toMatchObject({ attempt: 2, pastAttempts: [{ evaluation: { reason } }] });
  });

  it('has the work accepted with a warning when the judge gives no clear answer', () => {
    const { engine } = presented(withRestarts({ evaluator: 'judge', hasJudge: true }));
    const said = engine.put({ kind: 'judged', label: '', reason: '' });
    expect(types(said)).toEqual(['warning-raised', 'evaluation-ended', 'run-ended']);
    expect(engine.state.outcome).toBe('completed');
  });

  it('has the work accepted when the judge takes too long', () => {
    const { engine } = presented(withRestarts({ evaluator: 'judge', hasJudge: true }));
    engine.put({ kind: 'timer', timer: { kind: 'evaluation' } });
    expect(engine.state.evaluation?.result?.by).toBe('timeout');
  });
});
