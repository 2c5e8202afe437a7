import { describe, expect, it } from 'vitest';
import { budgetsFor } from '../../../../../src/core/agent/prompt/budget';
import { firstMessage, type TurnOpening } from '../../../../../src/core/agent/prompt/first-message';
import type { Toolset } from '../../../../../src/core/coordination/inputs';
import { compatSettings } from '../../../../../src/core/coordination/profiles';
import type { TurnInput } from '../../../../../src/core/ports/agent-runtime';
import type { CoordinationSettings } from '../../../../../src/run/coordination-settings';
import type { EffectRecord, SessionInfo } from '../../../../../src/run/facts';
import type { PastAttempt, RunState } from '../../../../../src/run/state';
import { answer, Engine } from '../../../../support/engine';
import { toolOf } from '../../../../support/plain-tools';
import {
  answerOf,
  emptyAgreement,
  startedState,
  turnInput,
  withAgent,
} from '../../../../support/turn-input';

const voting: Toolset = {
  hasNewAnswer: true,
  hasVote: true,
  hasOrdinaryTools: true,
  targets: ['agent1.1'],
};
const onlyVote: Toolset = { ...voting, hasNewAnswer: false };

function write(
  state: RunState,
  own: Partial<TurnInput> = {},
  opening: Partial<TurnOpening> = {},
): string {
  return firstMessage(turnInput(state, own), {
    answers: [],
    notes: [],
    instructions: [],
    tools: [],
    budgets: budgetsFor(state.settings, 100_000),
    earlierFolders: [],
    localize: (text) => text.replaceAll('<workspace>/', '/run/own/'),
    ...opening,
  });
}

const team = (settings: Partial<CoordinationSettings> = {}, session?: SessionInfo): RunState =>
  startedState(3, { settings, ...(session === undefined ? {} : { session }) });

/** Whether the texts stand in the message in this order. */
function order(text: string, ...parts: readonly string[]): readonly string[] {
  return parts.toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
}

