// What is counted of a program's tokens and costs, over prompts, failures and sessions.
import { describe, expect, test } from 'vitest';
import type { BackendPart, ModelBackend } from '../../../../src/core/ports/model-backend';
import { collect } from '../../../contract/backend-kit';
import { never } from '../../workspace/temp-project';
import { type AgentScript, type Step, acpBench } from './acp-bench';
import { claude, codex, openProgram, requestAt } from './program-bench';

/** What one prompt of each is said to have cost. */
async function usages(backend: ModelBackend, prompts: number): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let call = 1; call <= prompts; call++) {
    const parts: readonly BackendPart[] = await collect(backend.stream(requestAt(call), never));
    found.push(
      parts.flatMap((part) =>
        part.type === 'usage'
          ? [{ in: part.usage.inputTokens, out: part.usage.outputTokens, usd: part.costUsd }]
          : [],
      ),
    );
  }
  return found;
}

describe('what a program has used', () => {
  test('is that of one prompt where Codex counts over all of its thread', async () => {
    const backend = await openProgram({ ...codex, prompts: [[], [], [{ fail: 'no' }], []] });
    const each = [{ in: 30, out: 9, usd: undefined }];
    // What a failed prompt has used is told with the next that succeeds.
    expect(await usages(backend, 4)).toEqual([each, each, [], [{ in: 60, out: 18 }]]);
  });

  test('counts also when a prompt of Claude Code fails', async () => {
    const failed = { subtype: 'error_during_execution', is_error: true };
    const good = (usd: number): Step => ({ end: { total_cost_usd: usd } });
    const ends = [good(0.25), { end: { ...failed, total_cost_usd: 0.75 } }, good(1)];
    const backend = await openProgram({ ...claude, prompts: ends.map((step) => [step]) });
    const tokens = { in: 30, out: 9 };
    expect(await usages(backend, 3)).toEqual([
      [{ ...tokens, usd: 0.25 }],
      [{ ...tokens, usd: 0.5 }],
      [{ ...tokens, usd: 0.25 }],
    ]);
  });

  test('is not counted again when a session goes on in a new process', async () => {
    const cost = (amount: number): Step => ({
      update: { sessionUpdate: 'usage_update', cost: { amount, currency: 'USD' } },
    });
    const script: AgentScript = {
      prompts: [[cost(0.5)], [{ die: 1 }], [cost(0.75)], [{ die: 1 }], [cost(0.25)]],
    };
    const { backend } = await acpBench(script);
    const found = await usages(backend, 5);
    // The third prompt goes on counting, the fifth comes from an agent that has begun anew.
    expect(found.map((parts) => parts)).toMatchObject([
      [{ usd: 0.5 }],
      [],
      [{ usd: 0.25 }],
      [],
      [{ usd: 0.25 }],
    ]);
  });

  const stated = (inputTokens: number): Step => ({
    end: { usage: { inputTokens, outputTokens: 1, totalTokens: inputTokens + 1 } },
  });
  const quota = (count: number): Step => ({
    end: { _meta: { quota: { token_count: { input_tokens: count, output_tokens: 1 } } } },
  });
  const die: Step = { die: 1 };
  const byPrompt = '@agentclientprotocol/claude-agent-acp';

  test.each([
    ['states the sum of its session', '', [30, 50, 60].map(stated), [30, 20, 10]],
    ['states each prompt, as is known of it', byPrompt, [30, 50, 60].map(stated), [30, 50, 60]],
    ['states each prompt in a place of its own', '', [30, 50, 60].map(quota), [30, 50, 60]],
    // What was told too low until a count became smaller is told then.
    ['states each prompt, as turns out', '', [30, 50, 20, 40].map(stated), [30, 20, 50, 40]],
    ['goes on with its sum in a new process', '', [stated(30), die, stated(50)], [30, null, 20]],
    ['begins its sum anew in a new process', '', [stated(30), die, stated(20)], [30, null, 20]],
  ])('is that of one prompt where an agent %s', async (_how, name, steps, told) => {
    const { backend } = await acpBench({
      ...{ prompts: steps.map((step) => [step]), agentInfo: { name } },
    });
    const found = await usages(backend, steps.length);
    expect(found).toMatchObject(told.map((count) => (count === null ? [] : [{ in: count }])));
  });
});
