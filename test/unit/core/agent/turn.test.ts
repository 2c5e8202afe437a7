import { describe, expect, it } from 'vitest';
import { ApprovalDesk } from '../../../../src/core/agent/approval';
import { createModelAgentRuntime } from '../../../../src/core/agent/model-agent-runtime';
import { liveSteps, type RecordedOpening } from '../../../../src/core/agent/steps';
import type { Directive, Toolset, TurnReport } from '../../../../src/core/coordination/inputs';
import type { TurnInput } from '../../../../src/core/ports/agent-runtime';
import type { ChatMessage } from '../../../../src/core/ports/model-backend';
import type { Tool, ToolSource } from '../../../../src/core/ports/tool';
import type { ObservedEvent } from '../../../../src/run/events';
import type { RunState } from '../../../../src/run/state';
import { FakeClock } from '../../../support/fake-clock';
import { InMemoryWorkspaces } from '../../../support/in-memory-workspace';
import { MemoryPayloads } from '../../../support/memory-payloads';
import { look, put, shell, toolOf } from '../../../support/plain-tools';
import { askEveryTime, silent } from '../../../support/run-harness';
import { ScriptedBackend, type ScriptedResponse, say } from '../../../support/scripted-backend';
import { answerOf, startedState, turnInput, withAgent } from '../../../support/turn-input';

const never = new AbortController().signal;
const toolset: Toolset = {
  hasNewAnswer: true,
  hasVote: true,
  hasOrdinaryTools: true,
  targets: ['agent2.1'],
};
const goOn: Directive = { kind: 'continue', replies: [], notice: '', update: [], toolset };
const end: Directive = { kind: 'end' };

const mail = (sent: unknown[]): Tool =>
  toolOf('send_mail', 'network', async (input) => {
    sent.push(input);
    return { text: 'Sent.', isError: false };
  });

/** One tool whose words tell its version. */
const changing = (form: { version: number }) => ({
  tools: async (): Promise<[Tool]> => {
    const { version } = form;
    const run = async () => ({ text: `Version ${version} ran.`, isError: false });
    return [{ ...toolOf('weather', 'network', run), description: `Weather, version ${version}` }];
  },
  close: async () => undefined,
});

/** Plays one turn against an engine that answers with these directives, in order. */
async function play(
  script: readonly ScriptedResponse[],
  directives: readonly Directive[],
  options: {
    own?: Partial<TurnInput>;
    state?: RunState;
    tools?: readonly Tool[];
    source?: ToolSource;
    recorded?: RecordedOpening;
  } = {},
) {
  const backend = new ScriptedBackend(...script);
  const reports: TurnReport[] = [];
  const events: ObservedEvent[] = [];
  const state = options.state ?? startedState(2);
  const workspaces = new InMemoryWorkspaces({ 'a.txt': 'one\n' });
  const runtime = createModelAgentRuntime({
    ...{ slot: 1, backend, workspace: workspaces.create(1), clock: new FakeClock() },
    ...{ payloads: new MemoryPayloads(), logger: silent },
    steps: { ...liveSteps, openingOf: async () => options.recorded },
    ...(options.source === undefined ? {} : { source: options.source }),
    tools: options.tools ?? [look, put, shell],
    desk: new ApprovalDesk(askEveryTime, silent),
    commandTimeoutMs: 1000,
    systemMessage: undefined,
    redact: (text) => text,
    costOf: () => 0,
  });
  const engine = {
    state: () => state,
    observe: (event: ObservedEvent) => void events.push(event),
    report: async (report: TurnReport) => {
      reports.push(report);
      return directives[reports.length - 1] ?? end;
    },
  };
  await runtime.runTurn(turnInput(state, { toolset, ...options.own }), engine, never);
  const last = backend.requests.at(-1)?.messages ?? [];
  return { reports, events, requests: backend.requests, last };
}

function texts(messages: readonly ChatMessage[]): readonly string[] {
  return messages.map((message) =>
    message.role === 'tool'
      ? message.results.map(({ text }) => text).join('\n')
      : `${message.role}: ${message.text}`,
  );
}

