// A whole run in which an agent program and a scripted model are one team.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunConfig } from '../../../../src/config/run-config';
import { appBench } from '../../../support/app-bench';
import { oddSleep } from '../../../support/running-processes';
import { say } from '../../../support/scripted-backend';
import { ScriptedKind } from '../../../support/scripted-kind';
import { isLayered, named } from '../../workspace/confinement/confined-run';
import { never } from '../../workspace/temp-project';
import { type Step, processesWith } from './acp-bench';
import { requestFor, teamWith } from './team-bench';

const bench = appBench({ 'greeting.txt': 'hello\n' });

const requestWith = (config: RunConfig) => requestFor(bench.project, config);

describe.skipIf(!isLayered)(named('a team with an agent program'), () => {
  test('answers, votes, and hands in files that the user has not got yet', async () => {
    const vote: readonly Step[] = [{ call: ['vote', { agent_id: 'agent1', reason: 'Right.' }] }];
    const words = `I make it polite. ${oddSleep()}`;
    const work: readonly Step[] = [
      { say: words },
      { tool: { toolCallId: 't', title: 'Edit greeting', kind: 'edit', status: 'completed' } },
      { write: ['greeting.txt', 'good morning\n'] },
      { call: ['new_answer', { content: 'It says good morning.' }] },
    ];
    const models = new ScriptedKind({ b: [[say.answer('Nothing.')], [say.vote('agent1')]] });
    const app = bench.open(models);
    const run = await app.startRun(
      requestWith(teamWith({ prompts: [work, vote, [{ say: 'Final.' }], [{ say: 'Final.' }]] })),
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
    expect(processesWith('acp-agent.mjs', words)).toEqual([]);
  });

  test('keeps a key of the program out of all that is kept and shown, wherever it says it', async () => {
    const key = 'sk-of-a-program-0042-abcdef';
    const tell: readonly Step[] = [
      { say: `My key is ${key.slice(0, 9)}` },
      { say: `${key.slice(9)}, is it not?` },
      { think: `It is ${key}.` },
      { tool: { toolCallId: 't', title: `curl -H ${key}`, kind: 'execute', status: 'pending' } },
      {
        toolUpdate: {
          ...{ toolCallId: 't', status: 'completed' },
          content: [{ type: 'content', content: { type: 'text', text: `used ${key}` } }],
        },
      },
      { write: ['greeting.txt', 'good morning\n'] },
      { call: ['new_answer', { content: `It says good morning to ${key}.` }] },
    ];
    const refuse: readonly Step[] = [{ fail: { code: -32603, message: `The key ${key} is bad.` } }];
    const die: readonly Step[] = [{ stderr: `Bearer ${key}\n` }, { die: 3 }];
    const models = new ScriptedKind({ b: [[say.answer('Nothing.')], [say.vote('agent1')]] });
    const app = bench.open(models, {
      secrets: { get: async (name) => (name === 'MY_KEY' ? key : undefined) },
    });
    const options = { env: { SERVICE_KEY: '${MY_KEY}' } };
    const run = await app.startRun(
      requestWith(teamWith({ prompts: [tell, refuse, die, die] }, options)),
      never,
    );
    const seen: unknown[] = [];
    run.onEvents((events) => seen.push(...events));
    const state = await run.ended;
    const shown = JSON.stringify([seen, state]);
    expect(shown).toContain('My key is [secret removed], is it not?');
    expect(shown).toContain('The key [secret removed] is bad.');
    expect(shown).toContain('Bearer [secret removed]');
    expect(shown).not.toContain(key);
    const files = await readdir(join(bench.home, 'storage'), {
      ...{ recursive: true, withFileTypes: true },
    });
    for (const file of files.filter((one) => one.isFile())) {
      const path = join(file.parentPath, file.name);
      expect([path, (await readFile(path)).includes(key)]).toEqual([path, false]);
    }
  });

  test('leaves no process when it is stopped in the middle', async () => {
    const mark = oddSleep();
    const models = new ScriptedKind({ b: [[say.answer('Nothing.')], [say.vote('agent2')]] });
    const app = bench.open(models);
    const run = await app.startRun(
      requestWith(
        teamWith({ prompts: [[{ fork: mark }, { say: 'Let me' }, { ignoreCancel: null }]] }),
      ),
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
