import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { App, RunHandle, StartRunRequest } from '../../../src/app/app-contract';
import type { CoordinationSettings } from '../../../src/run/coordination-settings';
import type { RunState } from '../../../src/run/state';
import { appBench } from '../../support/app-bench';
import { askEveryTime, gate } from '../../support/run-harness';
import { say, type ScriptedResponse } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;

const bench = appBench();
let home: string;
let project: string;

beforeEach(() => {
  ({ home, project } = bench);
});

type Scripts = Readonly<Record<string, readonly ScriptedResponse[]>>;

function appWith(scripts: Scripts): { readonly app: App; readonly kind: ScriptedKind } {
  const kind = new ScriptedKind(scripts, {
    price: { inputUsd: 1_000, cachedInputUsd: 1_000, outputUsd: 1_000 },
  });
  return { app: bench.open(kind), kind };
}

interface Follow {
  readonly follows?: string;
  readonly settings?: Partial<CoordinationSettings>;
  readonly members?: readonly string[];
}

function request(task: string, { follows, settings, members }: Follow = {}): StartRunRequest {
  const team = teamOf(members ?? ['a', 'b']);
  return {
    task,
    config: { ...team, settings: { ...team.settings, ...settings } },
    folders: [],
    unsaved: new Map(),
    commandPolicy: askEveryTime,
    ...(follows === undefined ? {} : { follows }),
  };
}

const paid = { usage: { inputTokens: 40, outputTokens: 10 } };
const note = { call: 'write_file', input: { path: 'r.md', content: 'What was found.\n' } };

/** The first member writes a file and wins; the other answers something that nobody shall hear of. */
const firstTurn: Scripts = {
  a: [
    [note, paid],
    [say.answer('It is blue.')],
    [say.vote('agent1', 'Private reason.')],
    ['Blue.'],
  ],
  b: [[say.answer('Perhaps green.')], [say.vote('agent1')]],
};
const secondTurn: Scripts = {
  a: [[say.answer('Navy.'), paid], [say.vote('agent1')], ['Navy it is.']],
  b: [[say.answer('Sky.')], [say.vote('agent1')]],
};

async function played(
  scripts: Scripts,
  task: string,
  follow: Follow = {},
): Promise<RunState & { readonly sent: string }> {
  const { app, kind } = appWith(scripts);
  const run = await app.startRun(request(task, follow), signal);
  const state = await run.ended;
  await app.close();
  return { ...state, sent: JSON.stringify(kind.made.map(({ requests }) => requests)) };
}

const sessionDir = (id: string): string => join(home, 'storage', 'sessions', id);
const inSession = (id: string, ...path: readonly string[]): string => join(sessionDir(id), ...path);
const text = (path: string): string => readFileSync(path, 'utf8');
const json = (path: string): unknown => JSON.parse(text(path));

