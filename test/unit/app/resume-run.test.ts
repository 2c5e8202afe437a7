// Runs on the disk, cut off as by a killed process: the log is shortened, nothing else is known to the next process.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app/app-contract';
import type { RecordedEvent } from '../../../src/run/events';
import type { RunState } from '../../../src/run/state';
import { appOver } from '../../support/app-bench';
import { askEveryTime } from '../../support/run-harness';
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
const request = { config, unsaved: new Map<string, Uint8Array>(), commandPolicy: askEveryTime };

let home: string;
let project: string;
let uncut: RunState;
let log: string[];
let apps: App[] = [];

function openApp(storageDir: string, kind: ScriptedKind): App {
  const app = appOver(storageDir, kind);
  apps.push(app);
  return app;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'massgen-resume-'));
  project = join(home, 'project');
  await mkdir(project);
  await writeFile(join(project, 'greeting.txt'), 'hello\n');
  const app = openApp(join(home, 'original'), new ScriptedKind(scripts));
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
  const app = openApp(dir, kind);
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
      expect(await app.replayRun(state.runId, signal)).toMatchObject({
        difference: null,
        changedFiles: [],
      });
    }
  });

  it('is continued when its last line was torn', async () => {
    const { state, kind } = await resumed(20, (log[20] ?? '').slice(0, 30));
    expectSame(state, kind);
  });

  it('is continued after it was looked at, which marks it as interrupted', async () => {
    const kind = restOf(15);
    const app = openApp(await cutAfter(15), kind);
    const seen = await app.openRun(uncut.runId);
    expect(seen.state().outcome).toBe('interrupted');
    const run = await app.resumeRun(uncut.runId, request, signal);
    expect(await app.openRun(uncut.runId)).toBe(run);
    expectSame(await run.ended, kind);
    expect(await app.replayRun(uncut.runId, signal)).toMatchObject({
      difference: null,
      changedFiles: [],
    });
  });

  it('is continued, and has right files, wherever it was looked at after it was cut off', async () => {
    for (let lines = 2; lines < log.length; lines++) {
      const dir = await cutAfter(lines);
      await cp(join(home, 'original', 'massgen_logs'), join(dir, 'massgen_logs'), {
        recursive: true,
      });
      const kind = restOf(lines);
      const app = openApp(dir, kind);
      await app.openRun(uncut.runId);
      const run = await app.resumeRun(uncut.runId, request, signal);
      expectSame(await run.ended, kind);
      expect(await app.replayRun(uncut.runId, signal)).toMatchObject({
        difference: null,
        changedFiles: [],
      });
      await app.close();
    }
  });

  it('is continued by its own team only, while it is not over, and by one process at a time', async () => {
    const dir = await cutAfter(15);
    const app = openApp(dir, restOf(15));
    const others = { ...request, config: teamOf(['b', 'a']) };
    await expect(app.resumeRun(uncut.runId, others, signal)).rejects.toMatchObject({
      code: 'config/invalid',
    });
    const run = await app.resumeRun(uncut.runId, request, signal);
    await expect(app.resumeRun(uncut.runId, request, signal)).rejects.toMatchObject({
      code: 'storage/locked',
    });
    const elsewhere = openApp(dir, restOf(15));
    await expect(elsewhere.resumeRun(uncut.runId, request, signal)).rejects.toMatchObject({
      code: 'storage/locked',
    });
    await run.ended;
    await app.close();
    await expect(elsewhere.resumeRun(uncut.runId, request, signal)).rejects.toMatchObject({
      code: 'config/invalid',
      message: 'This run is over; there is nothing to continue.',
    });
  });

  it('is not continued once the user has chosen one of its answers', async () => {
    const lines = log.findIndex((line) => line.includes('"answer-submitted"')) + 1;
    const app = openApp(await cutAfter(lines), restOf(lines));
    const cutOff = await app.openRun(uncut.runId);
    const [label = 'agent9.1'] = cutOff
      .state()
      .agents.flatMap(({ revisions }) => revisions.map((revision) => revision.label));
    expect(cutOff.override(label)).toBe(true);
    await expect(app.resumeRun(uncut.runId, request, signal)).rejects.toMatchObject({
      code: 'config/invalid',
      message: 'You chose an answer after this run was cut off, so it does not go on.',
    });
    const again = await app.openRun(uncut.runId);
    expect(again.state().selection?.winner?.label).toBe(label);
    expect(again.override('agent9.1')).toBe(false);
  });

  it('says what to do when the folder that it worked on is gone', async () => {
    const dir = await cutAfter(15);
    const file = join(dir, 'runs', uncut.runId, 'run.jsonl');
    const gone = (await readFile(file, 'utf8')).replaceAll(project, join(home, 'gone'));
    await writeFile(file, gone);
    const app = openApp(dir, restOf(15));
    await expect(app.resumeRun(uncut.runId, request, signal)).rejects.toMatchObject({
      message: `There is nothing at ${join(home, 'gone')}.`,
      hint: expect.stringContaining('put it back there') as unknown,
    });
    expect(await readFile(file, 'utf8')).toBe(gone);
    expect(await readdir(join(dir, 'runs', uncut.runId))).not.toContain('lock.json');
  });

  it('leaves no folder of a process that was killed before the log named it', async () => {
    const dir = await cutAfter(4);
    const forsaken = join(dir, 'runs', uncut.runId, '0123456789abcdef', 'project');
    await mkdir(forsaken, { recursive: true });
    const app = openApp(dir, restOf(4));
    await (
      await app.resumeRun(uncut.runId, request, signal)
    ).ended;
    const left = await readdir(join(dir, 'runs', uncut.runId));
    expect(left.filter((name) => /^[0-9a-f]{16}$/.test(name))).toEqual([]);
  });

  it('tells that an agent goes on with another model', async () => {
    const kind = restOf(15);
    const renamed = {
      ...config,
      agents: config.agents.map((agent) => ({
        ...agent,
        backend: { ...agent.backend, model: `${agent.backend.model}-2` },
      })),
    };
    const scripted = new ScriptedKind({
      'a-2': kind.scripts['a'] ?? [],
      'b-2': kind.scripts['b'] ?? [],
    });
    const app = openApp(await cutAfter(15), scripted);
    const run = await app.resumeRun(uncut.runId, { ...request, config: renamed }, signal);
    const state = await run.ended;
    expect(state.outcome).toBe('completed');
    const warnings = state.timeline.filter(({ kind: is }) => is === 'warning');
    expect(warnings.map(({ text }) => text).filter((text) => text.includes('goes on'))).toEqual([
      'agent1 goes on with a-2. It began with a.',
      'agent2 goes on with b-2. It began with b.',
    ]);
  });

  it('is not continued from a log that plays differently', async () => {
    const dir = await cutAfter(log.length - 3);
    const file = join(dir, 'runs', uncut.runId, 'run.jsonl');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('"text":"I changed nothing."');
    await writeFile(
      file,
      text.replace('"text":"I changed nothing."', '"text":"I changed everything."'),
    );
    const app = openApp(dir, new ScriptedKind({ a: [], b: [] }));
    await expect(app.resumeRun(uncut.runId, request, signal)).rejects.toMatchObject({
      code: 'storage/corrupt',
    });
    expect(await app.replayRun(uncut.runId, signal)).toMatchObject({
      difference: { expected: expect.stringContaining('I changed everything.') as unknown },
    });
  });

  it.each([
    ['missing', 'The record of this run is damaged: 1 event is missing from event 11 on.', []],
    [
      'unreadable',
      'The record of this run is damaged: 1 line of its log is unreadable, 1 event is missing from event 11 on.',
      ['{"seq":11,"at'],
    ],
  ])('says that a line of its log is %s', async (_how, damage, instead) => {
    const dir = await cutAfter(log.length - 3);
    const file = join(dir, 'runs', uncut.runId, 'run.jsonl');
    const lines = (await readFile(file, 'utf8')).split('\n').toSpliced(12, 1, ...instead);
    await writeFile(file, lines.join('\n'));
    const app = openApp(dir, new ScriptedKind({ a: [], b: [] }));
    expect(await app.replayRun(uncut.runId, signal)).toMatchObject({ damage });
    await expect(app.resumeRun(uncut.runId, request, signal)).rejects.toMatchObject({
      code: 'storage/corrupt',
      hint: expect.stringContaining(damage) as unknown,
    });
  });

  it('says that texts beside its log are gone or not what they were', async () => {
    const dir = await cutAfter(log.length);
    const payloads = join(dir, 'runs', uncut.runId, 'payloads');
    const [first = '', second = ''] = await readdir(payloads);
    await rm(join(payloads, first));
    await truncate(join(payloads, second), 10);
    const app = openApp(dir, new ScriptedKind({}));
    expect(await app.replayRun(uncut.runId, signal)).toMatchObject({
      damage: 'The record of this run is damaged: 2 texts beside its log cannot be read.',
    });
  });

  it('is played again without the first line of its log', async () => {
    const dir = await cutAfter(log.length);
    const file = join(dir, 'runs', uncut.runId, 'run.jsonl');
    await writeFile(
      file,
      log.slice(1).map((line) => `${line}\n`),
    );
    const report = await openApp(dir, new ScriptedKind({})).replayRun(uncut.runId, signal);
    expect(report).toMatchObject({ difference: null });
  });

  it('gives the same files, and tells which ones were changed', async () => {
    const app = openApp(join(home, 'original'), new ScriptedKind({}));
    const { artifactsDir } = await app.openRun(uncut.runId);
    const report = await app.replayRun(uncut.runId, signal);
    expect(report).toMatchObject({ difference: null, changedFiles: [] });
    const table = join(artifactsDir, 'coordination_table.txt');
    const text = await readFile(table, 'utf8');
    await writeFile(table, `${text}more\n`);
    expect((await app.replayRun(uncut.runId, signal)).changedFiles).toEqual([
      'coordination_table.txt',
    ]);
    await writeFile(table, text);
  });

  it('comes out the same when it is played again, and stays as it is', async () => {
    const app = openApp(await cutAfter(log.length), new ScriptedKind({}));
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
