import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/core/ports/model-backend';
import { look, put } from '../../../support/plain-tools';
import { RunHarness } from '../../../support/run-harness';
import { type ScriptedResponse, say } from '../../../support/scripted-backend';
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

describe('what a service can reuse', () => {
  it('is at least 80 % of the input from the second call of an agent on', async () => {
    for (const requests of await play()) {
      expect(requests.length).toBeGreaterThanOrEqual(16);
      expect(unchangedShare(requests)).toBeGreaterThan(0.8);
    }
  });

  it('is everything that was said before, within a turn', async () => {
    for (const requests of await play()) {
      for (const [i, request] of requests.entries()) {
        const before = requests[i - 1];
        if (before?.step.turnNo === request.step.turnNo) {
          const { unchanged } = unchangedPrefix(before, request);
          expect(unchanged).toBe(unchangedPrefix(before, before).total);
        }
      }
    }
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
