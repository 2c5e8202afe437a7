import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { App, ContextFolder, StartRunRequest } from '../../../src/app/app-contract';
import type { RunConfig } from '../../../src/config/run-config';
import type { RecordedEvent } from '../../../src/run/events';
import { appBench } from '../../support/app-bench';
import { askEveryTime, gate } from '../../support/run-harness';
import { say } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;

const bench = appBench({ 'greeting.txt': 'hello\n' });
let home: string;
let project: string;

beforeEach(() => {
  ({ home, project } = bench);
});

function appWith(kind: ScriptedKind, secrets: Readonly<Record<string, string>> = {}): App {
  return bench.open(kind, { secrets: { get: async (name) => secrets[name] } });
}

function request(config: RunConfig, folders?: readonly ContextFolder[]): StartRunRequest {
  return {
    task: 'Make the greeting polite.',
    config,
    folders: folders ?? [{ name: 'project', path: project, permission: 'write' }],
    unsaved: new Map(),
    commandPolicy: askEveryTime,
  };
}

const edit = {
  call: 'edit_file',
  input: { path: 'greeting.txt', old_text: 'hello', new_text: 'good morning' },
};

const politeTeam = () =>
  new ScriptedKind({
    a: [[edit], [say.answer('Now it says good morning.')], [say.vote('agent1')], ['Final.']],
    b: [[say.answer('I changed nothing.')], [say.vote('agent1')]],
  });

