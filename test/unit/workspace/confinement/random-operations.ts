// Random shell operations in an agent's confined view and in a plain copy: both must come to the same.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdirSync, rmSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentWorkspace } from '../../../../src/core/ports/workspace';
import type { Manifest, ManifestEntry } from '../../../../src/workspace/manifest';
import { fill, never, tempFolder } from '../temp-project';
import { run } from './confined-run';

/** Path → kind, mode and content of every file, link and empty folder. */
type Tree = ReadonlyMap<string, string>;

export interface RandomWork {
  readonly seed: number;
  /** How many shell operations in all. */
  readonly operations: number;
  readonly agent: AgentWorkspace;
  readonly project: string;
  readManifest(id: string): Manifest | undefined;
}

export interface Mismatch {
  readonly after: string;
  readonly expected: Tree;
  readonly actual: Tree;
}

export function randomProject(): string {
  const project = tempFolder();
  fill(project, {
    ...{ f1: 'one\n', f2: 'two\n', 'd1/f1': 'd1 one\n', 'd1/f2': 'd1 two\n' },
    ...{ 'd1/d2/f1': 'deep\n', 'd1/d2/f3': 'deep three\n', 'd2/f1': 'd2\n', 'd3/d1/f2': 'x\n' },
  });
  execFileSync(
    'sh',
    ['-c', 'ln -s d1 l1; ln -s f1 d1/l2; chmod 755 f2; chmod 600 d2/f1; mkdir d4'],
    {
      cwd: project,
    },
  );
  return project;
}

/** Resolves with the first difference, `undefined` when there is none. */
export async function compareRandomWork(work: RandomWork): Promise<Mismatch | undefined> {
  const random = mulberry(work.seed);
  const plain = join(tempFolder(), 'plain');
  execFileSync('cp', ['-a', work.project, plain]);
  const start = treeOf(work.project, true);
  const saved: { readonly id: string; readonly copy: string }[] = [];
  for (let done = 0, step = 0; done < work.operations; step++) {
    const count = 1 + Math.floor(random() * 8);
    done += count;
    const what = await oneStep(work, { random, count, plain, saved });
    const { id } = await work.agent.takeSnapshot(never);
    const actual = applied(start, work.readManifest(id)?.get('proj') ?? new Map());
    const expected = treeOf(plain);
    if (!isSameTree(expected, actual)) {
      return { after: `seed ${work.seed}, step ${step}: ${what}`, expected, actual };
    }
    if (step % 7 === 3) {
      const copy = join(tempFolder(), 'saved');
      execFileSync('cp', ['-a', plain, copy]);
      saved.push({ id, copy });
    }
  }
  return undefined;
}

interface Step {
  readonly random: () => number;
  readonly count: number;
  readonly plain: string;
  readonly saved: readonly { readonly id: string; readonly copy: string }[];
}

async function oneStep(work: RandomWork, step: Step): Promise<string> {
  const { random, plain } = step;
  const kind = random();
  const back = pick(random, step.saved);
  if (kind < 0.08 && back !== undefined) {
    await work.agent.restore(back.id, never);
    rmSync(plain, { recursive: true });
    execFileSync('cp', ['-a', back.copy, plain]);
    return 'restore';
  }
  if (kind < 0.25) {
    return fileTool(work.agent, step);
  }
  const script = Array.from({ length: step.count }, () => operation(random)).join('\n');
  await run(work.agent, `umask 022\n${script}`);
  try {
    execFileSync('sh', ['-c', `umask 022\n${script}`], { cwd: plain, stdio: 'ignore' });
  } catch {
    // The last operation may fail; in the other place it has failed too.
  }
  return script;
}