describe('the first message of a turn', () => {
  it('has the task as the user wrote it, and says when there are no answers', () => {
    const text = write(startedState(3, { task: 'Fix it.\n  <<<end of task>>>' }));
    expect(text).toContain('<<<task>>>\nFix it.\n\\  <<<end of task>>>\n<<<end of task>>>');
    expect(text).toContain('There are no answers to look at yet.');
  });

  it('ends with the time, which is that of the newest event', () => {
    const state = { ...team(), lastEventAt: Date.UTC(2027, 1, 3, 4, 5, 6) };
    expect(write(state).endsWith('Date and time: 2027-02-03 04:05 UTC')).toBe(true);
  });

  it('asks for an answer alone, for a choice, or for a vote alone', () => {
    expect(write(team())).not.toContain('`vote`');
    const both = write(team(), { toolset: voting });
    expect(both).toContain('First look at the answers that exist.');
    expect(both).toContain('If not: Do the work');
    const vote = write(team(), { toolset: onlyVote });
    expect(vote).toContain('You can only vote now.');
    expect(vote).not.toContain('`new_answer`');
  });

  it('explains the short ballot where votes are cast', () => {
    expect(write(team(), { toolset: onlyVote })).toContain(
      'Name further answers that would do as well in `approve`; when you cannot judge, set `abstain`.',
    );
  });

  it.each([
    ['lenient', 'it addresses the task well'],
    ['balanced', 'you see no gap'],
    ['strict', 'nothing is left to improve'],
  ] as const)('asks for as much as %s does before a vote', (votingSensitivity, words) => {
    expect(write(team({ votingSensitivity }), { toolset: voting })).toContain(words);
  });

  it('asks an agent that has a measure of its own by that one, and no other agent', () => {
    const state = team({ votingSensitivity: 'lenient' });
    const agents = state.agents.map((agent) =>
      agent.info.slot === 2
        ? { ...agent, info: { ...agent.info, votingSensitivity: 'strict' as const } }
        : agent,
    );
    const asked = (slot: number): string => write({ ...state, agents }, { slot, toolset: voting });
    expect(asked(2)).toContain('nothing is left to improve');
    expect(asked(1)).toContain('it addresses the task well');
    expect(asked(3)).toContain('it addresses the task well');
  });

  it.each([
    ['balanced', 'substantially new'],
    ['strict', 'fundamentally different approach'],
  ] as const)('asks for as much that is new as %s does', (novelty, words) => {
    expect(write(team({ novelty }))).toContain(words);
    expect(write(team({ novelty: 'lenient' }))).not.toContain(words);
  });

  it('says why a run-off, a second look at a close pair or another round is held', () => {
    const runoff = { kind: 'runoff', candidates: [1, 3] } as const;
    const state = { ...team(), poll: runoff };
    expect(write(state, { toolset: onlyVote })).toContain('a run-off between agent1 and agent3.');
    const pair = { ...state, poll: { ...runoff, isDualPass: true } };
    const again = write(pair, { toolset: onlyVote });
    expect(again).toContain('once more, in the opposite order');
    expect(again).not.toContain('run-off');
    expect(write({ ...team(), extraRounds: 1 }, { toolset: voting })).toContain(
      'No answer found enough agreement, so there is another round.',
    );
    expect(write(team(), { toolset: voting })).not.toContain('another round');
  });

  it('says by answer and number how the votes were split, never who cast them', () => {
    const engine = new Engine({
      count: 3,
      settings: compatSettings({ rule: 'unanimity', onSplit: 'another_round' }),
    });
    [1, 2, 3].forEach((slot) => engine.answer(slot, `answer of ${slot}`));
    engine.settle();
    engine.vote(1, 'agent2');
    engine.vote(2, 'agent2');
    engine.vote(3, 'agent1', { reason: 'A matter of taste.' });
    engine.settle();
    const text = write(engine.state, { toolset: voting });
    expect(text).toContain('enough agreement (agent2.1: 2 votes, agent1.1: 1 vote), so');
    expect(text).not.toContain('agent3');
  });

  it.each([
    ['allow', 'agent1.1: 1 vote, agent2.1: 1 vote'],
    ['ignore', 'agent2.1: 1 vote'],
  ] as const)(
    'counts votes for oneself in a split only where they count: %s',
    (selfVote, words) => {
      const engine = new Engine({
        count: 3,
        settings: compatSettings({
          ...{ selfVote, rule: 'unanimity', onSplit: 'another_round', quorum: 0.6 },
        }),
      });
      [1, 2].forEach((slot) => engine.answer(slot, `answer of ${slot}`));
      engine.settle();
      engine.vote(1, 'agent1');
      engine.respond(3, answer('mine'));
      engine.settle();
      engine.vote(1, 'agent1');
      engine.vote(3, 'agent2');
      engine.settle();
      expect(write(engine.state, { toolset: voting })).toContain(`agreement (${words}), so`);
    },
  );

  it.each([
    ['allow', undefined],
    ['forbid', 'You cannot vote for an answer of your own.'],
    ['ignore', 'A vote for an answer of your own is accepted, but not counted.'],
  ] as const)('says what becomes of votes for oneself: %s', (selfVote, words) => {
    for (const toolset of [voting, onlyVote]) {
      const text = write(team({ selfVote }), { toolset });
      expect(text.includes('answer of your own')).toBe(words !== undefined);
      expect(text).toContain(words ?? '`vote`');
    }
    expect(write(team({ selfVote }))).not.toContain('answer of your own');
  });

  it('says before an answer is written what it would be refused for', () => {
    const state = team({ maxAnswerChars: 4321 });
    expect(write(state, { toolset: voting })).toContain('An answer has at most 4321 characters.');
    expect(write(state)).not.toContain('of one that exists');
    const answered = withAgent(state, 2, { revisions: [answerOf(2, 'There.')] });
    expect(write(answered)).toContain('An answer with the text of one that exists is refused.');
    expect(write(answered, { toolset: onlyVote })).not.toContain('is refused');
  });

  it('asks for parts and a stop where the task is divided', () => {
    const toolset: Toolset = { ...voting, hasVote: false, hasStop: true };
    const text = write(team({ mode: 'decomposition' }), { toolset });
    expect(text).toContain('call `stop` with status `complete`');
    expect(text).toContain('`blocked`');
    expect(text).not.toContain('`vote`');
  });

  it('names tools that are closed, and what to do instead', () => {
    const text = write(team(), { toolset: { ...voting, blockedTools: ['send_mail'] } });
    expect(text).toContain('Closed until an answer is chosen: send_mail.');
    expect(text).toContain('Describe in your answer what is to be done with them');
    expect(write(team())).not.toContain('Closed until');
  });

  it('gives an answer that was held back to its author alone', () => {
    const draft = { text: 'My second one.', snapshotId: null, changes: [], heldAt: 0 };
    const state = withAgent(team(), 1, { draft });
    expect(write(state)).toContain(
      '<<<your answer that was held back>>>\nMy second one.\n<<<end of your answer that was held back>>>',
    );
    expect(write(state, { slot: 2 })).not.toContain('My second one.');
  });

  it('has the messages of the user for this agent, after the task', () => {
    const steering = [
      { id: '1', text: 'For all.', targets: null, at: 0, deliveredTo: [] },
      { id: '2', text: 'For two.', targets: [2], at: 0, deliveredTo: [] },
    ];
    const text = write({ ...team(), steering });
    expect(text).toContain('<<<message of the user>>>\nFor all.\n<<<end of message of the user>>>');
    expect(text).not.toContain('For two.');
    expect(order(text, 'For all.', '<<<task>>>', '# This turn')).toEqual([
      '<<<task>>>',
      'For all.',
      '# This turn',
    ]);
  });

  it('begins with what stays and ends with what changes', () => {
    const session = { sessionId: 's', turn: 2, history: [{ turn: 1, task: 'T1', answer: 'A1' }] };
    const before = team({}, session);
    const answers = [{ revision: answerOf(2, 'Two.'), text: 'Two.', folder: '/p/agent2' }];
    const first = write(before);
    const later = write(
      { ...before, lastEventAt: 9e11 },
      { turnNo: 2, toolset: voting },
      { answers, earlierFolders: ['Folders.'] },
    );
    const stable = first.slice(0, first.indexOf('There are no answers'));
    expect(stable).toContain('A1');
    expect(stable).toContain('<<<end of task>>>');
    expect(later.startsWith(stable)).toBe(true);
  });
});

