import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Toolset } from '../../../../src/core/coordination/inputs';
import { toolsetFor } from '../../../../src/core/coordination/toolset';
import type { ChatMessage, ModelRequest } from '../../../../src/core/ports/model-backend';
import { look, put } from '../../../support/plain-tools';
import { playRandom, type RandomRun, randomRun } from '../../../support/random-runs';
import { gate, RunHarness } from '../../../support/run-harness';
import { say, type ScriptedResponse } from '../../../support/scripted-backend';
import { unchangedPrefix, unchangedShare } from '../../../support/unchanged-prefix';

const call = (name: string, input: unknown) => ({ call: name, input });

/** Eight rounds of tools and a draft, six rounds and a vote: what an agent does with a small task. */
function work(slot: number, vote: string): readonly ScriptedResponse[] {
  const round = (n: number): ScriptedResponse => [
    `Now step ${n}. `,
    n % 3 === 2
      ? call('put', { path: `s${slot}-${n}.txt`, text: 'line\n'.repeat(20) })
      : call('look', { path: 'a.txt' }),
  ];
  const rounds = (count: number): ScriptedResponse[] =>
    Array.from({ length: count }, (_unused, n) => round(n));
  return [
    ...rounds(8),
    [say.answer(`Draft of ${slot}. ${'It changes the greeting and tests it. '.repeat(30)}`)],
    ...rounds(6),
    [say.vote(vote)],
    ['The final text.'],
  ];
}

async function play(): Promise<readonly (readonly ModelRequest[])[]> {
  const harness = new RunHarness([work(1, 'agent2'), work(2, 'agent3'), work(3, 'agent2')], {
    tools: [look, put],
    task: 'Make the greeting polite, in every language of the project, and test it.',
    base: { 'a.txt': 'a line of some length, as sources have it\n'.repeat(30) },
    userFiles: {
      read: async (_root, path) => {
        const head = new TextEncoder().encode('Use spaces.\n'.repeat(20));
        return path === 'AGENTS.md' ? { head, sizeBytes: head.length } : undefined;
      },
    },
  });
  const state = await harness.play();
  expect(state.outcome).toBe('completed');
  return harness.backends.map(({ requests }) => requests);
}

const response: fc.Arbitrary<ScriptedResponse> = fc.oneof(
  { weight: 6, arbitrary: fc.constant([call('look', { path: 'a.txt' })]) },
  { weight: 3, arbitrary: fc.uuid().map((text) => [say.answer(text)]) },
  { weight: 2, arbitrary: fc.constantFrom(1, 2, 3).map((slot) => [say.vote(`agent${slot}`)]) },
  { weight: 1, arbitrary: fc.constant(['Only text.']) },
);

const patient = { turnTimeoutMs: null, waitForFirstRival: false, maxNewAnswersPerAgent: null };

/** Long turns in which the rules change: others answer, answers run out, time is up. */
const longRun: fc.Arbitrary<RandomRun> = fc
  .record({
    run: randomRun,
    scripts: fc.array(fc.array(response, { minLength: 10, maxLength: 14 }), {
      ...{ minLength: 3, maxLength: 3 },
    }),
    selfVote: fc.constantFrom('allow', 'forbid'),
    deferVotingUntilAllAnswered: fc.boolean(),
    firstAnswerProtection: fc.boolean(),
    updateDelivery: fc.constantFrom('inject', 'inject', 'off'),
    maxNewAnswersGlobal: fc.constantFrom(null, 2),
    turnGraceMs: fc.constantFrom(1, 10_000),
  })
  .map(({ run, scripts, ...rules }) => {
    const settings = { ...run.options.settings, ...rules, ...patient };
    return { ...run, scripts, options: { ...run.options, settings, caps: {} } };
  });

/** Each request with the one before it in the same turn. */
function neighbors(
  requests: readonly ModelRequest[],
): readonly (readonly [ModelRequest, ModelRequest])[] {
  return requests.flatMap((request, i) => {
    const before = requests[i - 1];
    const isSameTurn =
      before?.step.turnNo === request.step.turnNo && before.step.attempt === request.step.attempt;
    return isSameTurn ? [[before, request] as const] : [];
  });
}

function hasVoted(messages: readonly ChatMessage[]): boolean {
  return messages.some(
    (message) =>
      message.role === 'assistant' && message.toolCalls.some(({ name }) => name === 'vote'),
  );
}

