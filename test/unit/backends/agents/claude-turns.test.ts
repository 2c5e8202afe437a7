// Turns of Claude Code: which of its ends is the end of ours, what it may not do, and what a turn has cost.
import { describe, expect, test } from 'vitest';
import { collect, endOf, textOf } from '../../../contract/backend-kit';
import { never } from '../../workspace/temp-project';
import { claude, openProgram, requestAt } from './program-bench';

describe('Claude Code', () => {
  test.each([
    ['before the next prompt', false],
    ['while the next prompt is on its way', true],
  ])('that wakes by itself %s has no word and no end in it', async (_when, isLate) => {
    const backend = await openProgram({
      ...claude,
      prompts: [
        [
          { say: 'one' },
          { goOn: { words: 'words of its own', isLate } },
          { end: { total_cost_usd: 0.125 } },
        ],
        [{ say: 'two' }, { end: { total_cost_usd: 0.5 } }],
      ],
    });
    expect(textOf(await collect(backend.stream(requestAt(1), never)))).toBe('one');
    const second = await collect(backend.stream(requestAt(2), never));
    expect(textOf(second)).toBe('two');
    // It is paid for what nobody asked for as well.
    expect(second.find((part) => part.type === 'usage')).toEqual({
      ...{ type: 'usage', usage: { inputTokens: 60, outputTokens: 18 }, costUsd: 0.375 },
    });
  });

  test('is started so that nothing of a turn goes on after it', async () => {
    const backend = await openProgram({ ...claude, prompts: [[{ where: null }]] });
    expect(textOf(await collect(backend.stream(requestAt(1), never)))).toContain(
      '"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS":"1"',
    );
  });

  test('writes each message apart from the one before', async () => {
    const backend = await openProgram({
      ...claude,
      prompts: [
        [{ think: 'a' }, { say: 'It is long.' }, { bash: 'ls' }, { think: 'b' }, { say: 'Short.' }],
        [{ sayWhole: 'Three.' }, { sayWhole: 'Four.' }],
      ],
    });
    const first = await collect(backend.stream(requestAt(1), never));
    expect(textOf(first)).toBe('It is long.\n\nShort.');
    const thoughts = first.flatMap((part) => (part.type === 'thinking-delta' ? [part.text] : []));
    expect(thoughts.join('')).toBe('a\n\nb');
    expect(textOf(await collect(backend.stream(requestAt(2), never)))).toBe('Three.\n\nFour.');
  });
});

const harmful = ['rm x', 'rm -r x', 'sudo ls', 'su', 'chmod 600 x', 'chown me x'];

describe('commands that Claude Code may not use', () => {
  test.each([
    ['the usual ones', undefined, harmful],
    ['none', [], []],
    ['those that its block names', ['Bash(git push*)', 'WebFetch'], ['git push -f', 'git pushx']],
  ])('are %s, about which nobody is asked', async (_which, rules, refused) => {
    const fine = ['rmdir x', 'ls rm', 'git status'];
    const wanted = [...harmful, ...fine, 'git push -f', 'git pushx'];
    const asked: string[] = [];
    const backend = await openProgram({
      ...claude,
      options: rules === undefined ? {} : { disallowed_tools: rules },
      prompts: [[{ where: null }, ...wanted.map((bash) => ({ bash }))]],
    });
    const approve = async ({ command }: { command: string }): Promise<boolean> => {
      asked.push(command);
      return true;
    };
    const parts = await collect(backend.stream(requestAt(1, approve), never));
    const failed = parts.flatMap((part) =>
      part.type === 'hosted-tool' && part.status === 'failed' ? [part.subject] : [],
    );
    expect(failed).toEqual(refused);
    expect(asked).toEqual(wanted.filter((command) => !refused.includes(command)));
    // The program knows the rules as well, for a command that is a part of another one.
    const [rule = 'Bash(rm:*)'] = rules ?? [];
    expect(textOf(parts).includes(rule)).toBe(rules?.length !== 0);
  });
});

describe('the cost of a prompt after Claude Code was started again', () => {
  const end = (usd: number, turn: number, counted: number) => [
    {
      end: {
        ...{ total_cost_usd: usd, usage: { input_tokens: turn, output_tokens: 0 } },
        modelUsage: { big: { inputTokens: counted - 1 }, small: { outputTokens: 1 } },
      },
    },
  ];

  test.each([
    ['that counts anew, and is dearer than all before', end(0.75, 90, 95), 0.75],
    ['that goes on counting', end(0.75, 90, 131), 0.25],
    ['that counts anew, and is cheaper', end(0.25, 20, 20), 0.25],
  ])('%s is not told too low or too high', async (_what, third, costUsd) => {
    const prompts = [end(0.5, 40, 40), [{ die: 1 }], third, end(1.75, 10, 200)];
    const backend = await openProgram({ ...claude, prompts });
    await collect(backend.stream(requestAt(1), never));
    expect(endOf(await collect(backend.stream(requestAt(2), never))).reason).toBe('error');
    const parts = await collect(backend.stream(requestAt(2), never));
    expect(parts.find((part) => part.type === 'usage')).toMatchObject({ costUsd });
    const more = await collect(backend.stream(requestAt(3), never));
    const [{ end: stated } = { end: { total_cost_usd: 0 } }] = third;
    expect(more.find((part) => part.type === 'usage')).toMatchObject({
      costUsd: 1.75 - stated.total_cost_usd,
    });
  });
});