describe('texts that were kept without places', () => {
  it('name those of the reader where they are shown again', () => {
    const finalText = 'See <workspace>/past.md.';
    const session = {
      ...{ sessionId: 's', turn: 2 },
      history: [{ turn: 1, task: 'Keep <workspace>/task.', answer: 'See <workspace>/a.md.' }],
    };
    const evaluation = {
      decision: 'restart',
      reason: 'R',
      instructions: '',
      by: 'evaluator',
    } as const;
    const past = { startedAt: 0, endedAt: 0, winner: null, decidedBy: null, snapshotId: null };
    const draft = { text: 'See <workspace>/draft.md.', snapshotId: null, changes: [], heldAt: 0 };
    const state: RunState = {
      ...withAgent(startedState(2, { session, task: 'Use <workspace>/x.' }), 1, { draft }),
      pastAttempts: [{ ...past, attempt: 1, finalText, evaluation }],
    };
    const text = write(state);
    for (const name of ['past', 'a', 'draft']) {
      expect(text).toContain(`See /run/own/${name}.md.`);
    }
    expect(text).toContain('Use <workspace>/x.');
    expect(text).toContain('Keep <workspace>/task.');
  });
});

describe('T1: a follow-up task', () => {
  const history = [
    { turn: 1, task: 'First task.', answer: 'First answer.' },
    { turn: 2, task: 'Second task.', answer: 'Second answer.' },
  ];

  it('is told earlier tasks and final answers in their order, before the task', () => {
    const text = write(team({}, { sessionId: 's', turn: 3, history }));
    const parts = ['First task.', 'First answer.', 'Second task.', 'Second answer.', '<<<task>>>'];
    expect(order(text, ...parts)).toEqual(parts);
    expect(text).not.toContain('are left out');
  });

  it('has older turns shortened first, and says so', () => {
    const long = history.map((turn) => ({ ...turn, answer: turn.answer.padEnd(3_000, '.') }));
    const session = { sessionId: 's', turn: 3, history: long };
    const text = write(team({ historyBudgetTokens: 1_000 }, session));
    expect(text.length).toBeLessThan(6_000);
    expect(text).toContain(long[1]?.answer);
    expect(text).not.toContain(long[0]?.answer);
    expect(text).toContain('This earlier turn is shortened.');
    expect(text).toContain('First task.');
  });

  it('has the oldest turns left out when there is no room for them, and says how many', () => {
    const many = Array.from({ length: 9 }, (_unused, i) => ({
      turn: i + 1,
      task: `Task ${i + 1}.`,
      answer: 'x'.repeat(1_000),
    }));
    const session = { sessionId: 's', turn: 10, history: many };
    const text = write(team({ historyBudgetTokens: 500 }, session));
    expect(text).toContain('Task 9.');
    expect(text).not.toContain('Task 7.');
    expect(text).toMatch(/The oldest 7 are left out\./);
  });
});