describe('what a service can reuse', () => {
  it('is at least 80 % of the input from the second call of an agent on', async () => {
    for (const requests of await play()) {
      expect(requests.length).toBeGreaterThanOrEqual(16);
      expect(unchangedShare(requests)).toBeGreaterThan(0.8);
    }
  });

  it('is everything that was said before, within a turn', async () => {
    for (const requests of await play()) {
      for (const [before, request] of neighbors(requests)) {
        const { unchanged } = unchangedPrefix(before, request);
        expect(unchanged).toBe(unchangedPrefix(before, before).total);
      }
    }
  });

  it('is all of it whatever comes up: news, votes, limits, errors, words of the user', async () => {
    await fc.assert(
      fc.asyncProperty(longRun, async (random) => {
        const { backends } = await playRandom(random);
        for (const [before, request] of backends.flatMap(({ requests }) => neighbors(requests))) {
          expect(request.tools).toEqual(before.tools);
          const { unchanged } = unchangedPrefix(before, request);
          expect(unchanged).toBe(unchangedPrefix(before, before).total);
        }
      }),
      { numRuns: 25, seed: 11 },
    );
  });

  it('has what an agent may do by then, in every call', async () => {
    await fc.assert(
      fc.asyncProperty(longRun, async (random) => {
        const allowed = new Map<string, Toolset>();
        const { backends } = await playRandom(random, ({ record }) =>
          record.onEvents((events, state) => {
            for (const event of events) {
              if (event.event.type === 'model-call-started') {
                const { slot, turnNo, call: no } = event.event;
                allowed.set(`${slot}/${turnNo}/${no}`, toolsetFor(state, slot));
              }
            }
          }),
        );
        for (const { step, tools, messages } of backends.flatMap(({ requests }) => requests)) {
          const toolset = allowed.get(`${step.slot}/${step.turnNo}/${step.call}`);
          const names = tools.map(({ name }) => name);
          // Who votes without having been offered it knows the tool all the same.
          if (toolset?.hasVote === true && !hasVoted(messages)) {
            expect(names).toContain('vote');
          }
          if (toolset?.hasNewAnswer === true) {
            expect(names).toContain('new_answer');
          }
        }
      }),
      { numRuns: 25, seed: 11 },
    );
  });

  it('has a vote that cannot be cast before there is something to vote for', async () => {
    const answered = gate();
    const tooEarly = gate();
    const read = call('look', { path: 'a.txt' });
    const harness = new RunHarness(
      [
        [
          [say.answer('A.')],
          [say.vote('agent2')],
          [{ until: answered.opened }, read],
          [say.vote('agent2')],
          ['The end.'],
        ],
        [[{ until: tooEarly.opened }, say.answer('B.')], [say.vote('agent1')], ['The end.']],
      ],
      {
        tools: [look],
        settings: {
          ...{ deferVotingUntilAllAnswered: false, waitForFirstRival: false, selfVote: 'forbid' },
        },
      },
    );
    harness.record.onEvents((events) => {
      for (const { event } of events) {
        if (event.type === 'protocol-error') tooEarly.open();
        if (event.type === 'answer-submitted' && event.slot === 2) answered.open();
      }
    });
    const state = await harness.play();
    const [requests = []] = harness.backends.map((backend) => backend.requests);
    const inTurn = requests.filter(({ step }) => step.turnNo === 2);
    expect(inTurn).toHaveLength(3);
    expect(inTurn.map(({ tools }) => tools.map(({ name }) => name))).toEqual(
      inTurn.map(() => ['look', 'new_answer', 'vote']),
    );
    const said = inTurn.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(said[0]).toContain('until then `vote` is refused');
    expect(said[1]).toContain('This is not an answer you can vote for.');
    expect(said[2]).toContain('vote for the best answer with `vote` (agent2)');
    expect(state.agents[0]?.ballots[0]?.target).toBe('agent2.1');
  });

  it('is the system message and the task between turns, once the tools are the same', async () => {
    const [requests = []] = await play();
    const [first, second] = [requests[0], requests[9]];
    if (first === undefined || second === undefined) throw new Error('there are two turns');
    expect(second.step.turnNo).toBe(2);
    const same = { ...second, tools: first.tools };
    const { unchanged } = unchangedPrefix(first, same);
    const start = JSON.stringify(first.tools[0]).length + first.system.length;
    expect(unchanged).toBeGreaterThan(start + 'Make the greeting polite'.length);
    expect(second.tools.slice(0, 3)).toEqual(first.tools.slice(0, 3));
  });

  it('ends with the first difference', () => {
    const request: ModelRequest = {
      step: { attempt: 1, slot: 1, turnNo: 1, call: 1 },
      task: 't',
      system: 'abc',
      messages: [],
      tools: [],
      maxOutputTokens: undefined,
    };
    const changed = { ...request, system: 'abX' };
    expect(unchangedPrefix(request, changed)).toEqual({ unchanged: 2, total: 3 });
    expect(unchangedShare([request])).toBe(0);
    expect(unchangedShare([request, changed, changed])).toBe(5 / 6);
  });
});
