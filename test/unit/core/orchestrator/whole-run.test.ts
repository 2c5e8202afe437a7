import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../../../src/run/events';
import { apply } from '../../../../src/run/reducer';
import type { RunState } from '../../../../src/run/state';
import { look, put } from '../../../support/plain-tools';
import { gate, RunHarness, settle } from '../../../support/run-harness';
import { say } from '../../../support/scripted-backend';

const ownVotesCount = { settings: { selfVote: 'allow', stop: 'full' } } as const;

const threeAgents = () =>
  new RunHarness(
    [
      [[say.answer('First draft.')], [say.vote('agent2')]],
      [[say.answer('Second draft.')], [say.vote('agent2')], ['The final text.']],
      [[say.answer('Third draft.')], [say.vote('agent1')]],
    ],
    ownVotesCount,
  );

const replay = (events: readonly RecordedEvent[]): RunState | undefined => {
  let state: RunState | undefined;
  for (const event of events) {
    state = apply(state, event);
  }
  return state;
};

describe('a whole run', () => {
  it('collects drafts, votes, lets the winner present, and ends', async () => {
    const harness = threeAgents();
    const state = await harness.play();
    expect(state.outcome).toBe('completed');
    expect(state.selection?.winner).toEqual({ slot: 2, label: 'agent2.1' });
    expect(state.finalAnswer).toEqual({
      slot: 2,
      label: 'agent2.1',
      text: 'The final text.',
      source: 'presented',
    });
  });

  it('needs one call per draft, one per vote and one to present', async () => {
    const harness = threeAgents();
    await harness.play();
    expect(harness.backends.map((backend) => backend.requests.length)).toEqual([2, 3, 2]);
  });

  it('numbers its events without a gap, and the log alone gives the same state', async () => {
    const harness = threeAgents();
    const heard: RecordedEvent[] = [];
    harness.record.onEvents((events) => heard.push(...events));
    const state = await harness.play();
    expect(harness.events.map(({ seq }) => seq)).toEqual(harness.events.map((_event, i) => i));
    expect(heard).toEqual(harness.events);
    expect(replay(harness.events)).toEqual(state);
  });

  it('leaves no timer, no stream and no open workspace behind', async () => {
    const harness = threeAgents();
    await harness.play();
    expect(harness.clock.pending).toBe(0);
    expect(harness.backends.map(({ open, isClosed }) => [open, isClosed])).toEqual([
      [0, true],
      [0, true],
      [0, true],
    ]);
    expect([...harness.workspaces.agents.values()].every(({ isClosed }) => isClosed)).toBe(true);
  });

  it('is the same, event by event, when it is played again', async () => {
    const [first, second] = [threeAgents(), threeAgents()];
    await first.play();
    await second.play();
    expect(second.events).toEqual(first.events);
  });

  it('plays one agent alone without a vote', async () => {
    const harness = new RunHarness([[[say.answer('Done.')]]]);
    const state = await harness.play();
    expect(state.selection?.agreement.decidedBy).toBe('single');
    expect(state.finalAnswer?.text).toBe('Done.');
    expect(harness.types).not.toContain('vote-cast');
  });

  it('writes the changes of the chosen answer before the run ends', async () => {
    const edit = { call: 'put', input: { path: 'a.txt', text: 'two\n' } };
    const harness = new RunHarness(
      [
        [[edit], [say.answer('Changed.')], [say.vote('agent1')], ['Final.']],
        [[say.answer('Nothing.')], [say.vote('agent1')]],
      ],
      { tools: [put] },
    );
    const state = await harness.play();
    const { types } = harness;
    expect(state.review?.label).toBe('agent1.1');
    expect(state.review?.files.map(({ path, decision }) => [path, decision])).toEqual([
      ['a.txt', 'pending'],
    ]);
    expect(types.indexOf('change-set-ready')).toBe(types.indexOf('final-agent-selected') + 1);
  });

  it('offers no review when the chosen answer changed no file', async () => {
    const harness = threeAgents();
    expect((await harness.play()).review).toBeNull();
  });

  it('gives the presenter the files that were voted for and only tools that read', async () => {
    const edit = (text: string) => ({ call: 'put', input: { path: 'a.txt', text } });
    const harness = new RunHarness(
      [
        [
          [edit('voted\n')],
          [say.answer('Changed.')],
          [edit('played with later\n')],
          [say.vote('agent1')],
          [{ call: 'look', input: { path: 'a.txt' } }, edit('smuggled\n')],
          ['Final.'],
        ],
        [[say.answer('Other.')], [say.vote('agent1')]],
      ],
      { tools: [look, put] },
    );
    const state = await harness.play();
    const last = harness.backends[0]?.requests.at(-1);
    const results = last?.messages.flatMap((message) =>
      message.role === 'tool' ? message.results.map(({ text, isError }) => [text, isError]) : [],
    );
    expect(results?.[0]).toEqual(['voted\n', false]);
    expect(results?.[1]?.[1]).toBe(true);
    expect(last?.tools.map(({ name }) => name)).toEqual(['look', 'new_answer']);
    expect(state.finalAnswer?.text).toBe('Final.');
    expect(harness.workspaces.agents.get(1)?.files.get('a.txt')).toBe('voted\n');
  });

  it('prefers the text that the presenter hands in over what it says beside it', async () => {
    const harness = new RunHarness([
      [[say.answer('A.')], [say.vote('agent1')], ['Here it comes:', say.answer('Handed in.')]],
      [[say.answer('B.')], [say.vote('agent1')]],
    ]);
    expect((await harness.play()).finalAnswer?.text).toBe('Handed in.');
  });

  it('shows the chosen answer as it is when the presenter says nothing', async () => {
    const harness = new RunHarness([
      [[say.answer('A.')], [say.vote('agent1')], []],
      [[say.answer('B.')], [say.vote('agent1')]],
    ]);
    const { finalAnswer } = await harness.play();
    expect(finalAnswer).toMatchObject({ text: 'A.', source: 'reused' });
  });

  it('tells the presenter valid votes and their reasons, but not who voted', async () => {
    const harness = new RunHarness(
      [
        [[say.answer('A.')], [say.vote('agent1', 'It is shorter.')], ['Final.']],
        [[say.answer('B.')], [say.vote('agent1', 'It is complete.')]],
        [[say.answer('C.')], [say.vote('agent3', 'Mine is better.')]],
      ],
      ownVotesCount,
    );
    await harness.play();
    const message = harness.backends[0]?.requests.at(-1)?.messages[0];
    const text = message?.role === 'user' ? message.text : '';
    expect(text).toContain('2 of 3 votes are for agent1.1.');
    expect(text).toContain('- It is shorter.\n- It is complete.');
    expect(text).not.toContain('Mine is better.');
  });

  it('delivers a new answer into a running turn at its next tool call', async () => {
    const { opened, open } = gate();
    const harness = new RunHarness(
      [
        [
          [say.answer('A1.')],
          [{ until: opened }, say.answer('A2, better.')],
          [say.vote('agent1')],
          ['Final.'],
        ],
        [
          [say.answer('B1.')],
          () => {
            open();
            return [{ call: 'wait', input: {} }];
          },
          [say.vote('agent1')],
        ],
      ],
      {
        tools: [
          {
            ...look,
            name: 'wait',
            run: async () => {
              await settle();
              return { text: 'ok', isError: false };
            },
          },
        ],
      },
    );
    const state = await harness.play();
    const update = harness.events.find(({ event }) => event.type === 'update-delivered')?.event;
    expect(update).toMatchObject({ slot: 2, labels: ['agent1.2'], at: 'tool-result' });
    const news = harness.backends[1]?.requests.at(-1)?.messages.at(-1);
    expect(news?.role).toBe('user');
    expect(news?.role === 'user' ? news.text : '').toContain(
      'Answer agent1.2. It replaces agent1.1, which you saw before. Its files: /run/',
    );
    expect(state.selection?.winner?.label).toBe('agent1.2');
  });

  it('answers a vote on outdated answers with the news, in the same turn', async () => {
    const { opened, open } = gate();
    const harness = new RunHarness([
      [[say.answer('A1.')], [say.answer('A2.')], [say.vote('agent1')], ['Final.']],
      [[say.answer('B1.')], [{ until: opened }, say.vote('agent1')], [say.vote('agent1')]],
    ]);
    const ended = harness.play();
    await settle();
    open();
    const state = await ended;
    expect(harness.types).toContain('vote-ignored');
    const messages = harness.backends[1]?.requests.at(-1)?.messages ?? [];
    const reply = messages.find(({ role }) => role === 'tool');
    expect(reply?.role === 'tool' ? JSON.parse(reply.results[0]?.text ?? '') : {}).toMatchObject({
      status: 'stale',
      allowed_now: expect.arrayContaining(['vote']) as unknown,
    });
    expect(state.agents[1]?.ballot?.target).toBe('agent1.2');
  });

  it('starts the next turn of an agent only when the one before has come to its end', async () => {
    const { opened, open } = gate();
    let running = 0;
    let most = 0;
    const slow = {
      ...look,
      name: 'slow',
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
        return { text: 'ok', isError: false };
      },
    };
    const harness = new RunHarness(
      [
        [[say.answer('A1.')], [{ until: opened }, say.answer('A2.')], [say.vote('agent1')], ['F.']],
        [
          [say.answer('B1.')],
          () => {
            open();
            return [{ call: 'slow', input: {} }];
          },
          [{ call: 'slow', input: {} }],
          [say.vote('agent1')],
        ],
      ],
      { tools: [slow], settings: { updateDelivery: 'restart' } },
    );
    const state = await harness.play();
    expect(most).toBe(1);
    expect(state.outcome).toBe('completed');
    expect(harness.events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'agent-turn-ended', slot: 2, outcome: 'restarted' }),
    );
  });

  it('makes no further model call at its cap and decides with what there is', async () => {
    const harness = new RunHarness(
      [
        [[say.answer('A.')], [say.vote('agent1')]],
        [[say.answer('B.')], [say.vote('agent1')]],
      ],
      { caps: { modelCalls: 2 } },
    );
    const state = await harness.play();
    expect(state.capReached).toBe('model-calls');
    expect(harness.backends.flatMap(({ requests }) => requests)).toHaveLength(2);
    expect(state.finalAnswer).not.toBeNull();
  });

  it('ends at its time limit', async () => {
    const never = gate();
    const harness = new RunHarness(
      [
        [[say.answer('A.')], [{ until: never.opened }]],
        [[say.answer('B.')], [{ until: never.opened }]],
      ],
      { caps: { durationMs: 60_000 } },
    );
    const ended = harness.play();
    await settle();
    harness.clock.advance(60_000);
    const state = await ended;
    expect(state.capReached).toBe('duration');
    expect(state.finalAnswer?.text).toMatch(/^[AB]\.$/);
  });
});
