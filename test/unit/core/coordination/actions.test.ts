import { describe, expect, it } from 'vitest';
import { compatSettings } from '../../../../src/core/coordination/profiles';
import { Engine, answer, directive, eventOf, types, vote } from '../../../support/engine';
import type { Said } from '../../../support/engine';

function codeOf(said: Said): string | undefined {
  return eventOf(said, 'protocol-error')?.code;
}

describe('an answer', () => {
  it('is recorded with its files and what its author had not seen', () => {
    const engine = new Engine();
    engine.answer(1, 'first');
    engine.answer(2, 'second', { snapshotId: 'abc' });
    expect(engine.agent(2).revisions).toMatchObject([
      { label: 'agent2.1', text: 'second', snapshotId: 'abc', unseenAtSubmit: ['agent1.1'] },
    ]);
  });

  it.each([
    ['spaces at line ends and around', 'one  \ntwo', '\n one\t\ntwo '],
    ['composed and decomposed characters', 'caf\u00e9', 'cafe\u0301'],
  ])('that differs from a peer only in %s is a duplicate', (_what, a, b) => {
    const engine = new Engine();
    engine.answer(1, a);
    const said = engine.answer(2, b, { snapshotId: 'other' });
    expect(codeOf(said)).toBe('answer_duplicate');
    expect(eventOf(said, 'protocol-error')?.message).toContain('agent1.1');
  });

  it('with the words of its author is new when the files differ, and a duplicate when not', () => {
    const engine = new Engine();
    engine.answer(1, 'done', { snapshotId: 'a' });
    engine.settle();
    expect(codeOf(engine.answer(1, 'done', { snapshotId: 'a' }))).toBe('answer_duplicate');
    expect(codeOf(engine.answer(1, 'done', { snapshotId: null }))).toBe('answer_duplicate');
    engine.answer(1, 'done', { snapshotId: 'b' });
    expect(engine.agent(1).revisions.map(({ label }) => label)).toEqual(['agent1.1', 'agent1.2']);
  });

  it('that is too long is refused', () => {
    const engine = new Engine({ settings: compatSettings({ maxAnswerChars: 5 }) });
    const said = engine.answer(1, '123456');
    expect(codeOf(said)).toBe('answer_too_long');
    expect(eventOf(said, 'protocol-error')?.message).toContain('it may have 5 characters');
    expect(types(engine.answer(1, '12345'))).toContain('answer-submitted');
  });

  it('that resembles a peer is refused with the label and how much they share', () => {
    const engine = new Engine({ settings: compatSettings({ novelty: 'balanced' }) });
    engine.answer(1, 'one two three four');
    const message = eventOf(engine.answer(2, 'One, two: three FOUR!'), 'protocol-error')?.message;
    expect(message).toContain('100 % of its words with agent1.1');
  });

  it.each([
    [
      'balanced',
      'one two three four five six seven eight nine ten',
      'one two three four five six seven',
    ],
    ['strict', 'one two', 'one'],
  ] as const)(
    'that shares no more with a peer than "%s" lets it is accepted',
    (novelty, own, peer) => {
      const engine = new Engine({ settings: compatSettings({ novelty }) });
      engine.answer(1, own);
      expect(types(engine.answer(2, peer))).toContain('answer-submitted');
      const closer = new Engine({ settings: compatSettings({ novelty }) });
      closer.answer(1, own);
      expect(codeOf(closer.answer(2, `${own} more`))).toBe('answer_novelty');
    },
  );

  it('given twice in the same words counts once', () => {
    const engine = new Engine();
    engine.respond(1, answer('same'), { ...answer('same '), toolCallId: 'call-9' });
    expect(engine.agent(1).revisions).toHaveLength(1);
  });
});

describe('a breach of the rules', () => {
  it('is told with each call it made, and with what is allowed now', () => {
    const engine = new Engine();
    const said = engine.respond(1, answer('x'), vote('agent2'));
    const given = directive(said);
    expect(given).toMatchObject({
      kind: 'continue',
      notice: '',
      toolset: { hasNewAnswer: true, hasVote: false },
    });
    expect(given.kind === 'continue' && given.replies).toMatchObject([
      { toolCallId: 'call-1', status: 'rejected', code: 'vote_and_answer' },
      { toolCallId: 'call-2', status: 'rejected', code: 'vote_and_answer' },
    ]);
  });

  it('is told as a notice when there was no call to reply to', () => {
    const given = directive(new Engine().respond(1));
    expect(given).toMatchObject({ kind: 'continue', replies: [] });
    expect(given.kind === 'continue' && given.notice).toContain('called no tool');
  });

  it('is found in arguments that cannot be read, even beside a valid call', () => {
    const engine = new Engine();
    const bad = { kind: 'bad_arguments', toolCallId: 'call-9', name: 'vote' } as const;
    expect(codeOf(engine.respond(1, answer('x'), bad))).toBe('bad_arguments');
  });

  it('is not seen in an unknown tool beside a valid call', () => {
    const engine = new Engine();
    const unknown = { kind: 'unknown_tool', toolCallId: 'call-9', name: 'shout' } as const;
    expect(types(engine.respond(1, unknown, answer('x')))).toContain('answer-submitted');
  });

  it('names agents by slot only', () => {
    const engine = new Engine();
    engine.answer(1, 'same');
    const said = [
      engine.answer(2, 'same'),
      engine.vote(2, 'id-1'),
      engine.respond(2, answer('a'), answer('b')),
    ];
    for (const one of said) {
      expect(JSON.stringify(one)).not.toContain('id-1');
    }
  });
});

