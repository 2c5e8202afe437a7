// Sessions of several shells: each keeps its own storage, and one list says where everything is.
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { App, SessionOrigin, StartRunRequest } from '../../../src/app/app-contract';
import { appBench, appOver } from '../../support/app-bench';
import { askEveryTime, gate } from '../../support/run-harness';
import { say, type ScriptedResponse } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;
const bench = appBench();
let home: string;
let registryFile: string;

beforeEach(() => {
  ({ home } = bench);
  registryFile = join(home, '.massgen', 'sessions.json');
});

const once: readonly ScriptedResponse[] = [[say.answer('It is blue.')]];

/** A shell with a storage of its own, named like it. */
function shell(
  origin: SessionOrigin,
  script: readonly ScriptedResponse[] = once,
  more: { readonly storage?: string; readonly isUnlisted?: boolean } = {},
): App {
  const kind = new ScriptedKind({ a: script });
  const app = appOver(join(home, more.storage ?? origin), kind, {
    origin,
    ...(more.isUnlisted === true ? {} : { registryFile }),
  });
  onTestFinished(() => app.close());
  return app;
}

function request(task: string, more: Partial<StartRunRequest> = {}): StartRunRequest {
  return {
    ...{ task, config: teamOf(['a']), folders: [] },
    ...{ unsaved: new Map<string, Uint8Array>(), commandPolicy: askEveryTime, ...more },
  };
}

async function played(
  app: App,
  task: string,
  more: Partial<StartRunRequest> = {},
): Promise<string> {
  const run = await app.startRun(request(task, more), signal);
  await run.ended;
  await app.close();
  return run.runId;
}

const entries = (): unknown[] =>
  (JSON.parse(readFileSync(registryFile, 'utf8')) as { sessions: unknown[] }).sessions;
const names = (...path: readonly string[]): readonly string[] => {
  const dir = join(home, ...path);
  return existsSync(dir) ? readdirSync(dir) : [];
};

describe('the sessions of all shells', () => {
  it('are noted with their place before the first turn, and as over when they are', async () => {
    const held = gate();
    const app = shell('cli', [[{ until: held.opened }, say.answer('Blue.')]]);
    const run = await app.startRun(request('Which color?'), signal);
    const noted = {
      session_id: run.runId,
      description: 'Which color?',
      data_path: join(home, 'cli'),
      origin: 'cli',
      log_directory: join(run.artifactsDir, '..'),
    };
    expect(entries()).toMatchObject([{ ...noted, status: 'active', end_time: null }]);
    held.open();
    await run.ended;
    expect(entries()).toMatchObject([
      { ...noted, status: 'completed', end_time: expect.any(String) as string },
    ]);
  });

  it('are over after a failure and after a stop, too', async () => {
    await played(shell('cli', []), 'Fails.');
    expect(entries()).toMatchObject([{ status: 'completed' }]);
  });

  it('can be opened and gone on with by another shell, where they lie', async () => {
    const first = await played(shell('cli'), 'Which color?');
    const app = shell('vscode', [[say.answer('Navy.')]]);
    expect(await app.listSessions()).toMatchObject([
      {
        ...{ sessionId: first, origin: 'cli', isOwn: false, isActive: false },
        ...{ dataPath: join(home, 'cli'), runs: [{ runId: first, task: 'Which color?' }] },
      },
    ]);
    expect((await app.openRun(first)).state().finalAnswer?.text).toBe('It is blue.');
    const next = await app.startRun(request('Which shade?', { follows: first }), signal);
    const { session } = await next.ended;
    expect(session).toMatchObject({
      ...{ sessionId: first, turn: 2 },
      history: [{ turn: 1, task: 'Which color?', answer: 'It is blue.' }],
    });
    await app.close();
    expect(names('vscode', 'runs')).toEqual([]);
    expect(names('cli', 'runs').toSorted()).toEqual([first, next.runId].toSorted());
    expect(names('cli', 'sessions', first)).toContain('turn_2');
    expect(entries()).toMatchObject([
      { session_id: first, origin: 'cli', description: 'Which color?', status: 'completed' },
    ]);
  });

  it('are read only while another shell plays them', async () => {
    const held = gate();
    const playing = shell('cli', [[{ until: held.opened }, say.answer('Blue.')]]);
    const run = await playing.startRun(request('Which color?'), signal);
    const app = shell('vscode');
    expect(await app.listSessions()).toMatchObject([{ isActive: true, endedAt: null }]);
    const log = join(home, 'cli', 'runs', run.runId, 'run.jsonl');
    const before = readFileSync(log, 'utf8');
    const seen = await app.openRun(run.runId);
    expect(seen).toMatchObject({ isLive: false });
    expect(seen.state().outcome).toBe(null);
    await expect(
      app.startRun(request('Which shade?', { follows: run.runId }), signal),
    ).rejects.toMatchObject({ code: 'storage/locked' });
    expect(readFileSync(log, 'utf8')).toBe(before);
    held.open();
    await run.ended;
    const next = await app.startRun(request('Which shade?', { follows: run.runId }), signal);
    expect((await next.ended).session).toMatchObject({ turn: 2 });
  });

  it('count for the newest run about a folder, wherever it is kept', async () => {
    const folder = join(home, 'project');
    const folders = [{ name: 'project', path: folder, permission: 'read' as const }];
    const first = await played(shell('vscode'), 'Here.', { folders });
    const second = await played(shell('api'), 'Elsewhere.');
    const app = shell('cli');
    expect(await app.runToContinue({ folder })).toBe(first);
    expect(await app.runToContinue({ sessionId: first })).toBe(first);
    expect(await app.runToContinue('newest')).toBe(second);
    expect(await app.runToContinue({ folder: home })).toBe(undefined);
  });

  it('never go on in a folder that holds them', async () => {
    const first = await played(shell('cli'), 'Which color?');
    const folders = [{ name: 'home', path: home, permission: 'read' as const }];
    const again = { follows: first, folders };
    await expect(
      shell('vscode').startRun(request('Which shade?', again), signal),
    ).rejects.toMatchObject({ code: 'config/invalid' });
  });

  it('leave out what is gone, and keep what other programs have written', async () => {
    mkdirSync(join(home, '.massgen'));
    const foreign = {
      ...{ session_id: 'session_20251101_120000', start_time: '2025-11-01T12:00:00' },
      ...{ end_time: null, status: 'active', config_path: 'a.yaml', note: 'x' },
    };
    writeFileSync(registryFile, JSON.stringify({ sessions: [foreign] }));
    await played(shell('cli'), 'Which color?');
    rmSync(join(home, 'cli', 'runs'), { recursive: true });
    expect(await shell('vscode').listSessions()).toMatchObject([
      { sessionId: 'session_20251101_120000', origin: null, dataPath: null, runs: [] },
    ]);
    expect(entries()[0]).toEqual(foreign);
  });

  it('are forgotten with their runs, when those are removed', async () => {
    const first = await played(shell('cli'), 'Which color?');
    const second = await played(shell('cli'), 'Which shade?');
    const app = shell('cli');
    expect(await app.cleanUp([`run:${first}`], signal)).toBeGreaterThan(0);
    expect(entries()).toMatchObject([{ session_id: second }]);
  });

  it('are unknown to a shell without the list, which notes none', async () => {
    const app = shell('cli', once, { isUnlisted: true });
    const run = await app.startRun(request('Which color?'), signal);
    await run.ended;
    expect(await app.listSessions()).toEqual([]);
    expect(existsSync(registryFile)).toBe(false);
  });
});