describe('the app', () => {
  it('plays a team on a real project and leaves the project as it is', async () => {
    const app = appWith(politeTeam());
    const run = await app.startRun(request(teamOf(['a', 'b'])), signal);
    const state = await run.ended;
    expect(state.outcome).toBe('completed');
    expect(state.review?.files.map(({ root, path, kind }) => [root, path, kind])).toEqual([
      ['project', 'greeting.txt', 'modify'],
    ]);
    expect(await readFile(join(project, 'greeting.txt'), 'utf8')).toBe('hello\n');
    expect(await readdir(project)).toEqual(['greeting.txt']);
    const proposed = await run.readSnapshotFile(
      state.review?.snapshotId ?? '',
      'project',
      'greeting.txt',
    );
    expect(new TextDecoder().decode(proposed)).toBe('good morning\n');
  });

  it('notes which agents have a planning mode of their own', async () => {
    const app = appWith(politeTeam());
    const team = teamOf(['a', 'b']);
    const agents = team.agents.map((agent, i) =>
      i === 0 ? { ...agent, planningMode: 'off' as const } : agent,
    );
    const run = await app.startRun(request({ ...team, agents }), signal);
    const state = await run.ended;
    expect(state.agents.map(({ info }) => info.planningMode)).toEqual(['off', undefined]);
  });

  it('tells each event once and in order, after it is on disk', async () => {
    const app = appWith(politeTeam());
    const run = await app.startRun(request(teamOf(['a', 'b'])), signal);
    const before = run.state().seq;
    const heard: RecordedEvent[] = [];
    run.onEvents((events) => heard.push(...events));
    const state = await run.ended;
    expect(heard.map(({ seq }) => seq)).toEqual(
      Array.from({ length: state.seq - before }, (_unused, i) => before + 1 + i),
    );
  });

  it('opens a finished run again with the same state', async () => {
    const first = appWith(politeTeam());
    const run = await first.startRun(request(teamOf(['a', 'b'])), signal);
    const state = await run.ended;
    await first.close();
    const second = appWith(politeTeam());
    const again = await second.openRun(state.runId);
    expect(again.isLive).toBe(false);
    expect(again.state()).toEqual(state);
    expect(await second.listRuns()).toMatchObject([
      { runId: state.runId, outcome: 'completed', isRunning: false },
    ]);
  });

  it('hands out one handle for a run that is open', async () => {
    const app = appWith(politeTeam());
    const run = await app.startRun(request(teamOf(['a', 'b'])), signal);
    expect(await app.openRun(run.runId)).toBe(run);
    await run.ended;
  });

  it('stops live runs when it closes, and marks them as interrupted', async () => {
    const never = gate();
    const app = appWith(new ScriptedKind({ a: [[{ until: never.opened }]] }));
    const run = await app.startRun(request(teamOf(['a'])), signal);
    await app.close();
    expect((await run.ended).outcome).toBe('interrupted');
    expect(run.isLive).toBe(false);
    await expect(app.startRun(request(teamOf(['a'])), signal)).rejects.toMatchObject({
      code: 'cancelled/shutdown',
    });
  });

  it('marks a run that was cut off as interrupted, once', async () => {
    const app = appWith(politeTeam());
    const run = await app.startRun(request(teamOf(['a', 'b'])), signal);
    const { runId } = await run.ended;
    await app.close();
    const log = join(home, 'storage', 'runs', runId, 'run.jsonl');
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
    await writeFile(log, `${lines.slice(0, 8).join('\n')}\n`);
    await rm(join(home, 'storage', 'runs', runId, 'summary.json'), { force: true });
    const opened = await appWith(politeTeam()).openRun(runId);
    expect(opened.state().outcome).toBe('interrupted');
    expect((await readFile(log, 'utf8')).trimEnd().split('\n')).toHaveLength(9);
    const third = await appWith(politeTeam()).openRun(runId);
    expect(third.state()).toEqual(opened.state());
  });

  it.each([
    ['with events of another shape', '"run-ended"', '"final-agent-selected"'],
    ['of another run under its header', '"type":"run-started","runId":"', '$&x'],
  ])('says of a log %s that it is damaged, and leaves it alone', async (_name, from, to) => {
    const app = appWith(politeTeam());
    const run = await app.startRun(request(teamOf(['a', 'b'])), signal);
    await run.ended;
    await app.close();
    const log = join(home, 'storage', 'runs', run.runId, 'run.jsonl');
    const text = (await readFile(log, 'utf8')).replace(from, to);
    await writeFile(log, text);
    const later = appWith(politeTeam());
    await expect(later.openRun(run.runId)).rejects.toMatchObject({ code: 'storage/corrupt' });
    expect(await readFile(log, 'utf8')).toBe(text);
  });

  it('shows a run that another window is writing as it is', async () => {
    const never = gate();
    const first = appWith(new ScriptedKind({ a: [['Working', { until: never.opened }]] }));
    const run = await first.startRun(request(teamOf(['a'])), signal);
    const other = appWith(politeTeam());
    expect((await other.openRun(run.runId)).state().outcome).toBeNull();
    run.stop();
    await run.ended;
    expect((await other.openRun(run.runId)).state().outcome).toBe('cancelled');
  });

  it('keeps what two windows decide about the files of one run', async () => {
    const more = { call: 'write_file', input: { path: 'more.txt', content: 'more' } };
    const first = appWith(
      new ScriptedKind({ a: [[edit, more], [say.answer('Two files.')], ['Final.']] }),
    );
    const run = await first.startRun(request(teamOf(['a'])), signal);
    await run.ended;
    const other = appWith(politeTeam());
    const seen = await other.openRun(run.runId);
    const paths = ['greeting.txt', 'more.txt'] as const;
    await run.review()?.accept([{ root: 'project', path: paths[0] }], signal);
    await seen.review()?.reject([{ root: 'project', path: paths[1] }]);
    await other.close();
    await first.close();
    const later = await appWith(politeTeam()).openRun(run.runId);
    const decisions = [['greeting.txt', 'accepted'] as const, ['more.txt', 'rejected'] as const];
    for (const state of [seen.state(), later.state()]) {
      expect(state.review?.files.map(({ path, decision }) => [path, decision])).toEqual(decisions);
    }
  });

  it('removes every loaded key from log, state and answers', async () => {
    const key = 'plain-words-that-are-a-key-0042';
    const kind = new ScriptedKind({
      a: [
        [`My key is ${key.slice(0, 9)}`, `${key.slice(9)}, is it not?`],
        [say.answer(`Use ${key}.`)],
      ],
    });
    const app = appWith(kind, { MY_KEY: key });
    const run = await app.startRun(request(teamOf(['a'], { apiKeyName: 'MY_KEY' })), signal);
    const state = await run.ended;
    const folder = join(home, 'storage', 'runs', state.runId);
    const log = await readFile(join(folder, 'run.jsonl'), 'utf8');
    expect(state.finalAnswer?.text).toBe('Use [secret removed].');
    expect(log).toContain('My key is [secret removed], is it not?');
    expect(log).not.toContain(key);
  });
});

describe('commands of a run', () => {
  const shell = {
    call: 'run_command',
    input: { command: 'echo "$MASSGEN_RUN" > here && cat here' },
  };
  const twoShells = () =>
    new ScriptedKind({
      a: [[shell], [say.answer('A.')], [say.vote('agent1')], ['Final.']],
      b: [[shell], [say.answer('B.')], [say.vote('agent1')]],
    });

  it('allowed once for the run, run for every agent in its own copy, and not in the project', async () => {
    const app = appWith(twoShells());
    const run = await app.startRun(request(teamOf(['a', 'b'])), signal);
    const asked = new Set<string>();
    run.onEvents((events) => {
      for (const { event } of events) {
        if (event.type === 'approval-requested' && asked.size === 0) {
          asked.add(event.cwd);
          run.resolveApproval(event.approvalId, event.hash, 'allow-run');
        }
      }
    });
    const state = await run.ended;
    const kept = await app.openRun(state.runId);
    expect(
      kept.state().agents.map(({ revisions }) => revisions[0]?.changes.map(({ path }) => path)),
    ).toEqual([['here'], ['here']]);
    expect(await readdir(project)).toEqual(['greeting.txt']);
    const log = await readFile(join(home, 'storage', 'runs', state.runId, 'run.jsonl'), 'utf8');
    expect(log.match(/"by":"(user|earlier-decision)"/g)?.sort()).toEqual([
      '"by":"earlier-decision"',
      '"by":"user"',
    ]);
  });

  it('denied, do not run, and the agent goes on', async () => {
    const app = appWith(twoShells());
    const run = await app.startRun(request(teamOf(['a', 'b'])), signal);
    run.onEvents((events) => {
      for (const { event } of events) {
        if (event.type === 'approval-requested') {
          run.resolveApproval(event.approvalId, event.hash, 'deny');
        }
      }
    });
    const state = await run.ended;
    expect(state.outcome).toBe('completed');
    expect(state.agents.flatMap(({ revisions }) => revisions[0]?.changes)).toEqual([]);
  });
});

