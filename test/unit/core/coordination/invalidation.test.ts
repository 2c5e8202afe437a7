// What a newer answer makes void.
import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import type { CoordinationSettings } from '../../../../src/run/coordination-settings';
import { Engine, eventOf } from '../../../support/engine';

/** Four have answered; 1 has abstained, 2 and 3 have voted for 4 and 1, and 4 answers anew. */
function answeredAnew(voteInvalidation: CoordinationSettings['voteInvalidation']) {
  const engine = new Engine({ count: 4, settings: compatSettings({ voteInvalidation }) });
  [1, 2, 3, 4].forEach((slot) => engine.answer(slot, `answer ${slot}`));
  engine.settle();
  engine.vote(1, '', { isAbstention: true });
  engine.vote(2, 'agent4');
  engine.vote(3, 'agent1');
  const voided = eventOf(engine.answer(4, 'a better answer'), 'votes-voided');
  engine.settle();
  return { engine, voided };
}

describe('a newer answer', () => {
  it('makes every vote void, and asks who has abstained again, where all are to see it', () => {
    const { engine, voided } = answeredAnew('all');
    expect(voided).toMatchObject({ cause: 'agent4.2', voters: [1, 2, 3] });
    expect([1, 2, 3].map((slot) => engine.agent(slot).status)).toEqual([
      'running',
      'running',
      'running',
    ]);
  });

  it('makes void only the votes for what it replaces; other votes and abstentions stand', () => {
    const { engine, voided } = answeredAnew('superseded_only');
    expect(voided).toMatchObject({ cause: 'agent4.2', voters: [2] });
    expect(engine.agent(1).status).toBe('abstained');
    expect(engine.agent(2).status).toBe('running');
    expect(engine.agent(3).ballot).toMatchObject({ target: 'agent1.1' });
  });
});