describe('a follow-up', () => {
  it('T1: tells the next turn task and final answer, and nothing of peers and votes', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    expect(second.outcome).toBe('completed');
    expect(second.session).toMatchObject({
      sessionId: first.runId,
      turn: 2,
      history: [{ turn: 1, task: 'Which color?', answer: 'Blue.' }],
    });
    expect(Object.keys(second.session?.history[0] ?? {}).sort()).toEqual([
      'answer',
      'task',
      'turn',
    ]);
    expect(second.sent).toContain('Which color?');
    expect(second.sent).not.toContain('Perhaps green');
    expect(second.sent).not.toContain('Private reason');
  });

  it('T2: begins with the files of the winner, which stand in the session, too', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played(
      {
        a: [
          [{ call: 'read_file', input: { path: 'r.md' } }],
          [say.answer('Navy.')],
          [say.vote('agent1')],
          ['Navy it is.'],
        ],
        b: [
          [{ call: 'read_file', input: { path: 'r.md' } }],
          [say.answer('Sky.')],
          [say.vote('agent1')],
        ],
      },
      'Which shade?',
      { follows: first.runId },
    );
    const [winner] = first.agents;
    expect(second.session?.seed).toEqual({
      runId: first.runId,
      snapshotId: winner?.revisions[0]?.snapshotId,
    });
    expect(second.sent.split('What was found.').length - 1).toBeGreaterThanOrEqual(2);
    expect(text(inSession(first.runId, 'turn_1', 'workspace', 'r.md'))).toBe('What was found.\n');
    expect(text(inSession(first.runId, 'turn_2', 'workspace', 'r.md'))).toBe('What was found.\n');
  });

  it('T3: leaves a note alone when it is cancelled', async () => {
    const first = await played(firstTurn, 'Which color?');
    const never = gate();
    const { app } = appWith({ a: [['Hm', { until: never.opened }]], b: [] });
    const run = await app.startRun(
      request('Which shade?', { follows: first.runId, members: ['a'] }),
      signal,
    );
    run.stop();
    const cancelled = await run.ended;
    expect(cancelled.outcome).toBe('cancelled');
    expect(readdirSync(sessionDir(first.runId)).filter((name) => name.startsWith('turn_'))).toEqual(
      ['turn_1'],
    );
    expect(json(inSession(first.runId, 'notes.json'))).toMatchObject({
      notes: [{ run_id: cancelled.runId, outcome: 'cancelled' }],
    });
    const third = await played(secondTurn, 'Which shade?', { follows: cancelled.runId });
    expect(third.session).toMatchObject({ sessionId: first.runId, turn: 2 });
    expect(third.session?.history.map(({ turn }) => turn)).toEqual([1]);
  });

  it('T4: does not know of a turn whose metadata was never written', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    rmSync(inSession(first.runId, 'turn_2', 'metadata.json'));
    writeFileSync(inSession(first.runId, 'turn_2', 'workspace', 'left-over.md'), '');
    const third = await played(secondTurn, 'And now?', { follows: first.runId });
    expect(third.session).toMatchObject({ sessionId: first.runId, turn: 2 });
    expect(third.session?.history.map(({ answer }) => answer)).toEqual(['Blue.']);
    expect(json(inSession(first.runId, 'turn_2', 'metadata.json'))).toMatchObject({
      task: 'And now?',
    });
    expect(existsSync(inSession(first.runId, 'turn_2', 'workspace', 'left-over.md'))).toBe(false);
    expect(second.session?.turn).toBe(2);
  });

  it('T4: makes a turn of a run that ended without becoming one, when that very run is continued', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    rmSync(inSession(first.runId, 'turn_2', 'metadata.json'));
    const third = await played(secondTurn, 'And now?', { follows: second.runId });
    expect(third.session?.history.map(({ turn, answer }) => [turn, answer])).toEqual([
      [1, 'Blue.'],
      [2, 'Navy it is.'],
    ]);
    expect(third.session?.turn).toBe(3);
  });

  it('T5: is refused while another run of the session goes on', async () => {
    const first = await played(firstTurn, 'Which color?');
    const never = gate();
    const { app } = appWith({ a: [['Hm', { until: never.opened }]] });
    const going = await app.startRun(
      request('Which shade?', { follows: first.runId, members: ['a'] }),
      signal,
    );
    const { app: other, kind } = appWith(secondTurn);
    for (const follows of [first.runId, going.runId]) {
      await expect(other.startRun(request('Me too.', { follows }), signal)).rejects.toMatchObject({
        code: 'storage/locked',
      });
    }
    expect(kind.made).toEqual([]);
    going.stop();
    await going.ended;
    const later = await other.startRun(request('Me too.', { follows: first.runId }), signal);
    expect((await later.ended).session?.turn).toBe(2);
  });

  it('T6: may start anew as often as its team allows', async () => {
    const first = await played(firstTurn, 'Which color?');
    const { app } = appWith(secondTurn);
    const run: RunHandle = await app.startRun(
      request('Which shade?', {
        follows: first.runId,
        settings: { maxRestarts: 2, finalAnswerStrategy: 'winner_reuse' },
      }),
      signal,
    );
    expect(run.state().settings.maxRestarts).toBe(2);
    expect(run.state().session?.turn).toBe(2);
    run.stop();
    await run.ended;
  });

  it('becomes a turn also when it was cut off and resumed', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    const log = join(home, 'storage', 'runs', second.runId, 'run.jsonl');
    const lines = text(log).split('\n');
    const cut = lines.findIndex((line) => line.includes('"final-presentation-started"'));
    writeFileSync(log, `${lines.slice(0, cut + 1).join('\n')}\n`);
    rmSync(inSession(first.runId, 'turn_2'), { recursive: true });

    const { app } = appWith({ a: [['Navy it is.']], b: [] });
    const { config } = request('Which shade?');
    const resumption = { config, commandPolicy: askEveryTime, unsaved: new Map() };
    const run = await app.resumeRun(second.runId, resumption, signal);
    expect((await run.ended).outcome).toBe('completed');
    expect(text(inSession(first.runId, 'turn_2', 'answer.txt'))).toBe('Navy it is.');
    expect(existsSync(inSession(first.runId, 'lock.json'))).toBe(false);
  });

  it('keeps the history when the team is another one', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played({ c: [[say.answer('Navy.')], ['Navy it is.']] }, 'Which shade?', {
      follows: first.runId,
      members: ['c'],
    });
    expect(second.session?.history).toHaveLength(1);
    expect(second.agents).toHaveLength(1);
  });

  it('leaves the session free when it cannot start', async () => {
    const first = await played(firstTurn, 'Which color?');
    const { app } = appWith(firstTurn);
    const refused = request('Which shade?', { follows: first.runId });
    const broken = { ...refused.config, agents: [] };
    await expect(app.startRun({ ...refused, config: broken }, signal)).rejects.toThrow();
    const aborted = AbortSignal.abort(new Error('no'));
    await expect(app.startRun(refused, aborted)).rejects.toThrow();
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    expect(second.session?.turn).toBe(2);
  });

  it('is refused for a run that is not there', async () => {
    const { app } = appWith(firstTurn);
    await expect(
      app.startRun(request('Which shade?', { follows: 'nowhere' }), signal),
    ).rejects.toMatchObject({ code: 'storage/failed' });
    expect(existsSync(join(home, 'storage', 'sessions'))).toBe(false);
  });
});

