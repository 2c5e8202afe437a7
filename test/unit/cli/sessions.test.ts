// Sessions of the command line: listed from anywhere, gone on with from anywhere, together with those of the editor.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { App, StartRunRequest } from '../../../src/app/app-contract';
import { appOver } from '../../support/app-bench';
import { type CliResult, finished, installCli, type InstalledCli } from '../../support/built-cli';
import { CliStage, words } from '../../support/cli-stage';
import { askEveryTime, gate } from '../../support/run-harness';
import { say, type ScriptedResponse } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;

let install: InstalledCli;
let stage: CliStage;
/** A folder that has nothing to do with the one of the first turn. */
let elsewhere: string;

beforeAll(async () => {
  install = await installCli();
});
beforeEach(() => {
  stage = new CliStage(install);
  elsewhere = mkdtempSync(join(tmpdir(), 'massgen-elsewhere-'));
});
afterEach(async () => {
  await stage.close();
  rmSync(elsewhere, { recursive: true, force: true });
});

const colors = {
  painter: [
    { ...words.answer('Navy.'), when: { contains: 'Which shade?' } },
    words.answer('It is blue.'),
  ],
};

interface Entry {
  readonly session_id: string;
  readonly status: string;
}
const entries = (): readonly Entry[] =>
  (JSON.parse(readFileSync(stage.registry, 'utf8')) as { sessions: readonly Entry[] }).sessions;

const dirOf = ({ output }: CliResult): string => /^LOG_DIR: (.+)$/m.exec(output)?.[1] ?? '';
const turnOf = ({ output }: CliResult): string =>
  /^STATUS: .*\/(turn_\d+)\//m.exec(output)?.[1] ?? '';

/** An editor of another process and storage, over the same list. */
function editor(script: readonly ScriptedResponse[]): App {
  const kind = new ScriptedKind({ painter: script });
  const app = appOver(join(stage.home, 'editor-storage'), kind, {
    origin: 'vscode',
    registryFile: stage.registry,
  });
  onTestFinished(() => app.close());
  return app;
}

function request(task: string, more: Partial<StartRunRequest> = {}): StartRunRequest {
  return {
    ...{ task, config: teamOf(['painter']), folders: [] },
    ...{ unsaved: new Map<string, Uint8Array>(), commandPolicy: askEveryTime, ...more },
  };
}

describe('a session of the command line', () => {
  it('goes on from another folder by its id, with all that was said', async () => {
    const { file, service } = await stage.team(colors);
    const first = await stage.massgen('Which color?', '--config', file, '--automation');
    const [{ session_id: id } = { session_id: '' }] = entries();
    const args = ['Which shade?', '--config', file, '--automation', '--session-id', id];
    const second = await stage.massgenIn(elsewhere, ...args);
    expect(second.notes).not.toContain('massgen:');
    expect(second.code).toBe(0);
    expect([dirOf(second), turnOf(second)]).toEqual([dirOf(first), 'turn_2']);
    const asked = JSON.stringify(service.journal.at(-1)?.body);
    expect(asked).toContain('Which color?');
    expect(asked).toContain('It is blue.');
    const session = join(stage.storage, 'sessions', id);
    expect(readFileSync(join(session, 'turn_1', 'answer.txt'), 'utf8')).toBe('It is blue.');
    expect(readFileSync(join(session, 'turn_2', 'answer.txt'), 'utf8')).toBe('Navy.');
    expect(JSON.parse(readFileSync(join(session, 'winning_agents_history.json'), 'utf8'))).toEqual([
      { agent_id: 'painter', turn: 1 },
      { agent_id: 'painter', turn: 2 },
    ]);
    expect(entries()).toMatchObject([{ session_id: id, status: 'completed' }]);
  });

  it('goes on with --continue from a folder of no session, and says with which one', async () => {
    const { file } = await stage.team(colors);
    await stage.massgen('Which color?', '--config', file, '--automation');
    const args = ['Which shade?', '--config', file, '--automation', '--continue'];
    const second = await stage.massgenIn(elsewhere, ...args);
    expect(second.code).toBe(0);
    expect(turnOf(second)).toBe('turn_2');
    expect(second.notes).toContain('going on with the newest one: Which color?');
  });

  it.each([
    ['--session-id', ['--session-id', 'nobody'], 'There is no session nobody.'],
    ['--continue', ['--continue'], 'No session has an answer yet.'],
  ])('that is not there leaves with 1 and a hint: %s', async (_name, args, message) => {
    const { file, service } = await stage.team(colors);
    const result = await stage.massgen('And?', '--config', file, '--automation', ...args);
    expect(result.code).toBe(1);
    expect(result.output).toBe('');
    expect(result.notes).toContain(message);
    expect(result.notes).toContain('--list-sessions');
    expect(service.journal).toEqual([]);
  });

  it('of another program is named as such', async () => {
    mkdirSync(join(stage.home, '.massgen'));
    const foreign = { session_id: 'session_20251101_120000', start_time: '2025-11-01T12:00:00' };
    writeFileSync(stage.registry, JSON.stringify({ sessions: [foreign] }));
    const { file } = await stage.team(colors);
    const args = ['And?', '--config', file, '--session-id', 'session_20251101_120000'];
    const result = await stage.massgen(...args);
    expect(result.code).toBe(1);
    expect(result.notes).toContain('was written by another program');
    expect((await stage.massgen('--list-sessions')).output).toContain('session_20251101_120000');
  });

  it('is the one that the team file names', async () => {
    const { file } = await stage.team(colors, 'session_id: colors\n');
    await stage.massgen('Which color?', '--config', file, '--automation');
    const second = await stage.massgenIn(
      ...([elsewhere, 'Which shade?', '--config', file, '--automation'] as const),
    );
    expect(turnOf(second)).toBe('turn_2');
    expect(entries()).toMatchObject([{ session_id: 'colors' }]);
  });

  it('is noted nowhere with --no-session-registry, and goes on by its id all the same', async () => {
    const { file } = await stage.team(colors);
    const args = ['--config', file, '--automation'];
    const first = await stage.massgen('Which color?', '--no-session-registry', ...args);
    expect(existsSync(stage.registry)).toBe(false);
    expect((await stage.massgen('--list-sessions')).output).toBe('No sessions found.\n');
    const [run] = JSON.parse((await stage.massgen('runs', '--json')).output) as {
      readonly session_id: string;
    }[];
    const id = run?.session_id ?? '';
    const second = await stage.massgen('Which shade?', '--session-id', id, ...args);
    expect([dirOf(second), turnOf(second)]).toEqual([dirOf(first), 'turn_2']);
  });
});

