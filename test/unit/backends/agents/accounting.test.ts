// What is counted of a program's tokens and costs, over prompts, failures and sessions.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClaudeCodeKind } from '../../../../src/backends/agents/claude-code/index';
import { createCodexKind } from '../../../../src/backends/agents/codex/index';
import type { ProgramKind } from '../../../../src/core/ports/backend-kind';
import type { BackendPart, ModelBackend } from '../../../../src/core/ports/model-backend';
import { collect, requestOf, servicesWith } from '../../../contract/backend-kit';
import { SpawningWorkspace } from '../../../support/spawning-workspace';
import { never, tempFolder } from '../../workspace/temp-project';
import { type AgentScript, type Step, acpBench, workflowTools } from './acp-bench';

async function open(
  kind: (home: string) => ProgramKind,
  file: string,
  prompts: readonly (readonly Step[])[],
): Promise<ModelBackend> {
  const home = tempFolder();
  const path = join(import.meta.dirname, '../../../support/scripted-programs', file);
  const backend = await kind(home).createIn(
    new SpawningWorkspace(home),
    {
      ...{ type: 'x', model: '', apiKeyName: 'KEY' },
      options: { command: [process.execPath, path, JSON.stringify(prompts)] },
    },
    { ...servicesWith({ KEY: 'a-key-of-a-test' }), toolServers: [] },
    never,
  );
  onTestFinished(async () => backend.close());
  return backend;
}

/** What one prompt of each is said to have cost. */
async function usages(backend: ModelBackend, prompts: number): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const base = requestOf({ tools: workflowTools, approve: async () => true });
  for (let call = 1; call <= prompts; call++) {
    const more = Array.from({ length: call - 1 }, () => ({ role: 'user', text: 'On.' }) as const);
    const request = {
      ...{ ...base, step: { ...base.step, call } },
      messages: [...base.messages, ...more],
    };
    const parts: readonly BackendPart[] = await collect(backend.stream(request, never));
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
    const backend = await open(createCodexKind, 'codex.mjs', [[], [], [{ fail: 'no' }], []]);
    const each = [{ in: 30, out: 9, usd: undefined }];
    // What a failed prompt has used is told with the next that succeeds.
    expect(await usages(backend, 4)).toEqual([each, each, [], [{ in: 60, out: 18 }]]);
  });

  test('counts also when a prompt of Claude Code fails', async () => {
    const failed = { subtype: 'error_during_execution', is_error: true, total_cost_usd: 0.5 };
    const ends = [{ end: failed }, { end: { total_cost_usd: 0.75 } }].map((step) => [step]);
    const backend = await open(createClaudeCodeKind, 'claude.mjs', ends);
    const tokens = { in: 30, out: 9 };
    expect(await usages(backend, 2)).toEqual([
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
});
