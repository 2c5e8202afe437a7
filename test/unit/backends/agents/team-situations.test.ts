// What a user does while an agent program is at work, in whole runs: the program is the first member, a model the second.
import { lstat, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/run/events';
import { FakeClock } from '../../../support/fake-clock';
import { oddSleep } from '../../../support/running-processes';
import { say } from '../../../support/scripted-backend';
import { ScriptedKind } from '../../../support/scripted-kind';
import { isLayered, named } from '../../workspace/confinement/confined-run';
import { never } from '../../workspace/temp-project';
import { type AgentScript, type Step, processesWith } from './acp-bench';
import { appBench, once, requestFor, teamWith } from './team-bench';

const bytes = Buffer.from([0, 1, 2, 0xff, 0xfe, 13, 10, 0, 0x80]);
const bench = appBench({
  'greeting.txt': 'hello\n',
  'old.txt': 'no longer\n',
  'from.txt': 'the same\r\ntext',
  'run.sh': '#!/bin/sh\n',
});

const answers: readonly Step[] = [
  { write: ['greeting.txt', 'good morning\n'] },
  { quietCall: ['new_answer', { content: 'It says good morning.' }] },
];
const votes: readonly Step[] = [{ quietCall: ['vote', { agent_id: 'agent1', reason: 'Right.' }] }];
const final: readonly Step[] = [{ say: 'Final.' }];
const asks: Step = {
  permission: {
    toolCall: { toolCallId: 't', kind: 'execute', title: 'make', rawInput: { command: 'make' } },
  },
};
const acts: Step = { tool: { toolCallId: 'a', title: 'Look', kind: 'read', status: 'pending' } };
const isAsked = ({ type }: RecordedEvent['event']): boolean => type === 'approval-requested';

async function start(script: AgentScript, more: { readonly clock?: FakeClock } = {}) {
  const models = new ScriptedKind({ b: [[say.answer('Nothing.')], [say.vote('agent1')]] });
  const app = bench.open(models, more);
  const events: RecordedEvent['event'][] = [];
  const run = await app.startRun(
    requestFor(bench.project, teamWith({ ...script, mark: bench.home })),
    never,
  );
  run.onEvents((list) => events.push(...list.map(({ event }) => event)));
  return { app, run, events };
}

/** All that the program has said in the run. */
function said(events: readonly RecordedEvent['event'][]): string {
  return events
    .flatMap((event) => (event.type === 'text-delta' && event.slot === 1 ? [event.text] : []))
    .join('');
}

describe.skipIf(!isLayered)(named('while an agent program is at work'), () => {
  test.each([
    ['a message', 'Say it in Latin.'],
    ['the wish to have an answer now', 'now'],
  ])('%s reaches it with its next prompt, once', async (_what, words) => {
    const next: readonly Step[] = [{ echo: null }, ...answers];
    const { run, events } = await start({ prompts: [[asks], next, votes, final, final] });
    once(run, isAsked, (event) => {
      if (event.type === 'approval-requested') {
        expect(words === 'now' ? run.answerNow(1) : run.steer(words, [1])).toBe(true);
        run.resolveApproval(event.approvalId, event.hash, 'deny');
      }
    });
    const state = await run.ended;
    expect(state.outcome).toBe('completed');
    const type = words === 'now' ? 'wrap-up-delivered' : 'steering-delivered';
    expect(events.filter((event) => event.type === type)).toMatchObject([{ slot: 1 }]);
    const heard = said(events).split('[reject_once]')[1] ?? '';
    expect(heard.split(words === 'now' ? 'new_answer' : words).length).toBeGreaterThan(1);
    // What the session has been told before is not said again.
    expect(heard).not.toContain('Make the greeting polite.');
  });

  test('the end of the time of a run ends it, with what was handed in before', async () => {
    const mark = oddSleep();
    const clock = new FakeClock();
    const script: AgentScript = {
      prompts: [answers, [{ fork: mark }, acts, { ignoreCancel: null }]],
    };
    const models = new ScriptedKind({ b: [[say.answer('Nothing.')], [say.vote('agent1')]] });
    const app = bench.open(models, { clock });
    const config = teamWith(script);
    const caps = { durationMs: 60_000, modelCalls: null, costUsd: null };
    const run = await app.startRun(requestFor(bench.project, { ...config, caps }), never);
    let isOver = false;
    once(
      run,
      ({ type }) => type === 'hosted-tool-used',
      () => (isOver = true),
    );
    const ended = run.ended;
    let state: Awaited<typeof ended> | undefined;
    void ended.then((last) => (state = last));
    await expect
      .poll(
        () => {
          if (isOver) {
            clock.advance(60_000);
          }
          return state?.outcome;
        },
        { timeout: 20_000 },
      )
      .toBe('timeout');
    expect(state?.review?.files.map(({ path }) => path)).toEqual(['greeting.txt']);
    await app.close();
    expect(processesWith('sleep', mark)).toEqual([]);
    expect(processesWith('acp-agent.mjs', mark)).toEqual([]);
  });

  const type =
    (name: RecordedEvent['event']['type']) =>
    (event: RecordedEvent['event']): boolean =>
      event.type === name && (!('slot' in event) || event.slot === 1);
  const usual = [answers, votes, final, final];

  test.each([
    ['starts', { prompts: usual, isMute: true }, undefined],
    ['works', { prompts: [[{ say: 'Well' }, { hang: null }]] }, type('text-delta')],
    ['is deaf', { prompts: [[{ say: 'Well' }, { ignoreCancel: null }]] }, type('text-delta')],
    ['asks', { prompts: [[asks]] }, type('approval-requested')],
    ['is paused for a snapshot', { prompts: usual }, type('model-call-ended')],
    ['has handed in', { prompts: usual }, type('answer-submitted')],
    ['waits for the others', { prompts: usual }, type('agent-turn-ended')],
    ['has voted', { prompts: usual }, type('vote-cast')],
    ['presents', { prompts: usual }, type('final-presentation-started')],
  ] as const)('a stop when it %s leaves nothing behind', async (_when, script, isThen) => {
    const { app, run } = await start(script);
    if (isThen === undefined) {
      await expect.poll(() => processesWith('acp-agent.mjs', bench.home)).not.toEqual([]);
      run.stop();
    } else {
      once(run, isThen, () => run.stop());
    }
    const state = await run.ended;
    expect(state.outcome).toBe('cancelled');
    await app.close();
    expect(processesWith('acp-agent.mjs', bench.home)).toEqual([]);
    expect(await readFile(join(bench.project, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });

  test('a stop leaves the user what it had changed by the end of its last prompt', async () => {
    const [made = {}] = answers;
    const { app, run } = await start({ prompts: [[made], [acts, { hang: null }]] });
    once(
      run,
      ({ type: name }) => name === 'hosted-tool-used',
      () => run.stop(),
    );
    await run.ended;
    await app.close();
    const files = await readdir(run.artifactsDir, { recursive: true });
    const [left = ''] = files.filter((name) => /wip.*greeting\.txt$/.test(name));
    expect(await readFile(join(run.artifactsDir, left), 'utf8')).toBe('good morning\n');
  });

  test('what it made is reviewed and accepted byte for byte', async () => {
    const work: readonly Step[] = [
      { writeBytes: ['picture.bin', bytes.toString('base64')] },
      { remove: 'old.txt' },
      { rename: ['from.txt', 'sub/to.txt'] },
      { chmod: ['run.sh', 0o755] },
      { write: ['odd name \u00fc\n.txt', 'x'] },
      ...answers,
    ];
    const made: Step = { write: ['sub/.keep', ''] };
    const { run } = await start({ prompts: [[made, ...work], votes, final, final] });
    const state = await run.ended;
    const files = state.review?.files.map(({ path, kind }) => `${kind} ${path}`) ?? [];
    expect([...files].sort()).toEqual([
      ...['add odd name \u00fc\n.txt', 'add picture.bin', 'add sub/.keep', 'delete old.txt'],
      ...['mode run.sh', 'modify greeting.txt', 'rename sub/to.txt'],
    ]);
    expect(await readdir(bench.project)).toEqual(['from.txt', 'greeting.txt', 'old.txt', 'run.sh']);
    const all = state.review?.files.map(({ root, path }) => ({ root, path }));
    const results = await run.review()?.accept(all, never);
    expect(results?.map(({ outcome }) => outcome)).toEqual(files.map(() => 'done'));
    const at = (name: string): string => join(bench.project, name);
    expect(await readFile(at('picture.bin'))).toEqual(bytes);
    expect(await readFile(at('sub/to.txt'), 'utf8')).toBe('the same\r\ntext');
    expect(await readFile(at('odd name \u00fc\n.txt'), 'utf8')).toBe('x');
    expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o755);
    for (const gone of ['old.txt', 'from.txt']) {
      await expect(lstat(at(gone))).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });

  test('its end between two prompts loses nothing of what it has handed in', async () => {
    // Each process begins with the first prompt again: its session cannot go on.
    const script: readonly Step[] = [
      { either: ['greeting.txt', 'good morning\n', votes, [...answers, { dieAfter: 3 }]] },
    ];
    const { run, events } = await start({ prompts: [script, final, final], canLoad: false });
    const state = await run.ended;
    expect(state.review?.files.map(({ path }) => path)).toEqual(['greeting.txt']);
    expect(state.outcome).toBe('completed');
    const votesOfIt = events.filter((event) => event.type === 'vote-cast' && event.slot === 1);
    expect(votesOfIt).toMatchObject([{ target: 'agent1.1' }]);
  });
});
