import { describe, expect, it } from 'vitest';
import { MassGenError } from '../../../../src/core/errors';
import { look, put } from '../../../support/plain-tools';
import { gate, type HarnessOptions, RunHarness, settle } from '../../../support/run-harness';
import { say, type ScriptedResponse } from '../../../support/scripted-backend';

const submit: ScriptedResponse = [{ call: 'submit', input: { confirmed: true } }];
const restart: ScriptedResponse = [
  {
    call: 'restart_orchestration',
    input: { reason: 'The greeting is gone.', instructions: 'Keep the greeting.' },
  },
];

const write = (text: string): ScriptedResponse => [{ call: 'put', input: { path: 'a.txt', text } }];

function alone(
  script: readonly ScriptedResponse[],
  settings: NonNullable<HarnessOptions['settings']> = {},
): RunHarness {
  return new RunHarness([script], {
    settings: { maxRestarts: 1, ...settings },
    tools: [look, put],
  });
}

describe('work that is looked at before it is accepted', () => {
  it('P4: is begun anew, and nothing of the first attempt is offered to the user', async () => {
    const harness = alone([
      write('gone'),
      [say.answer('I removed it.')],
      restart,
      write('hello'),
      [say.answer('I kept it.')],
    ]);
    const state = await harness.play();
    expect(state).toMatchObject({ attempt: 2, outcome: 'completed' });
    const changeSets = harness.events.flatMap(({ event }) =>
      event.type === 'change-set-ready' ? [event] : [],
    );
    expect(changeSets).toHaveLength(1);
    expect(changeSets[0]?.snapshotId).toBe(state.agents[0]?.revisions[0]?.snapshotId);
    const started = harness.events.findIndex(
      ({ event }) => event.type === 'orchestration-restarted',
    );
    const offered = harness.events.findIndex(({ event }) => event.type === 'change-set-ready');
    expect(offered).toBeGreaterThan(started);
    expect(harness.types.filter((type) => type === 'evaluation-started')).toHaveLength(1);
    const again = JSON.stringify(harness.backends[0]?.requests[3]?.messages);
    for (const told of ['The greeting is gone.', 'Keep the greeting.', 'I removed it.']) {
      expect(again).toContain(told);
    }
  });

  it('is offered to the user when it is accepted, before the run ends', async () => {
    const harness = alone([write('hello'), [say.answer('Done.')], submit]);
    await harness.play();
    expect(harness.types.slice(-3)).toEqual(['evaluation-ended', 'change-set-ready', 'run-ended']);
  });

  it('is not offered when the user stops the run during the check', async () => {
    const { opened, open } = gate();
    const harness = alone([write('hello'), [say.answer('Done.')], [{ until: opened }]]);
    const ended = harness.play();
    await settle();
    expect(harness.record.state.evaluation).not.toBeNull();
    harness.driver.cancel();
    const state = await ended;
    open();
    expect(state).toMatchObject({ outcome: 'cancelled', review: null });
  });

  it('P7: is accepted when the evaluator hangs', async () => {
    const { opened, open } = gate();
    const harness = alone([[say.answer('Done.')], [{ until: opened }]], {
      postEvaluationTimeoutMs: 5000,
    });
    const ended = harness.play();
    await settle();
    harness.clock.advance(5000);
    const state = await ended;
    open();
    expect(state).toMatchObject({
      outcome: 'completed',
      evaluation: { result: { decision: 'submit', by: 'timeout' } },
    });
    expect(harness.clock.pending).toBe(0);
  });
});

const three = (
  presenting: readonly ScriptedResponse[],
  settings: NonNullable<HarnessOptions['settings']> = {},
) =>
  new RunHarness(
    [
      [[say.answer('First draft.')], [say.vote('agent2', 'It is short.')]],
      [write('hello'), [say.answer('Second draft.')], [say.vote('agent2', 'Mine.')], ...presenting],
      [[say.answer('Third draft.')], [say.vote('agent2', 'It is clear.')]],
    ],
    { tools: [look, put], settings: { selfVote: 'allow', stop: 'full', ...settings } },
  );

