// Runs on the disk, cut off as by a killed process: the log is shortened, nothing else is known to the next process.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app/app-contract';
import { createApp } from '../../../src/app/create-app';
import { createDiskFiles } from '../../../src/app/disk-files';
import type { RecordedEvent } from '../../../src/run/events';
import type { RunState } from '../../../src/run/state';
import { realClock } from '../../support/real-clock';
import { askEveryTime, silent } from '../../support/run-harness';
import { say, type ScriptedResponse } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;
const task = 'Make the greeting polite.';
const edit = {
  call: 'edit_file',
  input: { path: 'greeting.txt', old_text: 'hello', new_text: 'good morning' },
};
const look = { call: 'read_file', input: { path: 'greeting.txt' } };
const models = ['a', 'b'] as const;
const scripts: Readonly<Record<(typeof models)[number], readonly ScriptedResponse[]>> = {
  a: [[look, edit], [say.answer('Now it says good morning.')], [say.vote('agent1')], ['Final.']],
  b: [[say.answer('I changed nothing.')], [say.vote('agent1')]],
};
const config = teamOf(models);

let home: string;
let project: string;
let uncut: RunState;
let log: string[];
let apps: App[] = [];

function appOver(storageDir: string, kind: ScriptedKind): App {
  const app = createApp({
    storageDir,
    installDir: join(import.meta.dirname, '../../..'),
    clock: realClock,
    logger: silent,
    secrets: { get: async () => undefined },
    extraBackends: [kind.kind],
    liveFiles: createDiskFiles(),
  });
  apps.push(app);
  return app;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'massgen-resume-'));
  project = join(home, 'project');
  await mkdir(project);
  await writeFile(join(project, 'greeting.txt'), 'hello\n');
  const app = appOver(join(home, 'original'), new ScriptedKind(scripts));
  const run = await app.startRun(
    {
      ...{ task, config, unsaved: new Map(), commandPolicy: askEveryTime },
      folders: [{ name: 'project', path: project, permission: 'write' }],
    },
    signal,
  );
  uncut = await run.ended;
  await app.close();
  log = (await readFile(join(home, 'original', 'runs', uncut.runId, 'run.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n');
});

beforeEach(() => {
  apps = [];
});

afterEach(async () => {
  await Promise.all(apps.map((app) => app.close()));
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

/** A storage folder as it was when the log had so many lines; `torn` is what was written of the next one. */
async function cutAfter(lines: number, torn = ''): Promise<string> {
  const dir = await mkdtemp(join(home, 'cut-'));
  const from = join(home, 'original', 'runs', uncut.runId);
  const to = join(dir, 'runs', uncut.runId);
  await mkdir(to, { recursive: true });
  for (const name of ['blobs.pack', 'payloads']) {
    await cp(join(from, name), join(to, name), { recursive: true });
  }
  const kept = log.slice(0, lines).map((line) => `${line}\n`);
  await writeFile(join(to, 'run.jsonl'), kept.join('') + torn);
  return dir;
}

function eventsOf(lines: readonly string[]): readonly RecordedEvent[] {
  return lines.slice(1).map((line) => JSON.parse(line) as RecordedEvent);
}

/** Models that go on after so many lines. */
function restOf(lines: number): ScriptedKind {
  const done = (slot: number): number =>
    eventsOf(log.slice(0, lines)).filter(
      ({ event }) => event.type === 'model-call-ended' && event.slot === slot,
    ).length;
  return new ScriptedKind(
    Object.fromEntries(models.map((model, i) => [model, scripts[model].slice(done(i + 1))])),
  );
}

async function resumed(lines: number, torn = '') {
  const kind = restOf(lines);
  const dir = await cutAfter(lines, torn);
  const app = appOver(dir, kind);
  const request = { config, unsaved: new Map<string, Uint8Array>(), commandPolicy: askEveryTime };
  const run = await app.resumeRun(uncut.runId, request, signal);
  return { state: await run.ended, kind, app, dir };
}

function expectSame(state: RunState, kind: ScriptedKind): void {
  expect(state.outcome).toBe('completed');
  expect(state.selection?.winner).toEqual(uncut.selection?.winner);
  expect(state.finalAnswer).toEqual(uncut.finalAnswer);
  expect(state.review).toEqual(uncut.review);
  expect(state.agents.map(({ usage }) => usage.calls)).toEqual(
    uncut.agents.map(({ usage }) => usage.calls),
  );
  expect(kind.made.map(({ left }) => left)).toEqual([0, 0]);
}

describe('a run on the disk', () => {
  it('is continued wherever its log was cut off', async () => {
    for (let lines = 2; lines < log.length; lines++) {
      const { state, kind, app } = await resumed(lines);
      expectSame(state, kind);
      expect(await app.replayRun(state.runId, signal)).toMatchObject({ difference: null });
    }
  });

  it('is continued when its last line was torn', async () => {
    const { state, kind } = await resumed(20, (log[20] ?? '').slice(0, 30));
    expectSame(state, kind);
  });

  it('comes out the same when it is played again, and stays as it is', async () => {
    const app = appOver(await cutAfter(log.length), new ScriptedKind({}));
    const seen: RecordedEvent[] = [];
    const report = await app.replayRun(uncut.runId, signal, (event) => seen.push(event));
    const events = eventsOf(log);
    expect(report).toEqual({
      runId: uncut.runId,
      events: events.length,
      difference: null,
      changedFiles: [],
    });
    expect(seen).toEqual(events);
  });
});