describe('a turn', () => {
  it('M2: answers the call of a closed tool with an error, and reports a round of tools', async () => {
    const sent: unknown[] = [];
    const blocked = { ...toolset, blockedTools: ['send_mail'] };
    const { reports, last, requests } = await play(
      [[{ call: 'send_mail', input: { to: 'a' } }], [say.vote('agent2')]],
      [{ ...goOn, toolset: blocked }],
      { own: { toolset: blocked }, tools: [look, mail(sent)] },
    );
    expect(reports[0]).toEqual({ kind: 'tool-round', call: 1, tools: ['send_mail'] });
    expect(last.at(-1)).toMatchObject({ role: 'tool', results: [{ isError: true }] });
    expect(texts(last).at(-1)).toContain('send_mail is closed until an answer is chosen');
    expect(sent).toEqual([]);
    expect(requests[0]?.tools.map(({ name }) => name)).toContain('send_mail');
  });

  it('M8: hears from the user with the result of the call that was running, once', async () => {
    const { requests } = await play(
      [
        [{ call: 'look', input: { path: 'a.txt' } }],
        [{ call: 'look', input: { path: 'a.txt' } }],
        [say.vote('agent2')],
      ],
      [{ ...goOn, messages: ['Mind the tests.', 'And hurry.'] }, goOn],
    );
    expect(texts(requests[1]?.messages ?? []).slice(-2)).toEqual([
      'one\n',
      'user: Mind the tests.\n\nAnd hurry.',
    ]);
    expect(texts(requests[2]?.messages ?? []).filter((text) => text.includes('Mind'))).toHaveLength(
      1,
    );
  });

  it.each([
    ['with the result of a call that was whole', [{ call: 'look', input: {} }]],
    ['with what the engine says', ['I will now write']],
  ])('is told that its response was cut off, %s', async (_how, response) => {
    const { reports, last } = await play(
      [[...response, { limit: true }], [say.answer('A.')]],
      [{ ...goOn, notice: 'Answer or vote.' }],
    );
    const [note = ''] = texts(last).slice(-1);
    expect(note).toMatch(/^user: Your last response came to the length limit .* smaller steps\./);
    expect(note).toMatch(/\n\nAnswer or vote\.$/);
    expect(reports.map(({ kind }) => kind)).toEqual([
      response.some((step) => typeof step !== 'string') ? 'tool-round' : 'response',
      'response',
    ]);
  });

  it('offers an evaluator reading and its two decisions, and reports what it decides', async () => {
    const input = { reason: 'No tests.', instructions: 'Write them.' };
    const { reports, requests } = await play(
      [
        [{ call: 'look', input: { path: 'a.txt' } }],
        ['Hm.'],
        [
          { call: 'restart_orchestration', input },
          { call: 'submit', input: { confirmed: true } },
        ],
      ],
      [goOn, { ...goOn, notice: 'Decide now.' }],
      { own: { purpose: 'evaluate' }, tools: [look, put, shell, mail([])] },
    );
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual([
      'look',
      'submit',
      'restart_orchestration',
    ]);
    expect(reports[1]).toEqual({ kind: 'evaluated', call: 2, findings: [] });
    expect(texts(requests[2]?.messages ?? []).at(-1)).toBe('user: Decide now.');
    expect(reports[2]).toMatchObject({
      kind: 'evaluated',
      findings: [
        { kind: 'restart', reason: 'No tests.', instructions: 'Write them.' },
        { kind: 'submit', isConfirmed: true },
      ],
    });
  });

  it('tells an evaluator in the result of its call what it can do', async () => {
    const { last } = await play(
      [
        [{ call: 'submit', input: { confirmed: false } }],
        [{ call: 'submit', input: { confirmed: true } }],
      ],
      [goOn],
      { own: { purpose: 'evaluate' } },
    );
    expect(texts(last).at(-1)).toContain('"allowed_now":["submit","restart_orchestration"]');
  });

  it('lets a presenter read files and carry out what cannot be taken back, once', async () => {
    const sent: unknown[] = [];
    const call = { call: 'send_mail', input: { to: 'a' } };
    const { requests, events, reports } = await play([[call, call], ['The text.']], [goOn], {
      own: { purpose: 'present' },
      tools: [look, put, shell, mail(sent)],
    });
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['look', 'send_mail', 'new_answer']);
    expect(sent).toEqual([{ to: 'a' }]);
    const kinds = events.map(({ type }) => type).filter((type) => type.startsWith('effect'));
    expect(kinds).toEqual(['effect-recorded', 'effect-replayed']);
    expect(reports[1]).toEqual({ kind: 'presented', call: 2, text: 'The text.' });
  });

  it('records no effects while nothing is chosen yet', async () => {
    const sent: unknown[] = [];
    const { events } = await play(
      [[{ call: 'send_mail', input: {} }], [say.vote('agent2')]],
      [goOn],
      { tools: [mail(sent)] },
    );
    expect(sent).toHaveLength(1);
    expect(events.map(({ type }) => type)).not.toContain('effect-recorded');
  });

  it('offers the same tools in all its calls, and refuses those that may not be used any more', async () => {
    const before: Toolset = { ...toolset, hasVote: false, mayVoteLater: true, targets: [] };
    const after: Toolset = { ...toolset, hasNewAnswer: false, hasOrdinaryTools: false };
    const { requests, last } = await play(
      [
        [{ call: 'look', input: { path: 'a.txt' } }],
        [{ call: 'look', input: { path: 'a.txt' } }],
        [say.answer('Mine.')],
        [say.vote('agent2')],
      ],
      [goOn, { ...goOn, toolset: after }, { ...goOn, toolset: after }],
      { own: { toolset: before } },
    );
    const names = ['look', 'put', 'shell', 'new_answer', 'vote'];
    expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual(
      requests.map(() => names),
    );
    expect(requests).toHaveLength(4);
    expect(texts(last).at(-1)).toContain('"allowed_now":["vote"],"targets":["agent2.1"]');
  });

  it('has the tools of its source as they were when it began, whatever becomes of them', async () => {
    const form = { version: 1 };
    const { requests } = await play(
      [
        [{ call: 'weather', input: {} }],
        () => {
          form.version = 2;
          return [{ call: 'weather', input: {} }];
        },
        [say.vote('agent2')],
      ],
      [goOn, goOn],
      { tools: [look], source: changing(form) },
    );
    const offered = requests.map(({ tools }) => tools.map(({ description }) => description));
    expect(offered[0]?.slice(0, 2)).toEqual([look.description, 'Weather, version 1']);
    expect(offered).toEqual(requests.map(() => offered[0]));
  });

  it.each([
    [1, 'Version 1 ran.'],
    [2, 'weather is not the tool any more that it was when this turn began'],
  ])(
    'that was cut off calls a tool of its source only as it was: version %i',
    async (version, told) => {
      const [{ name, description, inputSchema, access, effect }] = await changing({
        version: 1,
      }).tools();
      const { last } = await play(
        [[{ call: 'weather', input: {} }], [say.vote('agent2')]],
        [goOn],
        {
          source: changing({ version }),
          recorded: { message: 'Go.', tools: [{ name, description, inputSchema, access, effect }] },
        },
      );
      expect(texts(last).at(-1)).toContain(told);
    },
  );

  it('tells an agent whose time is over why a tool is refused', async () => {
    const over: Directive = { ...goOn, toolset: { ...toolset, hasOrdinaryTools: false } };
    const round = [{ call: 'look', input: { path: 'a.txt' } }];
    const { last } = await play([round, round, [say.vote('agent2')]], [over, over]);
    expect(texts(last).at(-1)).toBe(
      'look cannot be used any more: this turn has had its time. Finish with what you have.',
    );
  });

  it('reports a stop with its summary', async () => {
    const input = { summary: 'All done.', status: 'complete' };
    const divided: Toolset = { ...toolset, hasVote: false, hasStop: true };
    const { reports } = await play([[{ call: 'stop', input }]], [], {
      own: { toolset: divided },
    });
    expect(reports[0]).toMatchObject({
      kind: 'response',
      actions: [{ kind: 'stop', summary: 'All done.', status: 'complete' }],
    });
  });
});

describe('news in a turn', () => {
  const answered = (text: string, settings = {}): RunState =>
    withAgent(startedState(3, { settings }), 2, { revisions: [answerOf(2, text)] });
  const news: Directive = { ...goOn, update: ['agent2.1'] };
  const script = [[{ call: 'look', input: { path: 'a.txt' } }], [say.vote('agent2')]];

  it('come whole where there is room', async () => {
    const { last } = await play(script, [news], { state: answered('Long. '.repeat(300)) });
    expect(texts(last).at(-1)).toContain('Long. '.repeat(300));
  });

  it('share the budget of the turn, and say where the whole text is', async () => {
    const state = answered('Long. '.repeat(3_000), { answersBudgetTokens: 1_000 });
    const { last } = await play(script, [news], { state });
    const text = texts(last).at(-1) ?? '';
    expect(text.length).toBeLessThan(5_000);
    expect(text).toMatch(/The whole text is in \/run\/\S+\/agent2\/ANSWER\.md/);
  });

  it('end with what can be done', async () => {
    const { last } = await play(script, [news], { state: answered('B.') });
    expect(texts(last).at(-1)).toContain(
      'You may now go on with your work, or submit your own answer with `new_answer`, or vote for the best answer with `vote` (agent2).',
    );
  });
});