describe('a session on the disk', () => {
  it('has a folder per turn and overviews, private to the user', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    const id = first.runId;
    expect(readdirSync(sessionDir(id)).sort()).toEqual([
      'SESSION_SUMMARY.txt',
      'turn_1',
      'turn_2',
      'winning_agents_history.json',
    ]);
    expect(readdirSync(inSession(id, 'turn_2')).sort()).toEqual([
      'answer.txt',
      'metadata.json',
      'workspace',
    ]);
    expect(text(inSession(id, 'turn_2', 'answer.txt'))).toBe('Navy it is.');
    expect(json(inSession(id, 'turn_2', 'metadata.json'))).toMatchObject({
      schema_version: 1,
      turn: 2,
      winning_agent: 'member_a_1',
      task: 'Which shade?',
      session_id: id,
      run_id: second.runId,
    });
    expect(json(inSession(id, 'winning_agents_history.json'))).toEqual([
      { agent_id: 'member_a_1', turn: 1 },
      { agent_id: 'member_a_1', turn: 2 },
    ]);
    for (const words of ['Which color?', 'Blue.', 'Which shade?', 'Navy it is.']) {
      expect(text(inSession(id, 'SESSION_SUMMARY.txt'))).toContain(words);
    }
    expect(statSync(sessionDir(id)).mode & 0o777).toBe(0o700);
    expect(statSync(inSession(id, 'turn_1', 'answer.txt')).mode & 0o777).toBe(0o600);
  });

  it('adds up what its runs have cost, also those that left no turn', async () => {
    const first = await played(firstTurn, 'Which color?');
    const never = gate();
    const { app } = appWith({
      a: [
        [note, paid],
        ['Hm', { until: never.opened }],
      ],
    });
    const run = await app.startRun(
      request('Which shade?', { follows: first.runId, members: ['a'] }),
      signal,
    );
    await new Promise<void>((resolve) => {
      run.onEvents((_events, { agents }) => {
        if (agents[0]?.usage.calls === 2) {
          resolve();
        }
      });
    });
    run.stop();
    const stopped = await run.ended;
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    const costs = [first, stopped, second].map(({ agents }) =>
      agents.reduce((sum, { usage }) => sum + usage.costUsd, 0),
    );
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    expect(Math.min(...costs)).toBeGreaterThan(0);
    expect(text(inSession(first.runId, 'SESSION_SUMMARY.txt'))).toContain(
      `Known cost: $${total.toFixed(4)}`,
    );
  });

  it('is shown in the list of runs', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    const { app } = appWith({});
    expect(await app.listRuns()).toMatchObject([
      { runId: second.runId, sessionId: first.runId, turn: 2 },
      { runId: first.runId },
    ]);
  });
});

describe('the run to continue', () => {
  it('is the newest one of a session', async () => {
    const first = await played(firstTurn, 'Which color?');
    const second = await played(secondTurn, 'Which shade?', { follows: first.runId });
    await played(firstTurn, 'Something else?');
    const { app } = appWith({});
    expect(await app.runToContinue({ sessionId: first.runId })).toBe(second.runId);
    expect(await app.runToContinue({ sessionId: 'nowhere' })).toBeUndefined();
  });

  it('is the newest one with an answer that worked on the folder', async () => {
    const { app } = appWith({
      a: [[say.answer('Done.')], ['Done.']],
      b: [[say.answer('Done.')], ['Done.']],
      c: [['Hm', { until: gate().opened }]],
    });
    const here = [{ name: 'project', path: project, permission: 'read' }] as const;
    const first = await app.startRun(
      { ...request('One.', { members: ['a'] }), folders: here },
      signal,
    );
    await first.ended;
    const elsewhere = await app.startRun(request('Two.', { members: ['b'] }), signal);
    await elsewhere.ended;
    const stopped = await app.startRun(
      { ...request('Three.', { members: ['c'] }), folders: here },
      signal,
    );
    stopped.stop();
    await stopped.ended;
    expect(await app.runToContinue({ folder: project })).toBe(first.runId);
    expect(await app.runToContinue({ folder: home })).toBeUndefined();
  });
});