describe('a session with a name', () => {
  it('begins with the first run that names it, and goes on with the next', async () => {
    await played(shell('cli'), 'Which color?', { sessionId: 'colors' });
    const app = shell('cli', [[say.answer('Navy.')]]);
    const run = await app.startRun(request('Which shade?', { sessionId: 'colors' }), signal);
    expect((await run.ended).session).toMatchObject({
      ...{ sessionId: 'colors', turn: 2 },
      history: [{ turn: 1, task: 'Which color?', answer: 'It is blue.' }],
    });
    expect(entries()).toMatchObject([{ session_id: 'colors' }]);
    expect(names('cli', 'massgen_logs', 'log_colors').toSorted()).toEqual(['turn_1', 'turn_2']);
  });

  it.each(['gone', 'file', 'without the session'])(
    'is never written to a place of the list where it is not: %s',
    async (kind) => {
      const place = join(home, 'strange');
      if (kind === 'file') {
        writeFileSync(place, 'x');
      } else if (kind === 'without the session') {
        await played(shell('vscode', once, { storage: 'strange' }), 'Other.');
      }
      const before = names('strange', 'runs');
      mkdirSync(join(home, '.massgen'), { recursive: true });
      const wrong = { session_id: 'colors', data_path: place, origin: 'vscode' };
      writeFileSync(registryFile, JSON.stringify({ sessions: [wrong] }));
      const runId = await played(shell('cli'), 'Which color?', { sessionId: 'colors' });
      expect(names('cli', 'runs')).toEqual([runId]);
      expect(existsSync(place)).toBe(kind !== 'gone');
      expect(names('strange', 'runs')).toEqual(before);
      expect(entries()).toMatchObject([{ session_id: 'colors', data_path: join(home, 'cli') }]);
    },
  );

  // Only an administrator can give a folder away.
  it.skipIf(process.getuid?.() !== 0)('is left alone in a folder of somebody else', async () => {
    const first = await played(shell('vscode'), 'Which color?', { sessionId: 'colors' });
    chownSync(join(home, 'vscode'), 54_321, 54_321);
    const app = shell('cli');
    expect(await app.listSessions()).toEqual([]);
    await expect(app.openRun(first)).rejects.toMatchObject({ code: 'storage/failed' });
    const before = readdirSync(join(home, 'vscode', 'runs'));
    await played(app, 'Which shade?', { sessionId: 'colors' });
    expect(readdirSync(join(home, 'vscode', 'runs'))).toEqual(before);
  });

  it('is played by one at a time', async () => {
    const held = gate();
    const app = shell('cli', [[{ until: held.opened }, say.answer('Blue.')]]);
    const run = await app.startRun(request('Which color?', { sessionId: 'colors' }), signal);
    await expect(
      shell('cli').startRun(request('And?', { sessionId: 'colors' }), signal),
    ).rejects.toMatchObject({ code: 'storage/locked' });
    held.open();
    await run.ended;
  });

  it('cannot be named like anything but a folder of its own', async () => {
    await expect(
      shell('cli').startRun(request('And?', { sessionId: '../x' }), signal),
    ).rejects.toMatchObject({ code: 'storage/failed' });
  });
});