describe('a vote', () => {
  it.each(['agent1', ' AGENT1 ', 'Agent1.1', 'agent1.1'])('for "%s" is understood', (target) => {
    const engine = new Engine();
    engine.answer(1, 'first');
    engine.settle();
    engine.vote(1, target, { reason: '' });
    expect(engine.agent(1).ballot).toMatchObject({
      id: 'agent1.vote1',
      target: 'agent1.1',
      reason: '',
      isInformed: true,
      seen: ['agent1.1'],
    });
  });

  it.each(['agent0', 'agent3', 'agent1.0', 'agent1.2', 'first', '', 'agent'])(
    'for "%s" is invalid, and the valid targets are listed',
    (target) => {
      const engine = new Engine();
      engine.answer(1, 'first');
      engine.settle();
      const said = engine.vote(1, target);
      expect(codeOf(said)).toBe('invalid_target');
      expect(eventOf(said, 'protocol-error')?.message).toContain('vote for agent1.1');
    },
  );

  it('for an answer that its author has replaced is stale', () => {
    const engine = new Engine();
    engine.answer(1, 'first');
    engine.settle();
    engine.answer(1, 'better');
    engine.settle();
    const said = engine.vote(1, 'agent1.1');
    expect(types(said)).toEqual(['vote-ignored']);
    expect(directive(said)).toMatchObject({ kind: 'continue', update: [] });
  });

  it('may be an abstention, which leaves the base of the decision', () => {
    const engine = new Engine({ settings: compatSettings({ rule: 'unanimity' }) });
    engine.answer(1, 'first');
    engine.answer(2, 'second');
    engine.settle();
    engine.vote(1, '', { isAbstention: true });
    expect(engine.agent(1).status).toBe('abstained');
    engine.vote(2, 'agent1');
    expect(engine.state.selection?.agreement).toMatchObject({
      decidedBy: 'rule',
      electorate: [2],
      eligibleWeight: 1,
    });
  });

  it('is asked for again after an abstention when a new answer comes in', () => {
    const engine = new Engine({ count: 3 });
    engine.answer(1, 'first');
    engine.settle();
    engine.vote(1, '', { isAbstention: true });
    const said = engine.answer(2, 'second');
    expect(eventOf(said, 'votes-voided')?.voters).toEqual([1]);
    expect(types(engine.settle())).toContain('agent-turn-started');
  });

  it('counts in votes from others only when it is for another', () => {
    const engine = new Engine({ count: 3 });
    for (const slot of [1, 2, 3]) {
      engine.answer(slot, `answer ${slot}`);
    }
    engine.settle();
    engine.vote(1, 'agent1');
    engine.vote(2, 'agent1');
    engine.vote(3, 'agent3');
    expect(engine.state.selection?.agreement).toMatchObject({
      votes: { 'agent1.1': 2, 'agent3.1': 1 },
      votesFromOthers: { 'agent1.1': 1, 'agent3.1': 0 },
      share: 2 / 3,
      isUnanimous: false,
    });
  });

  it('of an adviser without weight is not asked for', () => {
    const engine = new Engine({ weights: [1, 0] });
    engine.answer(2, 'advice');
    engine.settle();
    expect(engine.agent(2).status).toBe('waiting');
    engine.answer(1, 'work');
    engine.settle();
    engine.vote(1, 'agent2');
    expect(engine.state.selection).toMatchObject({
      winner: { slot: 2 },
      agreement: { electorate: [1], decidedBy: 'rule' },
    });
  });
});

describe('stopping a run', () => {
  it('aborts every turn and chooses nobody', () => {
    const engine = new Engine();
    engine.answer(1, 'first');
    const said = engine.put({ kind: 'cancel' });
    expect(said.effects).toEqual([
      { kind: 'abort-turn', slot: 2, turnNo: 1, reason: 'user' },
      { kind: 'end-run' },
    ]);
    expect(engine.state).toMatchObject({
      outcome: 'cancelled',
      finalAnswer: null,
      selection: { winner: null, agreement: { decidedBy: 'cancelled' } },
    });
    expect(engine.agent(1).revisions).toHaveLength(1);
  });
});
