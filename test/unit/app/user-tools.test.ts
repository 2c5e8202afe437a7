// Functions of the user and uploaded files through the whole product, with a scripted model.
import { describe, expect, it } from 'vitest';
import type { RunConfig } from '../../../src/app/app-contract';
import type { CustomToolConfig, UploadConfig } from '../../../src/config/run-config';
import type { ModelRequest } from '../../../src/core/ports/model-backend';
import { appBench } from '../../support/app-bench';
import { say } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;

const bench = appBench({
  'double.mjs': '/** Doubles. */ export function twice(text) { return text + text; }\n',
});

const twice: CustomToolConfig = {
  ...{ name: 'twice', description: undefined, presetArguments: {} },
  run: { kind: 'module', path: 'double.mjs', function: 'twice' },
};

function team(custom: readonly CustomToolConfig[], uploads: readonly UploadConfig[]): RunConfig {
  const config = teamOf(['a']);
  const tools = { servers: [], custom, uploads };
  return {
    ...config,
    agents: config.agents.map((agent) => ({ ...agent, tools })),
    settings: { ...config.settings, planning: 'off', finalAnswerStrategy: 'winner_reuse' },
  };
}

function request(config: RunConfig) {
  return {
    ...{ task: 'Double it.', config, unsaved: new Map<string, Uint8Array>() },
    folders: [{ name: 'project', path: bench.project, permission: 'write' as const }],
    commandPolicy: {
      decide: () => ({ isAllowed: true, by: 'policy' as const }),
      remember: async () => undefined,
    },
  };
}

describe('an agent with what its user gave it', () => {
  it('calls a function of the user, which is described as its comment has it', async () => {
    const seen: ModelRequest[] = [];
    const kind = new ScriptedKind({
      a: [
        [{ call: 'custom_tool__twice', input: { text: 'ab' } }],
        (asked) => {
          seen.push(asked);
          return [say.answer('Done.')];
        },
        [say.vote('agent1')],
      ],
    });
    const app = bench.open(kind);
    const run = await app.startRun(request(team([twice], [])), signal);
    await run.ended;
    const last = seen[0]?.messages.findLast(({ role }) => role === 'tool');
    expect(last?.role === 'tool' ? last.results[0]?.text : '').toBe('abab');
    const offered = seen[0]?.tools.find(({ name }) => name === 'custom_tool__twice');
    expect(offered).toMatchObject({
      description: 'Doubles.',
      inputSchema: { properties: { text: {} }, required: ['text'] },
    });
    await app.close();
  });

  it('is not asked at all when a file cannot be given to its model', async () => {
    const kind = new ScriptedKind({ a: [[say.answer('Done.')]] });
    const app = bench.open(kind);
    const upload = { kind: 'image', source: 'plan.png' } as const;
    await expect(app.startRun(request(team([], [upload])), signal)).rejects.toMatchObject({
      code: 'config/invalid',
      message: expect.stringContaining('plan.png: its model takes no image files') as unknown,
    });
    expect(await app.listRuns()).toEqual([]);
    await app.close();
  });
});
