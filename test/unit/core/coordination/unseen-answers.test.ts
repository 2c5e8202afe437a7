import { describe, expect, it } from 'vitest';
import { compatSettings, recommendedSettings } from '../../../../src/core/coordination/profiles';
import { directive, effectsOf, Engine } from '../../../support/engine';
import type { Said } from '../../../support/engine';

function updateIn(said: Said): readonly string[] {
  const given = directive(said);
  return given.kind === 'continue' ? given.update : [];
}

describe('an agent without an answer of its own', () => {
  it('is shown nothing of its peers while it works', () => {
    const engine = new Engine();
    engine.answer(1, 'one');
    expect(updateIn(engine.tool(2, 'read_file'))).toEqual([]);
  });

  it('is shown what comes in from its first vote on, to the end of the turn', () => {
    const engine = new Engine();
    engine.answer(1, 'one');
    expect(updateIn(engine.vote(2, 'agent1'))).toEqual(['agent1.1']);
    engine.settle();
    engine.answer(1, 'two');
    expect(updateIn(engine.tool(2, 'read_file'))).toEqual(['agent1.2']);
  });

  it.each([
    ['recommended', recommendedSettings, []],
    ['compat', compatSettings, ['agent1.1']],
  ] as const)(
    'begins again with these answers before it where voting waits: %s',
    (_name, settings, shown) => {
      const deferred = settings({ deferVotingUntilAllAnswered: true, backoffMs: 0 });
      const engine = new Engine({ settings: deferred });
      engine.answer(1, 'one');
      engine.fault(2, { kind: 'fatal' });
      const started = effectsOf(engine.settle(), 'start-turn');
      expect(started).toMatchObject([{ slot: 2, turnNo: 2 }]);
      expect(started[0]?.shown).toEqual(shown);
    },
  );
});

describe('the author of the only answer', () => {
  it.each([
    ['waits for a peer that may still hand in its first', null, []],
    ['does not wait for a peer that may hand in none', 1, [1]],
  ])('%s', (_what, maxNewAnswersGlobal, starting) => {
    const settings = compatSettings({ waitForFirstRival: true, maxNewAnswersGlobal });
    const engine = new Engine({ settings });
    engine.answer(1, 'one');
    const started = effectsOf(engine.settle(), 'start-turn').map(({ slot }) => slot);
    expect(started).toEqual(starting);
  });
});

describe('answers that an agent has not seen', () => {
  it('come together, the newest first', () => {
    const engine = new Engine({ count: 3 });
    engine.answer(3, 'three');
    engine.settle();
    engine.answer(1, 'one');
    engine.answer(2, 'two');
    expect(updateIn(engine.tool(3, 'read_file'))).toEqual(['agent2.1', 'agent1.1']);
  });

  it('are never voted for, however often such a vote was sent back', () => {
    const engine = new Engine({ settings: compatSettings({ maxStaleRedeliveries: 0 }) });
    engine.answer(1, 'one');
    expect(updateIn(engine.vote(2, 'agent1'))).toEqual(['agent1.1']);
    expect(engine.agent(2).ballot).toBeNull();
    engine.vote(2, 'agent1');
    expect(engine.agent(2).ballot).toMatchObject({ target: 'agent1.1', isInformed: true });
  });
});
