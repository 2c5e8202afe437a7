// Runs with an agent program that another process goes on with, after the first one was killed: its log is cut off.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../../../src/run/events';
import { appOver } from '../../../support/app-bench';
import { askEveryTime } from '../../../support/run-harness';
import { say, type ScriptedResponse } from '../../../support/scripted-backend';
import { ScriptedKind } from '../../../support/scripted-kind';
import { isLayered, named } from '../../workspace/confinement/confined-run';
import { never } from '../../workspace/temp-project';
import type { Step } from './acp-bench';
import { appBench, requestFor, teamWith } from './team-bench';

const bench = appBench({ 'greeting.txt': 'hello\n' });
const prompts: readonly (readonly Step[])[] = [
  [
    { tool: { toolCallId: 'a', title: 'Edit', kind: 'edit', status: 'completed' } },
    { write: ['greeting.txt', 'good morning\n'] },
    { quietCall: ['new_answer', { content: 'It says good morning.' }] },
  ],
  [{ quietCall: ['vote', { agent_id: 'agent1', reason: 'Right.' }] }],
  [{ say: 'Final.' }],
];
const ofModel: readonly ScriptedResponse[] = [[say.answer('Nothing.')], [say.vote('agent1')]];

type Event = RecordedEvent['event'];

async function wholeRun() {
  const app = bench.open(new ScriptedKind({ b: ofModel }));
  const run = await app.startRun(requestFor(bench.project, teamWith({ prompts })), never);
  const state = await run.ended;
  await app.close();
  const folder = join(bench.home, 'storage', 'runs', state.runId);
  const text = await readFile(join(folder, 'run.jsonl'), 'utf8');
  return { app, state, folder, log: text.trimEnd().split('\n') };
}

function eventIn(line: string): Event {
  const { event } = JSON.parse(line) as RecordedEvent;
  return event;
}

describe.skipIf(!isLayered)(named('a run with an agent program'), () => {
  test('comes out the same when it is played again', async () => {
    const { state } = await wholeRun();
    const later = bench.open(new ScriptedKind({}));
    expect(await later.replayRun(state.runId, never)).toMatchObject({
      ...{ difference: null, changedFiles: [] },
    });
  });

  test.each([
    ['acted', 'hosted-tool-used'],
    ['answered', 'model-call-ended'],
    ['was looked at', 'snapshot-taken'],
    ['handed in', 'answer-submitted'],
    ['voted', 'vote-cast'],
  ])('is gone on with by another process after it %s, and loses no edit', async (_when, type) => {
    const { state, folder, log } = await wholeRun();
    const cut = log.findIndex((line, i) => {
      const event = i === 0 ? undefined : eventIn(line);
      return event?.type === type && 'slot' in event && event.slot === 1;
    });
    expect(cut).toBeGreaterThan(0);
    const kept = log.slice(0, cut + 1);
    const other = join(bench.home, 'other');
    const to = join(other, 'runs', state.runId);
    await mkdir(to, { recursive: true });
    for (const name of ['blobs.pack', 'payloads']) {
      await cp(join(folder, name), join(to, name), { recursive: true });
    }
    await writeFile(join(to, 'run.jsonl'), kept.map((line) => `${line}\n`).join(''));
    const done = (slot: number): number =>
      kept.slice(1).filter((line) => {
        const event = eventIn(line);
        return event.type === 'model-call-ended' && event.slot === slot;
      }).length;
    const app = appOver(other, new ScriptedKind({ b: ofModel.slice(done(2)) }));
    const config = teamWith({ prompts: prompts.slice(done(1)) });
    const run = await app.resumeRun(
      state.runId,
      { config, unsaved: new Map(), commandPolicy: askEveryTime },
      never,
    );
    const last = await run.ended;
    expect(last.outcome).toBe('completed');
    expect(last.selection?.winner).toEqual(state.selection?.winner);
    expect(last.review?.files.map(({ path, kind }) => [path, kind])).toEqual([
      ['greeting.txt', 'modify'],
    ]);
    expect(await app.replayRun(state.runId, never)).toMatchObject({
      ...{ difference: null, changedFiles: [] },
    });
    await app.close();
  });
});