describe('a presentation', () => {
  it('P1: leaves the files of the user alone, and writes are refused to the presenter', async () => {
    const harness = three([write('other'), ['The final text.']]);
    const state = await harness.play();
    expect(state.finalAnswer).toMatchObject({ text: 'The final text.', source: 'presented' });
    expect(harness.workspaces.base.get('a.txt')).toBe('one\n');
    const refused = harness.events.flatMap(({ event }) =>
      event.type === 'tool-call-ended' && event.isError ? [event.tool] : [],
    );
    expect(refused).toEqual(['put']);
    expect(state.review?.label).toBe('agent2.1');
  });

  const failure = { fail: new MassGenError('backend/auth', 'The key was refused.') };

  it.each([
    ['P2', 'fails before it is finished', ['The final', failure]],
    ['P10', 'writes nothing', ['   ']],
  ] as const)(
    '%s: falls back to the voted answer, with a warning, when it %s',
    async (_id, _what, last) => {
      const harness = three([last]);
      const state = await harness.play();
      expect(state).toMatchObject({
        outcome: 'completed',
        finalAnswer: { text: 'Second draft.', source: 'reused' },
      });
      expect(harness.types).toContain('warning-raised');
      expect(harness.workspaces.base.get('a.txt')).toBe('one\n');
    },
  );

  it('P9: is made from the files and the text of the winner when that has failed', async () => {
    const { opened, open } = gate();
    const harness = new RunHarness(
      [
        [
          [say.answer('First draft.')],
          [{ until: opened }, say.vote('agent2')],
          [{ call: 'look', input: { path: 'a.txt' } }],
          ['The final text.'],
        ],
        [write('hello'), [say.answer('Second draft.')], [failure]],
      ],
      { tools: [look, put], settings: { maxFailedTurns: 1, stop: 'full' } },
    );
    const ended = harness.play();
    await settle();
    open();
    const state = await ended;
    expect(state.agents[1]?.status).toBe('failed');
    expect(state.finalAnswer).toMatchObject({
      ...{ slot: 1, label: 'agent2.1', text: 'The final text.', source: 'presented' },
    });
    const asked = harness.backends[0]?.requests.at(-1)?.messages ?? [];
    expect(JSON.stringify(asked[0])).toMatch(/The selected answer:.*Second draft\./);
    expect(JSON.stringify(asked[2])).toContain('"text":"hello"');
  });

  it('P9: is left out when no agent is left that could make it', async () => {
    const harness = new RunHarness([[[say.answer('Only draft.')], [failure]], [[failure]]], {
      settings: { maxFailedTurns: 1, deferVotingUntilAllAnswered: false, waitForFirstRival: false },
    });
    const state = await harness.play();
    expect(state.agents.map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(state).toMatchObject({
      outcome: 'completed',
      finalAnswer: { label: 'agent1.1', text: 'Only draft.', source: 'reused' },
      selection: { agreement: { decidedBy: 'degraded' } },
    });
    expect(harness.types).not.toContain('final-presentation-started');
  });

  it('P12: costs no call when the voted text is shown as it is', async () => {
    const harness = three([], { finalAnswerStrategy: 'winner_reuse' });
    const state = await harness.play();
    expect(state.finalAnswer?.source).toBe('reused');
    expect(harness.types.slice(harness.types.indexOf('final-agent-selected'))).not.toContain(
      'model-call-started',
    );
  });

  it('P13: tells the presenter of valid votes only, and why they were cast', async () => {
    const harness = new RunHarness(
      [
        [
          [say.answer('First.')],
          [say.vote('agent2', 'It is short.')],
          [say.vote('agent2', 'Good.')],
        ],
        [
          [say.answer('Second.')],
          [say.vote('agent2', 'Mine.')],
          [say.vote('agent2', 'Still mine.')],
          ['The final text.'],
        ],
        [
          [say.answer('Third.')],
          [say.answer('Third, better.')],
          [say.vote('agent3', 'My own, which nobody needs to know.')],
        ],
      ],
      { settings: { selfVote: 'allow', stop: 'full', voteInvalidation: 'all' } },
    );
    const state = await harness.play();
    expect(state.finalAnswer?.source).toBe('presented');
    const told = JSON.stringify(harness.backends[1]?.requests.at(-1)?.messages);
    expect(told).toContain('2 of 3 votes');
    expect(told).toContain('Good.');
    expect(told).toContain('Still mine.');
    expect(told).not.toContain('It is short.');
    expect(told).not.toContain('My own, which nobody needs to know.');
  });
});

describe('words of the user while agents work', () => {
  it('M8: come with the next tool result, once, and to the named agent alone', async () => {
    const { opened, open } = gate();
    const harness = new RunHarness(
      [
        [[{ until: opened }, { call: 'look', input: { path: 'a.txt' } }], [say.answer('One.')]],
        [[{ until: opened }, { call: 'look', input: { path: 'a.txt' } }], [say.answer('Two.')]],
      ],
      { tools: [look], settings: { skipVoting: true, finalAnswerStrategy: 'winner_reuse' } },
    );
    const ended = harness.play();
    await settle();
    harness.driver.command({ kind: 'steer', id: 'm1', text: 'Use tabs, please.', targets: [2] });
    await settle();
    open();
    await ended;
    const told = harness.backends.map((backend) =>
      backend.requests.map(({ messages }) => JSON.stringify(messages).split('Use tabs, please.')),
    );
    expect(told[0]?.map((parts) => parts.length - 1)).toEqual([0, 0]);
    expect(told[1]?.map((parts) => parts.length - 1)).toEqual([0, 1]);
  });

  it('M11: ask an agent to finish, which then has a while, and at last is refused all tools', async () => {
    const offered: number[] = [];
    const harness = new RunHarness(
      [
        [
          [{ call: 'look', input: { path: 'a.txt' } }],
          (request) => {
            harness.clock.advance(2000);
            offered.push(request.tools.length);
            return [{ call: 'look', input: { path: 'a.txt' } }];
          },
          (request) => {
            offered.push(request.tools.length);
            return [{ call: 'look', input: { path: 'a.txt' } }];
          },
          (request) => {
            offered.push(request.tools.length);
            return [say.answer('What I have.')];
          },
        ],
      ],
      { tools: [look], settings: { turnGraceMs: 1000 } },
    );
    const ended = harness.play();
    harness.driver.command({ kind: 'answer-now', slot: 1 });
    const state = await ended;
    expect(state.finalAnswer?.text).toBe('What I have.');
    expect(harness.types.filter((type) => type === 'wrap-up-delivered')).toHaveLength(1);
    expect(offered).toEqual([2, 2, 2]);
    const [told, , refused] = (harness.backends[0]?.requests ?? [])
      .slice(1)
      .map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(told).toContain('time to finish');
    expect(refused).toContain('look cannot be used any more');
  });
});

describe('a run without coordination', () => {
  it('P15: gives the presenter the task alone', async () => {
    const harness = new RunHarness([[['It is done.']], []], {
      settings: { skipCoordination: true },
    });
    const state = await harness.play();
    expect(state).toMatchObject({ outcome: 'completed', finalAnswer: { text: 'It is done.' } });
    const asked = JSON.stringify(harness.backends[0]?.requests[0]?.messages);
    expect(asked).toContain('Fix the greeting.');
    expect(asked).toContain('Do the task now, alone.');
    expect(harness.backends[1]?.requests).toEqual([]);
  });
});