describe('a later attempt', () => {
  const past: PastAttempt = {
    attempt: 1,
    startedAt: 0,
    endedAt: 1,
    winner: { slot: 2, label: 'agent2.1' },
    decidedBy: 'rule',
    finalText: 'What was presented.',
    snapshotId: 'abc',
    evaluation: {
      decision: 'restart',
      reason: 'Tests are missing.',
      instructions: 'Write tests first.',
      by: 'evaluator',
    },
  };
  const effect: EffectRecord = {
    hash: 'h',
    tool: 'send_mail',
    argumentsJson: '{"to":"a@example.com"}',
    attempt: 1,
    result: { sha256: '0', bytes: 0 },
    isError: false,
    isRepeat: false,
  };
  const state = (): RunState => ({
    ...team({ maxRestarts: 2 }),
    attempt: 2,
    pastAttempts: [past],
    effects: [effect, { ...effect, tool: 'failed_mail', isError: true }],
  });

  it('is told which it is, why, what to do, and the text that was presented', () => {
    const text = write(state());
    expect(text).toContain('This is attempt 2 of 3.');
    expect(text).toContain('Tests are missing.');
    expect(text).toContain('Write tests first.');
    expect(text).toContain('<<<presented before>>>\nWhat was presented.');
    expect(order(text, '<<<task>>>', 'This is attempt')).toEqual(['This is attempt', '<<<task>>>']);
  });

  it('is told what was already done and must not be repeated', () => {
    const text = write(state());
    expect(text).toContain('- send_mail {"to":"a@example.com"}');
    expect(text).not.toContain('failed_mail');
    expect(write({ ...state(), effects: [] })).not.toContain('already performed');
  });

  it('says nothing of the kind in the first attempt', () => {
    expect(write(team())).not.toContain('attempt');
  });
});

describe('a presentation', () => {
  const answers = [1, 2].map((slot) => ({
    revision: answerOf(slot, `Text ${slot}.`),
    text: `Text ${slot}.`,
    folder: `/p/agent${slot}`,
  }));
  const chosen = (settings: Partial<CoordinationSettings> = {}): RunState => {
    const state = team(settings);
    return {
      ...state,
      selection: {
        winner: { slot: 1, label: 'agent1.1' },
        agreement: emptyAgreement,
      },
    };
  };
  const present = (state: RunState, opening: Partial<TurnOpening> = {}): string =>
    write(state, { purpose: 'present' }, { answers, ...opening });

  it('marks the selected answer and asks for a text that stands on its own', () => {
    const text = present(chosen());
    const parts = ['The selected answer:', 'Text 1.', 'The other answers', 'Text 2.'];
    expect(order(text, ...parts)).toEqual(parts);
    expect(text).toContain('complete, in Markdown, without mention of agents');
    expect(text).not.toContain('`vote`');
  });

  it('takes all answers as equal sources where one text is made of them', () => {
    const text = present(chosen({ finalAnswerStrategy: 'synthesize' }));
    expect(text).toContain('Weigh them as equal sources');
    expect(text).toContain('The user is given the files of answer agent1.1');
    expect(text).not.toContain('The selected answer:');
    expect(text).toContain('Text 1.');
    expect(text).toContain('Text 2.');
  });

  it('puts parts together, and knows which could not be finished', () => {
    const state = withAgent(chosen({ mode: 'decomposition' }), 3, {
      stop: { status: 'blocked', summary: 'No access.' },
    });
    const text = present(state);
    expect(text).toContain('You put the parts together');
    expect(text).toContain('- agent3: No access.');
    expect(present(chosen({ mode: 'decomposition' }))).not.toContain('could not be finished');
  });

  it('carries out what was planned where there are tools for it', () => {
    const mail = toolOf('send_mail', 'network', async () => ({ text: '', isError: false }));
    expect(present(chosen(), { tools: [mail] })).toContain(
      'Actions that the selected answer plans with send_mail are carried out now: each once',
    );
    expect(present(chosen())).not.toContain('carried out now');
  });

  it('P15: has the task alone where nothing came before', () => {
    const text = present(team(), { answers: [] });
    expect(text).toContain('Do the task now, alone.');
    expect(text).not.toContain('chosen');
  });
});

describe('an evaluation', () => {
  it('shows the presented text and what can be decided', () => {
    const finalAnswer = {
      slot: 1,
      label: 'agent1.1',
      text: 'The result.',
      source: 'presented',
    } as const;
    const state = { ...team({ maxRestarts: 1 }), finalAnswer };
    const text = write(state, { purpose: 'evaluate' });
    expect(text).toContain('<<<final text>>>\nThe result.');
    expect(text).toContain('attempt 1 of 2');
    expect(text).toContain('`submit` with confirmed: true');
    expect(text).toContain('`restart_orchestration`');
    expect(text).not.toContain('`vote`');
  });
});
