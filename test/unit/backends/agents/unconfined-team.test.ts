// Whole runs with agent programs on a machine that confines nothing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunConfig } from '../../../../src/config/run-config';
import type { RunHandle } from '../../../../src/app/app-contract';
import type { ApprovalRequested } from '../../../../src/run/call-events';
import { commandPolicy } from '../../../../src/cli/command-policy';
import { appBench } from '../../../support/app-bench';
import { askEveryTime } from '../../../support/run-harness';
import { oddSleep } from '../../../support/running-processes';
import { say } from '../../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../../support/scripted-kind';
import { never } from '../../workspace/temp-project';
import { type Step, processesWith } from './acp-bench';

const agentFile = join(import.meta.dirname, '../../../support/scripted-programs/acp-agent.mjs');
const bench = appBench({ 'greeting.txt': 'hello\n' });
const findSandbox = async () => ({ kind: 'none' as const, reason: 'Nothing confines here.' });

const vote: readonly Step[] = [{ call: ['vote', { agent_id: 'agent1', reason: 'Right.' }] }];
/** Nobody else's program has them in its command line. */
const words = `It says good morning. ${oddSleep()}`;
const work: readonly Step[] = [
  { write: ['greeting.txt', 'good morning\n'] },
  { call: ['new_answer', { content: words }] },
];
const final: readonly Step[] = [{ say: 'Final.' }];

/** The members of the names `program` are one program, the others are models. */
function teamWith(members: readonly string[], prompts: readonly (readonly Step[])[]): RunConfig {
  const team = teamOf(members);
  const command = [process.execPath, agentFile, JSON.stringify({ prompts })];
  const agents = team.agents.map((agent, i) =>
    members[i] === 'program'
      ? {
          ...agent,
          backend: { type: 'acp', model: '', apiKeyName: undefined, options: { command } },
        }
      : agent,
  );
  return { ...team, agents };
}

const requestWith = (config: RunConfig, policy = askEveryTime) => ({
  ...{ task: 'Make the greeting polite.', config, unsaved: new Map(), commandPolicy: policy },
  folders: [{ name: 'project', path: bench.project, permission: 'write' as const }],
});

/** Answers every question that waits, and gathers what was asked. */
function answering(run: RunHandle, decision: 'deny' | 'allow-once') {
  const asked: ApprovalRequested[] = [];
  run.onEvents((events) => {
    for (const { event } of events) {
      if (event.type === 'approval-requested') {
        const isOpen = run.resolveApproval(event.approvalId, event.hash, decision);
        asked.push(...(isOpen ? [event] : []));
      }
    }
  });
  return asked;
}

test('two agents of a program ask once, and what they change ends in the review', async () => {
  const app = bench.open(new ScriptedKind({}), { findSandbox });
  const config = teamWith(['program', 'program'], [work, vote, final, final]);
  const run = await app.startRun(requestWith(config), never);
  const asked = answering(run, 'allow-once');
  const state = await run.ended;
  expect(state.outcome).toBe('completed');
  expect(asked.map(({ isProgram, isConfined }) => [isProgram, isConfined])).toEqual([
    [true, false],
  ]);
  expect(asked[0]?.command).toContain('acp-agent.mjs');
  expect(state.agents.map(({ isUnconfined }) => isUnconfined)).toEqual([true, true]);
  expect(state.unconfinedReason).toBe('Nothing confines here.');
  expect(state.review?.files.map(({ path, kind }) => [path, kind])).toEqual([
    ['greeting.txt', 'modify'],
  ]);
  expect(await readFile(join(bench.project, 'greeting.txt'), 'utf8')).toBe('hello\n');
  expect(processesWith('acp-agent.mjs', words)).toEqual([]);
});

test('a program that is denied is out with one sentence, and the others go on without it', async () => {
  const models = new ScriptedKind({
    b: [[say.answer('Mine.')], [say.vote('agent2')]],
  });
  const app = bench.open(models, { findSandbox });
  const run = await app.startRun(requestWith(teamWith(['program', 'b'], [work])), never);
  const asked = answering(run, 'deny');
  const state = await run.ended;
  expect(state.outcome).toBe('completed');
  expect(asked.length).toBe(1);
  expect(state.agents[0]).toMatchObject({ status: 'failed', failedTurns: 1, turnNo: 1 });
  expect(state.agents[0]?.lastError).toMatchObject({
    code: 'tool/denied',
    message: 'acp-agent.mjs was not allowed to run without confinement. Nothing confines here.',
  });
});

test('a program that was denied is asked about anew when its agent is tried again', async () => {
  const until = new Promise<void>(() => undefined);
  const models = new ScriptedKind({ b: [[{ until }]] });
  const app = bench.open(models, { findSandbox });
  const run = await app.startRun(requestWith(teamWith(['program', 'b'], [work])), never);
  const answers = ['deny', 'allow-once'] as const;
  let asked = 0;
  run.onEvents((events) => {
    for (const { event } of events) {
      const answer = event.type === 'approval-requested' ? answers[asked] : undefined;
      if (event.type === 'approval-requested' && answer !== undefined) {
        asked += 1;
        run.resolveApproval(event.approvalId, event.hash, answer);
      }
    }
  });
  await expect.poll(() => run.state().agents[0]?.status).toBe('failed');
  expect(run.revive(1)).toBe(true);
  await expect.poll(() => run.state().agents[0]?.revisions.length).toBe(1);
  expect(asked).toBe(2);
  run.stop();
  await run.ended;
});

test.each([
  ['refused', [], 'failed'],
  ['run when everything unconfined may', 'all' as const, 'done'],
])('where nobody can be asked it is %s', async (_what, allowed, status) => {
  const models = new ScriptedKind({
    b: [[say.answer('Mine.')], [say.vote('agent2')]],
  });
  const app = bench.open(models, { findSandbox });
  const vote2: readonly Step[] = [{ call: ['vote', { agent_id: 'agent2', reason: 'Right.' }] }];
  const config = teamWith(['program', 'b'], [work, vote2, vote2, final]);
  const run = await app.startRun(requestWith(config, commandPolicy(allowed)), never);
  const state = await run.ended;
  expect(state.outcome).toBe('completed');
  expect(state.agents[0]?.status === 'failed' ? 'failed' : 'done').toBe(status);
});

test('a stop while it is asked about ends the run, and nothing was started', async () => {
  const app = bench.open(new ScriptedKind({ b: [[say.answer('Mine.')]] }), { findSandbox });
  const run = await app.startRun(requestWith(teamWith(['program', 'b'], [work])), never);
  await expect.poll(() => run.state().approvals.length).toBe(1);
  run.stop();
  await run.ended;
  expect(processesWith('acp-agent.mjs', words)).toEqual([]);
});
