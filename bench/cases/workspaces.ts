// What the workspaces of agents cost in projects of three sizes: beside a whole copy, a worktree of git, and the least
// that has to be done (a folder; a hash and one append of the changed bytes), all in the same run.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWorkspace } from '../../src/core/ports/workspace';
import type { LayeredWorkspaces } from '../../src/workspace/run-workspaces';
import { benchFolder, changedFiles, projectOf, silentLogger } from '../support/project-on-disk';
import { createRunWorkspaces } from '../../src/workspace/run-workspaces';

const never = new AbortController().signal;
const sizes = [1_000, 10_000, 100_000];
const rounds = 20;

export const cases = [
  ...sizes.flatMap((size) => [
    each(`create-${short(size)}`, 'ms', 20, () => createTimes(size)),
    each(`create-of-least-${short(size)}`, 'x', undefined, () => createToLeast(size)),
    each(`create-of-copy-${short(size)}`, 'x', undefined, () => createToCopy(size)),
    each(`create-of-worktree-${short(size)}`, 'x', undefined, () => createToWorktree(size)),
    each(`snapshot-${short(size)}`, 'ms', 2, () => snapshotTimes(size)),
    each(`snapshot-of-least-${short(size)}`, 'x', undefined, () => snapshotToLeast(size)),
    each(`diff-${short(size)}`, 'ms', 1, () => diffTimes(size)),
    each(`restore-${short(size)}`, 'ms', 2, () => restoreTimes(size)),
    ...[3, 10].flatMap((agents) => [
      each(`disk-${agents}-${short(size)}`, 'x', 3, () => diskToChanges(size, agents)),
      each(`pack-${agents}-${short(size)}`, 'x', 1.2, () => packToChanges(size, agents)),
    ]),
  ]),
  each('loop-lag-100k', 'ms', 50, loopLags),
];

function each(
  name: string,
  unit: string,
  budget: number | undefined,
  measure: () => Promise<number[]>,
): object {
  return { name: `workspaces-${name}`, unit, budget, measure };
}

function short(size: number): string {
  return `${size / 1000}k`;
}

/** The first run of a process finds out what the system can do; no later one does that again. */
let warmed: Promise<void> | undefined;

async function onRun<T>(
  size: number,
  work: (run: LayeredWorkspaces, dir: string) => Promise<T>,
): Promise<T> {
  warmed ??= onFreshRun(1_000, async (run) => {
    await run.createAgentWorkspace(1, never);
  });
  await warmed;
  return onFreshRun(size, work);
}