describe('massgen --list-sessions', () => {
  it('lists the newest sessions in the documented columns, from any folder', async () => {
    const none = await stage.massgenIn(elsewhere, '--list-sessions');
    expect(none).toEqual({ code: 0, output: 'No sessions found.\n', notes: '' });
    const { file } = await stage.team(colors);
    await stage.massgen('Which color?', '--config', file, '--automation');
    const id = entries()[0]?.session_id ?? '';
    const { code, output } = await stage.massgenIn(elsewhere, '--list-sessions');
    expect(code).toBe(0);
    const [header = '', , row = '', ...rest] = output.split('\n');
    expect(header.split(/ {2,}/)).toEqual(['Session', 'Started', 'Status', 'Model']);
    expect(row.split(/ {2,}/)).toMatchObject([
      ...[id, expect.stringMatching(/\d:\d\d/) as unknown, 'completed', 'painter'],
    ]);
    expect(rest).toEqual(['']);
  });

  it('tells everything about each with --all, and the same as JSON', async () => {
    const { file } = await stage.team(colors);
    await stage.massgen('Which color?', '--config', file, '--automation');
    const id = entries()[0]?.session_id ?? '';
    const { output } = await stage.massgenIn(elsewhere, '--list-sessions', '--all');
    const started = /Started: (\S+)/.exec(output)?.[1] ?? '';
    expect(output).toBe(
      [
        ...[id, '  Status: completed', `  Started: ${started}`, '  Model: painter'],
        ...['  Description: Which color?', '  Config: team-1.yaml', '  Begun in: the command line'],
        ...['  Runs: 1 run', `  Kept in: ${stage.storage}`, ''],
      ].join('\n'),
    );
    const { output: json } = await stage.massgenIn(elsewhere, '--list-sessions', '--json');
    expect(JSON.parse(json)).toMatchObject([
      { session_id: id, status: 'completed', origin: 'cli', data_path: stage.storage, runs: [id] },
    ]);
  });
});

describe('sessions of the editor', () => {
  it('go on at the command line, in the storage of the editor', async () => {
    const app = editor([[say.answer('It is blue.')]]);
    const folders = [{ name: 'project', path: stage.project, permission: 'read' as const }];
    const run = await app.startRun(request('Which color?', { folders }), signal);
    await run.ended;
    await app.close();
    const { file, service } = await stage.team(colors);
    const second = await stage.massgen(
      ...['Which shade?', '--config', file, '--automation', '--continue'],
    );
    expect(second.code).toBe(0);
    expect(turnOf(second)).toBe('turn_2');
    expect(dirOf(second).startsWith(join(stage.home, 'editor-storage'))).toBe(true);
    expect(JSON.stringify(service.journal[0]?.body)).toContain('It is blue.');
    expect(existsSync(join(stage.storage, 'massgen_logs'))).toBe(false);
    expect((await stage.massgen('--list-sessions', '--all')).output).toContain('Begun in: VS Code');
  });

  it('cannot be gone on with while the editor plays them', async () => {
    const held = gate();
    const app = editor([[{ until: held.opened }, say.answer('It is blue.')]]);
    const run = await app.startRun(request('Which color?'), signal);
    const { file, service } = await stage.team(colors);
    const args = ['And?', '--config', file, '--automation', '--session-id', run.runId];
    const refused = await stage.massgen(...args);
    expect(refused.notes).toContain('has not ended yet');
    expect(refused.code).toBe(2);
    expect(service.journal).toEqual([]);
    expect((await stage.massgen('--list-sessions')).output).toMatch(/ active /);
    held.open();
    await run.ended;
    await app.close();
    expect((await stage.massgen(...args)).code).toBe(0);
  });

  it('that the command line plays are shown to the editor without a write', async () => {
    const { file, service } = await stage.team({ painter: [words.hang] });
    const child = stage.start(['Which color?', '--config', file, '--automation']);
    const ended = finished(child);
    await service.arrived(1);
    const app = editor([[say.answer('Navy.')]]);
    const [session] = await app.listSessions();
    expect(session).toMatchObject({ isActive: true, isOwn: false, origin: 'cli' });
    const id = session?.runs[0]?.runId ?? '';
    expect((await app.openRun(id)).state()).toMatchObject({ task: 'Which color?', outcome: null });
    await expect(app.startRun(request('And?', { follows: id }), signal)).rejects.toMatchObject({
      code: 'storage/locked',
    });
    child.kill('SIGINT');
    expect((await ended).code).toBe(4);
    const next = await app.startRun(request('And?', { follows: id }), signal);
    expect((await next.ended).session).toMatchObject({ sessionId: id });
  });
});