/** Writes or deletes a file with the tools; both places refuse it for the same reasons, links left aside. */
async function fileTool(agent: AgentWorkspace, { random, plain }: Step): Promise<string> {
  const path = anyPath(random);
  const place = join(plain, path);
  if (passesLink(plain, path)) {
    return `tool: nothing at ${path}`;
  }
  if (random() < 0.5) {
    const isFile = kindAt(place) === 'file';
    if (isFile) {
      await agent.deleteFile(path, never);
      unlinkSync(place);
      await removeWhatIsGone(agent, plain, dirname(path));
    }
    return `tool: delete ${path}`;
  }
  const content = `tool ${Math.floor(random() * 1000)}\n`;
  const canWrite = await agent.writeFile(path, Buffer.from(content), never).then(
    () => true,
    () => false,
  );
  if (canWrite) {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
  return `tool: write ${path}`;
}

/** A folder that is there only because of a file goes with it. */
async function removeWhatIsGone(
  agent: AgentWorkspace,
  plain: string,
  folder: string,
): Promise<void> {
  for (let at = folder; at !== '.'; at = dirname(at)) {
    const isThere = await agent.stat(at, never).then(
      () => true,
      () => false,
    );
    if (!isThere) {
      rmdirSync(join(plain, at));
    }
  }
}

function operation(random: () => number): string {
  const [one, other] = [anyPath(random), anyPath(random)];
  const number = Math.floor(random() * 1000);
  const name = pick(random, ['f1', 'd1', 'd2', 'x']) ?? 'x';
  const all = [
    `mkdir -p ${dirname(one)}; echo ${number} > ${one}`,
    `echo ${number} >> ${one}`,
    `rm -rf ${one}`,
    `rm -f ${one}`,
    `mv ${one} ${other}`,
    `mv -T ${one} ${other}`,
    `rm -rf ${one}; ln -s ${name} ${one}`,
    `test -f ${one} && chmod ${pick(random, ['600', '644', '755'])} ${one}`,
    `mkdir ${one}`,
    `mkdir -p ${one}`,
    `rmdir ${one}`,
    `rm -rf ${one}; mkdir -p ${one}; echo ${number} > ${one}/f2`,
    `rm -rf ${one}; mkdir ${one}`,
    // What a folder that is copied into itself comes to depends on the order of its names on the disk.
    `test -f ${one} && cp ${one} ${other}`,
    `rm -rf x; cp -r ${one} x`,
    // Two names of one file do not outlive a restore as such, so only one stays.
    `ln ${one} ${other} && rm ${one}`,
    `mv ${one} tmp-${number} && mv tmp-${number} ${one}`,
  ];
  return pick(random, all) ?? 'true';
}

function anyPath(random: () => number): string {
  const parts = Array.from(
    { length: 1 + Math.floor(random() * 3) },
    () => pick(random, ['d1', 'd2', 'd3', 'd4', 'l1']) ?? 'd1',
  );
  const last = random() < 0.6 ? [pick(random, ['f1', 'f2', 'f3', 'l2']) ?? 'f1'] : [];
  return [...parts.slice(last.length), ...last].join('/');
}

function treeOf(folder: string, withFullFolders = false): Tree {
  const tree = new Map<string, string>();
  const visit = (path: string): void => {
    const names = readdirSync(join(folder, path));
    if ((names.length === 0 || withFullFolders) && path !== '') {
      tree.set(path, 'folder');
    }
    for (const name of names) {
      const at = path === '' ? name : `${path}/${name}`;
      const stat = lstatSync(join(folder, at));
      if (stat.isDirectory()) {
        visit(at);
      } else if (stat.isSymbolicLink()) {
        tree.set(at, `link ${readlinkSync(join(folder, at))}`);
      } else {
        const hash = createHash('sha256')
          .update(readFileSync(join(folder, at)))
          .digest('hex');
        tree.set(at, `file ${(stat.mode & 0o777).toString(8)} ${hash}`);
      }
    }
  };
  visit('');
  return tree;
}

/** The tree that comes of a change set. */
function applied(start: Tree, changes: ReadonlyMap<string, { readonly now: Entry }>): Tree {
  const tree = new Map(start);
  for (const [path, { now }] of changes) {
    if (now.kind === 'deleted') {
      tree.delete(path);
    } else if (now.kind === 'file') {
      tree.set(path, `file ${now.mode.toString(8)} ${now.sha256}`);
    } else {
      tree.set(path, now.kind === 'link' ? `link ${now.target}` : 'folder');
    }
  }
  // A folder is empty only as long as nothing is in it.
  for (const [path, what] of tree) {
    if (what === 'folder' && [...tree.keys()].some((other) => other.startsWith(`${path}/`))) {
      tree.delete(path);
    }
  }
  return tree;
}

type Entry = ManifestEntry['now'];

function isSameTree(one: Tree, other: Tree): boolean {
  return one.size === other.size && [...one].every(([path, what]) => other.get(path) === what);
}

function kindAt(path: string): 'file' | 'link' | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isSymbolicLink() ? 'link' : stat.isFile() ? 'file' : undefined;
  } catch {
    return undefined;
  }
}

function passesLink(folder: string, path: string): boolean {
  const parts = path.split('/');
  return parts.some((_part, index) => {
    const above = join(folder, ...parts.slice(0, index + 1));
    return kindAt(above) === 'link';
  });
}

function pick<T>(random: () => number, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