async function onFreshRun<T>(
  size: number,
  work: (run: LayeredWorkspaces, dir: string) => Promise<T>,
): Promise<T> {
  const dir = benchFolder();
  const run = createRunWorkspaces({
    ...{ runId: 'bench', dir, unsaved: new Map(), logger: silentLogger },
    folders: [{ name: 'project', path: projectOf(size), permission: 'write' }],
  });
  try {
    return await work(run, dir);
  } finally {
    await run.close();
    run.store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function createTimes(size: number): Promise<number[]> {
  return onRun(size, async (run) => {
    const samples: number[] = [];
    for (let slot = 1; slot <= 10; slot++) {
      samples.push(await timed(() => run.createAgentWorkspace(slot, never)));
    }
    return samples;
  });
}

async function createToLeast(size: number): Promise<number[]> {
  const folder = benchFolder();
  const samples: number[] = [];
  for (const [n, ms] of (await createTimes(size)).entries()) {
    samples.push(ms / (await timed(() => mkdirSync(join(folder, String(n))))));
  }
  rmSync(folder, { recursive: true, force: true });
  return samples;
}

async function createToCopy(size: number): Promise<number[]> {
  return createTo(size, (folder) => run('cp', ['-a', projectOf(size), join(folder, 'copy')]));
}

async function createToWorktree(size: number): Promise<number[]> {
  const git = (...args: string[]): void => run('git', ['-C', projectOf(size), ...args]);
  try {
    return await createTo(size, (folder) =>
      git('worktree', 'add', '-q', '--detach', join(folder, 'tree')),
    );
  } finally {
    git('worktree', 'prune');
  }
}

async function createTo(size: number, other: (folder: string) => void): Promise<number[]> {
  const folder = benchFolder();
  try {
    projectOf(size);
    const otherMs = await timed(() => other(folder));
    return (await createTimes(size)).map((ms) => ms / otherMs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

/** Changes the files and calls `then` for each of some rounds. */
async function afterChanges(
  size: number,
  then: (agent: AgentWorkspace, round: number, run: LayeredWorkspaces) => Promise<number>,
): Promise<number[]> {
  return onRun(size, async (run) => {
    const agent = await run.createAgentWorkspace(1, never);
    const samples: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await change(agent, size, `round ${round}`);
      samples.push(await then(agent, round, run));
    }
    return samples;
  });
}

async function change(agent: AgentWorkspace, size: number, mark: string): Promise<void> {
  for (const [path, content] of changedFiles(size, mark)) {
    await agent.writeFile(path, content, never);
  }
}

async function snapshotTimes(size: number): Promise<number[]> {
  return afterChanges(size, async (agent) => timed(() => agent.takeSnapshot(never)));
}

async function snapshotToLeast(size: number): Promise<number[]> {
  const folder = benchFolder();
  const pack = openSync(join(folder, 'pack'), 'a');
  const samples = await afterChanges(size, async (agent, round) => {
    const leastMs = await timed(() => {
      const contents = [...changedFiles(size, `round ${round}`).values()];
      contents.forEach((bytes) => createHash('sha256').update(bytes).digest('hex'));
      writeSync(pack, Buffer.concat(contents));
    });
    return (await timed(() => agent.takeSnapshot(never))) / leastMs;
  });
  closeSync(pack);
  rmSync(folder, { recursive: true, force: true });
  return samples;
}

/** Which paths of two stored snapshots differ, told from their manifests. */
async function diffTimes(size: number): Promise<number[]> {
  let before: string | undefined;
  const samples = await afterChanges(size, async (agent, _round, run) => {
    const { id } = await agent.takeSnapshot(never);
    const earlier = before ?? id;
    before = id;
    return timed(() => {
      const [one, two] = [earlier, id].map((each) => run.store.readManifest(each)?.get('project'));
      const differing = [...(two ?? [])].filter(
        ([path, { now }]) => JSON.stringify(one?.get(path)?.now) !== JSON.stringify(now),
      );
      return differing.length;
    });
  });
  return samples.slice(1);
}

async function restoreTimes(size: number): Promise<number[]> {
  let first: string | undefined;
  return afterChanges(size, async (agent) => {
    first ??= (await agent.takeSnapshot(never)).id;
    const back = first;
    return timed(() => agent.restore(back, never));
  });
}

interface Disk {
  /** Bytes of files and links below the folder of the run. */
  readonly total: number;
  readonly pack: number;
  /** Unique changed bytes and what they were. */
  readonly changed: number;
}

async function diskOf(size: number, agents: number): Promise<Disk> {
  return onRun(size, async (run, dir) => {
    const unique = new Map<string, number>();
    for (const path of changedFiles(size, '').keys()) {
      const base = readFileSync(join(projectOf(size), path));
      unique.set(base.toString('latin1'), base.length);
    }
    for (let slot = 1; slot <= agents; slot++) {
      const agent = await run.createAgentWorkspace(slot, never);
      await change(agent, size, `agent ${slot}`);
      await agent.takeSnapshot(never);
      for (const content of changedFiles(size, `agent ${slot}`).values()) {
        unique.set(Buffer.from(content).toString('latin1'), content.length);
      }
    }
    const changed = [...unique.values()].reduce((sum, bytes) => sum + bytes, 0);
    const pack = statSync(join(dir, 'bench', 'blobs.pack')).size;
    return { total: bytesBelow(dir), pack, changed };
  });
}

async function diskToChanges(size: number, agents: number): Promise<number[]> {
  const { total, changed } = await diskOf(size, agents);
  return [total / changed];
}

async function packToChanges(size: number, agents: number): Promise<number[]> {
  const { pack, changed } = await diskOf(size, agents);
  return [pack / changed];
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** How late a timer of 5 ms comes while a run with three agents begins and its folder is looked through. */
async function loopLags(): Promise<number[]> {
  const size = 100_000;
  projectOf(size);
  return onRun(size, async (run) => {
    const lags: number[] = [];
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      lags.push(Math.max(0, now - last - 5));
      last = now;
    }, 5);
    try {
      for (let slot = 1; slot <= 3; slot++) {
        const agent = await run.createAgentWorkspace(slot, never);
        await agent.listDirectory('.', never);
      }
      await new Promise((resolve) => setTimeout(resolve, 3000));
    } finally {
      clearInterval(timer);
    }
    return lags.sort((a, b) => b - a).slice(0, 20);
  });
}
