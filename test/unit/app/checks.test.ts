// Checks of a run through the whole product, with scripted models over a real project.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { App, RunHandle, StartRunRequest } from '../../../src/app/app-contract';
import type { CommandPolicy } from '../../../src/core/ports/approvals';
import type { CheckSpec } from '../../../src/run/check-facts';
import { isExcluded } from '../../../src/run/checks';
import { appBench } from '../../support/app-bench';
import { say, type ScriptStep } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;
const allowAll: CommandPolicy = {
  decide: () => ({ isAllowed: true, by: 'policy' }),
  remember: async () => undefined,
};

const bench = appBench({ 'greeting.txt': 'hello\n' });
let home: string;
let project: string;

beforeEach(() => {
  ({ home, project } = bench);
});

function appWith(kind: ScriptedKind): App {
  return bench.open(kind);
}

const one = (name: string, command: string): CheckSpec => ({
  ...{ name, command, kind: 'test', timeoutMs: 60_000, mode: 'gate' },
});

const noShouting = one('quiet', '! grep -q HELLO greeting.txt');

const edit = (text: string): ScriptStep => ({
  call: 'edit_file',
  input: { path: 'greeting.txt', old_text: 'hello', new_text: text },
});

/** The first shouts, which the check does not like; the second is polite, and both vote for it. */
const shouting = (): ScriptedKind =>
  new ScriptedKind({
    a: [[edit('HELLO')], [say.answer('Louder.')], [say.vote('agent2')]],
    b: [[edit('good day')], [say.answer('Polite.')], [say.vote('agent2')]],
  });

function request(more: Partial<StartRunRequest> = {}): StartRunRequest {
  const team = teamOf(['a', 'b']);
  return {
    task: 'Change the greeting.',
    config: { ...team, settings: { ...team.settings, finalAnswerStrategy: 'winner_reuse' } },
    folders: [{ name: 'project', path: project, permission: 'write' }],
    unsaved: new Map(),
    commandPolicy: allowAll,
    checks: [noShouting],
    ...more,
  };
}

async function played(app: App, asked = request()): Promise<RunHandle> {
  const run = await app.startRun(asked, signal);
  await run.ended;
  return run;
}

