// A whole run in which an agent program and a scripted model are one team.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunConfig } from '../../../../src/config/run-config';
import { appBench } from '../../../support/app-bench';
import { askEveryTime } from '../../../support/run-harness';
import { say } from '../../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../../support/scripted-kind';
import { isLayered, named } from '../../workspace/confinement/confined-run';
import { never } from '../../workspace/temp-project';
import { type Step, processesWith } from './acp-bench';

const agentFile = join(import.meta.dirname, '../../../support/scripted-programs/acp-agent.mjs');
const bench = appBench({ 'greeting.txt': 'hello\n' });

/** The first member is the agent, the second a model. */
function teamWith(prompts: readonly (readonly Step[])[]): RunConfig {
  const team = teamOf(['program', 'b']);
  const command = [process.execPath, agentFile, JSON.stringify({ prompts })];
  const agents = team.agents.map((agent, i) =>
    i === 0
      ? {
          ...agent,
          backend: { type: 'acp', model: '', apiKeyName: undefined, options: { command } },
        }
      : agent,
  );
  return { ...team, agents };
}

const requestWith = (config: RunConfig) => ({
  ...{ task: 'Make the greeting polite.', config, unsaved: new Map() },
  folders: [{ name: 'project', path: bench.project, permission: 'write' as const }],
  commandPolicy: askEveryTime,
});

describe.skipIf(!isLayered)(named('a team with an agent program'), () => {
  test('answers, votes, and hands in files that the user has not got yet', async () => {
    const vote: readonly Step[] = [{ call: ['vote', { agent_id: 'agent1', reason: 'Right.' }] }];
    const work: readonly Step[] = [
      { say: 'I make it polite.' },
      { tool: { toolCallId: 't', title: 'Edit greeting', kind: 'edit', status: 'completed' } },
      { write: ['greeting.txt', 'good morning\n'] },
      { call: ['new_answer', { content: 'It says good morning.' }] },
    ];
    const models = new ScriptedKind({ b: [[say.answer('Nothing.')], [say.vote('agent1')]] });
    const app = bench.open(models);
    const run = await app.startRun(
      requestWith(teamWith([work, vote, [{ say: 'Final.' }], [{ say: 'Final.' }]])),
      never,
    );
    const seen: string[] = [];
    run.onEvents((events) => seen.push(...events.map(({ event }) => event.type)));
    const state = await run.ended;
    expect(state.outcome).toBe('completed');
    expect(state.review?.files.map(({ path, kind }) => [path, kind])).toEqual([
      ['greeting.txt', 'modify'],
    ]);
    expect(await readFile(join(bench.project, 'greeting.txt'), 'utf8')).toBe('hello\n');
    expect(seen).toContain('hosted-tool-used');
    expect(processesWith('acp-agent.mjs', 'I make it polite.')).toEqual([]);
  });

  test('leaves no process when it is stopped in the middle', async () => {
    const mark = '27.1828';
    const models = new ScriptedKind({ b: [[say.answer('Nothing.')], [say.vote('agent2')]] });
    const app = bench.open(models);
    const run = await app.startRun(
      requestWith(teamWith([[{ fork: mark }, { say: 'Let me' }, { ignoreCancel: null }]])),
      never,
    );
    await expect.poll(() => processesWith('sleep', mark)).not.toEqual([]);
    run.stop();
    const state = await run.ended;
    expect(state.outcome).not.toBe('completed');
    await app.close();
    expect(processesWith('sleep', mark)).toEqual([]);
    expect(processesWith('acp-agent.mjs', mark)).toEqual([]);
  });
});