describe('the review of a run', () => {
  const greeting = () => readFile(join(project, 'greeting.txt'), 'utf8');
  const finished = async (app: App) => {
    const run = await app.startRun(request(teamOf(['a', 'b'])), signal);
    await run.ended;
    return run;
  };

  it('writes an accepted file, records it, and takes it back', async () => {
    const app = appWith(politeTeam());
    const run = await finished(app);
    const review = run.review();
    expect(await review?.accept(undefined, signal)).toMatchObject([{ outcome: 'done' }]);
    expect(await greeting()).toBe('good morning\n');
    expect(run.state().review?.files).toMatchObject([{ decision: 'accepted' }]);
    expect(await app.listRuns()).toMatchObject([{ isRunning: false }]);
    await review?.undo(undefined, signal);
    expect(await greeting()).toBe('hello\n');
    expect(run.state().review?.files).toMatchObject([{ decision: 'pending' }]);
  });

  it('goes on after the run was opened again, with the decisions made before', async () => {
    const first = appWith(politeTeam());
    const { runId, review } = await finished(first).then((run) => ({
      runId: run.runId,
      review: run.review(),
    }));
    await review?.accept(undefined, signal);
    await first.close();
    const run = await appWith(politeTeam()).openRun(runId);
    expect(run.state().review?.files).toMatchObject([{ decision: 'accepted' }]);
    await run.review()?.undo(undefined, signal);
    expect(await greeting()).toBe('hello\n');
  });

  it('is one session per run, and none where nothing was changed', async () => {
    const run = await finished(appWith(politeTeam()));
    expect(run.review()).toBe(run.review());
    const idle = new ScriptedKind({ a: [[say.answer('Nothing to do.')]] });
    const other = await appWith(idle).startRun(request(teamOf(['a'])), signal);
    await other.ended;
    expect(other.review()).toBeUndefined();
  });
});

describe('what the app refuses before anything is sent', () => {
  it.each([
    ['a key that is not set', teamOf(['a'], { apiKeyName: 'MY_KEY' }), 'config/missing-secret'],
    [
      'a backend that it does not know',
      teamOf(['a'], { type: 'nonsense' }),
      'config/unknown-backend',
    ],
    ['a team without agents', teamOf([]), 'config/invalid'],
  ])('%s', async (_name, config, code) => {
    const app = appWith(politeTeam());
    await expect(app.startRun(request(config), signal)).rejects.toMatchObject({ code });
    expect(await app.listRuns()).toEqual([]);
  });

  it('a folder that is not there', async () => {
    const app = appWith(politeTeam());
    const folders = [{ name: 'x', path: join(home, 'gone'), permission: 'read' as const }];
    await expect(app.startRun(request(teamOf(['a']), folders), signal)).rejects.toMatchObject({
      code: 'config/invalid',
    });
  });

  it('a task that a script does not know, with the reason of the script', async () => {
    const kind = new ScriptedKind({}, { knownTask: 'Another task.' });
    await expect(appWith(kind).startRun(request(teamOf(['a'])), signal)).rejects.toMatchObject({
      code: 'backend/unavailable',
      message: 'This script knows another task only.',
    });
  });

  it('an empty task', async () => {
    const bad = { ...request(teamOf(['a'])), task: ' \n' };
    await expect(appWith(politeTeam()).startRun(bad, signal)).rejects.toMatchObject({
      code: 'config/invalid',
    });
  });

  it('and closes the models it had made already', async () => {
    const kind = politeTeam();
    const config = teamOf(['a', 'b']);
    const [first, second] = config.agents;
    if (first === undefined || second === undefined) throw new Error('two agents');
    const keyed = { ...second, backend: { ...second.backend, apiKeyName: 'TAKEN_AWAY' } };
    const values = ['there when it is looked for'];
    const app = bench.open(kind, { secrets: { get: async () => values.shift() } });
    await expect(
      app.startRun(request({ ...config, agents: [first, keyed] }), signal),
    ).rejects.toMatchObject({ code: 'config/missing-secret' });
    expect(kind.made.map(({ isClosed }) => isClosed)).toEqual([true]);
  });
});