describe('the checks that the user chose', () => {
  it('keep an answer that fails them anew out of the vote', async () => {
    const run = await played(appWith(shouting()));
    const state = run.state();
    expect(state.settings.checks).toEqual([noShouting]);
    expect(state.checks?.baseline?.report?.results.map(({ status }) => status)).toEqual(['passed']);
    expect(isExcluded(state, 'agent1.1')).toBe(true);
    expect(isExcluded(state, 'agent2.1')).toBe(false);
    expect(state.selection?.winner?.label).toBe('agent2.1');
    expect(await readFile(join(project, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });

  it('are told in the status file', async () => {
    const app = appWith(shouting());
    const run = await played(app);
    await app.close();
    const status: unknown = JSON.parse(
      await readFile(join(run.artifactsDir, 'status.json'), 'utf8'),
    );
    expect(status).toMatchObject({
      results: {
        checks: {
          baseline: [{ name: 'quiet', status: 'passed' }],
          answers: {
            'agent1.1': [
              { name: 'quiet', status: 'failed', comparison: 'regression', flaky: false },
            ],
            'agent2.1': [{ name: 'quiet', status: 'passed', comparison: 'same', flaky: false }],
          },
        },
      },
    });
  });

  it('count only where the team has none, and where there is a folder', async () => {
    const asked = request();
    const settings = { ...asked.config.settings, checks: [] };
    const none = await played(
      appWith(shouting()),
      request({ config: { ...asked.config, settings } }),
    );
    expect(none.state().settings.checks).toEqual([]);
    expect(none.state().checks).toBeUndefined();
    const app = appWith(new ScriptedKind({ a: [[say.answer('x')]], b: [[say.answer('y')]] }));
    const run = await app.startRun(request({ folders: [] }), signal);
    expect(run.state().settings.checks).toBeUndefined();
    run.stop();
    await run.ended;
  });

  it('are played again from the log, and nothing of them is run', async () => {
    const app = appWith(shouting());
    const { runId } = await played(app);
    await rm(join(home, 'storage', 'runs', runId, 'checks.jsonl'));
    expect(await app.replayRun(runId, signal)).toMatchObject({ difference: null });
    expect(await readdir(join(home, 'storage', 'runs', runId))).not.toContain('checks.jsonl');
  });
});

describe('a proposal', () => {
  it('is checked as the user has put it together, also when the run is opened later', async () => {
    const first = appWith(shouting());
    const { runId } = await played(first);
    await first.close();
    const run = await appWith(new ScriptedKind({})).openRun(runId);
    const report = await run.checkMix(signal);
    expect(report?.results.map(({ status, comparison }) => [status, comparison])).toEqual([
      ['passed', 'same'],
    ]);
    const { checks, review } = run.state();
    expect(Object.keys(checks?.mixes ?? {})).toEqual([review?.checkedMix]);
  });

  it('is checked anew over what the user has changed since', async () => {
    const run = await played(
      appWith(shouting()),
      request({ checks: [one('tidy', 'test ! -e left-over.txt')] }),
    );
    const results = async (): Promise<readonly unknown[]> =>
      (await run.checkMix(signal))?.results.map(({ status, isCached }) => [status, isCached]) ?? [];
    expect(await results()).toEqual([['passed', false]]);
    await writeFile(join(project, 'left-over.txt'), '');
    expect(await results()).toEqual([['failed', false]]);
  });

  it('says that its checks were stopped', async () => {
    const run = await played(appWith(shouting()), request({ checks: [one('slow', 'sleep 0.1')] }));
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(run.checkMix(stop.signal)).rejects.toThrow('enough');
    const mixes = Object.values(run.state().checks?.mixes ?? {});
    expect(mixes.every(({ report }) => report !== null)).toBe(true);
  });

  it('has no checks in a run without any', async () => {
    const run = await played(appWith(shouting()), request({ checks: [] }));
    expect(await run.checkMix(signal)).toBeUndefined();
  });

  it('can be applied by itself, which the log tells apart from the word of the user', async () => {
    const run = await played(appWith(shouting()));
    const results = await run.applyAutomatically({ onDrift: 'skip' }, signal);
    expect(results.map(({ path, outcome }) => [path, outcome])).toEqual([['greeting.txt', 'done']]);
    expect(await readFile(join(project, 'greeting.txt'), 'utf8')).toBe('good day\n');
    const log = await readFile(join(home, 'storage', 'runs', run.runId, 'run.jsonl'), 'utf8');
    expect(log).toMatch(/"type":"file-decided"[^\n]*"by":"auto"/);
  });

  it('is never applied by itself when it fails what keeps it out, whoever chose it', async () => {
    const run = await played(appWith(shouting()));
    expect(run.override('agent1.1')).toBe(true);
    expect(run.state().review?.label).toBe('agent1.1');
    expect(await run.applyAutomatically({ onDrift: 'merge' }, signal)).toEqual([]);
    expect(await readFile(join(project, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });

  it('is left alone by itself where the file changed since the run began', async () => {
    const run = await played(appWith(shouting()));
    await writeFile(join(project, 'greeting.txt'), 'my own\n');
    const results = await run.applyAutomatically({ onDrift: 'skip' }, signal);
    expect(results.map(({ outcome }) => outcome)).toEqual(['skipped']);
    expect(await readFile(join(project, 'greeting.txt'), 'utf8')).toBe('my own\n');
  });
});

describe('an answer that was taken while a command of it still ran', () => {
  it('is not applied by itself', async () => {
    const wait = { command: 'sleep 600', background: true };
    const working = new ScriptedKind({
      a: [[edit('HELLO')], [say.answer('Louder.')], [say.vote('agent2')]],
      b: [
        [edit('good day'), { call: 'run_command', input: wait }],
        [say.answer('Polite.')],
        [say.vote('agent2')],
      ],
    });
    const run = await played(appWith(working), request({ checks: [] }));
    expect(run.state().review?.label).toBe('agent2.1');
    const results = await run.applyAutomatically({ onDrift: 'merge' }, signal);
    expect(results.map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['skipped', expect.stringMatching(/half written/)],
    ]);
    expect(await readFile(join(project, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });
});

describe('an answer that is tried', () => {
  it('is the whole project with its changes, in a folder that can be cleaned up', async () => {
    const app = appWith(shouting());
    await writeFile(join(project, 'other.txt'), 'as it was\n');
    await writeFile(join(project, '.env'), 'KEY=value\n');
    const run = await played(app);
    const dir = await run.tryAnswer('agent1.1', signal);
    expect(await readFile(join(dir, 'greeting.txt'), 'utf8')).toBe('HELLO\n');
    expect(await readFile(join(dir, 'other.txt'), 'utf8')).toBe('as it was\n');
    expect((await readdir(dir)).sort()).toEqual(['greeting.txt', 'other.txt']);
    await writeFile(join(dir, 'other.txt'), 'changed\n');
    expect(await readFile(join(project, 'other.txt'), 'utf8')).toBe('as it was\n');
    const tried = (await app.storageUse(signal)).items.filter(({ kind }) => kind === 'tried');
    expect(tried).toHaveLength(1);
    expect(
      await app.cleanUp(
        tried.map(({ id }) => id),
        signal,
      ),
    ).toBeGreaterThan(0);
    expect(await readdir(join(home, 'storage', 'tried'))).toEqual([]);
  });
});
