import { cp, mkdir, readdir, symlink, utimes } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { App, Retention, RunHandle } from '../../../src/app/app-contract';
import { acquireLock } from '../../../src/storage/lock-file';
import { appBench } from '../../support/app-bench';
import { askEveryTime } from '../../support/run-harness';
import { say } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;
const everything: Retention = { runs: 0, days: null, bytes: null };

const bench = appBench({ 'a.txt': 'a\n' });
let home: string;
let storage: string;

beforeEach(() => {
  ({ home } = bench);
  storage = join(home, 'storage');
});

function appWith(kind: ScriptedKind): App {
  return bench.open(kind);
}

/** A run that is over; with a proposal that nobody has decided about, or without any change. */
async function played(app: App, task = 'Do it.'): Promise<RunHandle> {
  const run = await app.startRun(
    {
      ...{ task, config: teamOf(['a']), unsaved: new Map(), commandPolicy: askEveryTime },
      folders: [{ name: 'project', path: join(home, 'project'), permission: 'write' }],
    },
    signal,
  );
  await run.ended;
  return run;
}

const talking = (): ScriptedKind => new ScriptedKind({ a: [[say.answer('Done.')]] });
const writing = (): ScriptedKind =>
  new ScriptedKind({
    a: [
      [{ call: 'write_file', input: { path: 'b.txt', content: 'b\n' } }],
      [say.answer('Written.')],
    ],
  });

describe('what is kept', () => {
  it('is listed with its size, and with the reason why it cannot be removed', async () => {
    const app = appWith(writing());
    const { runId } = await played(app, 'Write it.');
    const { folder, bytes, items } = await app.storageUse(signal);
    expect(folder).toBe(storage);
    expect(items).toMatchObject([
      {
        ...{ id: `run:${runId}`, kind: 'run', title: 'Write it.' },
        keptBecause: 'Its proposal has files that you have not decided about.',
      },
    ]);
    expect(items[0]?.bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeGreaterThanOrEqual(items[0]?.bytes ?? Infinity);
  });

  it('holds undecided proposals whatever is asked for, and lets decided ones go', async () => {
    const app = appWith(writing());
    const run = await played(app);
    expect(await app.cleanUp([`run:${run.runId}`], signal)).toBe(0);
    expect(await app.retain(everything, signal)).toBe(0);
    await run.review()?.reject(undefined);
    expect(await app.retain(everything, signal)).toBeGreaterThan(1_000);
    expect(await readdir(join(storage, 'runs'))).toEqual([]);
    expect(existsSync(run.artifactsDir)).toBe(false);
    expect(await app.listRuns()).toEqual([]);
    expect((await app.storageUse(signal)).items).toEqual([]);
  });

  it('holds a run that another process plays', async () => {
    const app = appWith(talking());
    const { runId } = await played(app);
    const dir = join(storage, 'runs', runId);
    const lock = acquireLock({
      ...{ path: join(dir, 'lock.json'), proofOfLife: join(dir, 'run.jsonl'), now: Date.now() },
    });
    expect(await app.retain(everything, signal)).toBe(0);
    expect((await app.storageUse(signal)).items[0]?.keptBecause).toMatch(/at work/);
    lock.dispose();
    expect(await app.retain(everything, signal)).toBeGreaterThan(0);
  });

  it('is the newest when a number or an age is the limit', async () => {
    const app = appWith(talking());
    await played(app, 'First.');
    const second = await played(app, 'Second.');
    const tasks = async (): Promise<readonly string[]> =>
      (await app.listRuns()).map(({ task }) => task);
    await app.retain({ runs: null, days: 1, bytes: null }, signal);
    expect(await tasks()).toEqual(['Second.', 'First.']);
    await app.retain({ runs: 1, days: null, bytes: null }, signal);
    expect(await tasks()).toEqual(['Second.']);
    expect(second.state().outcome).toBe('completed');
    await app.retain({ runs: null, days: null, bytes: 10 }, signal);
    expect(await tasks()).toEqual([]);
  });

  it('is never what does not carry the product’s own mark', async () => {
    const app = appWith(talking());
    const { runId } = await played(app);
    const foreign = join(storage, 'runs', 'mine');
    await cp(join(storage, 'runs', runId), foreign, { recursive: true });
    await mkdir(join(storage, 'tried', 'notes'), { recursive: true });
    await symlink(join(home, 'project'), join(storage, 'tried', 'link'));
    await app.retain({ runs: 0, days: 0, bytes: 0 }, signal);
    expect(await readdir(join(storage, 'runs'))).toEqual(['mine']);
    expect((await readdir(join(storage, 'tried'))).sort()).toEqual(['link', 'notes']);
    expect(await readdir(join(home, 'project'))).toEqual(['a.txt']);
  });

  it('does not hold what a killed process left behind', async () => {
    const app = appWith(talking());
    const { runId } = await played(app);
    const [old, young] = ['0123456789abcdef', '0123456789abcde0'].map((name) =>
      join(storage, 'runs', runId, name),
    );
    await mkdir(join(old ?? '', 'project'), { recursive: true });
    await mkdir(young ?? '');
    const hoursAgo = Date.now() / 1000 - 3 * 3600;
    await utimes(old ?? '', hoursAgo, hoursAgo);
    await mkdir(join(storage, 'removing', 'fedcba9876543210'), { recursive: true });
    const found = (await app.storageUse(signal)).items.filter(({ kind }) => kind === 'leftover');
    expect(found.map(({ title }) => title).sort()).toEqual([
      'removing/fedcba9876543210',
      `runs/${runId}/0123456789abcdef`,
    ]);
    await played(appWith(talking()));
    expect(await readdir(join(storage, 'removing'))).toEqual([]);
    const left = await readdir(join(storage, 'runs', runId));
    // A check of a run that is over may be at work in the young one.
    expect(left.filter((name) => name.startsWith('0123'))).toEqual(['0123456789abcde0']);
  });
});
