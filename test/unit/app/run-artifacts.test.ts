// The readable files of real runs: where they are, that no key is in them, and that they follow what happens later.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { App, RunHandle, StartRunRequest } from '../../../src/app/app-contract';
import { gitHead } from '../../../src/app/git-head';
import { appBench } from '../../support/app-bench';
import { askEveryTime, gate } from '../../support/run-harness';
import { say } from '../../support/scripted-backend';
import { ScriptedKind, teamOf } from '../../support/scripted-kind';

const signal = new AbortController().signal;
const key = 'plain-words-that-are-a-key-0042';

const bench = appBench({ 'greeting.txt': 'hello\n' });
let home: string;
let project: string;

beforeEach(() => {
  ({ home, project } = bench);
});

function appWith(kind: ScriptedKind): App {
  return bench.open(kind, {
    secrets: { get: async () => key },
    cliArgs: ['--project', project, key],
  });
}

const edit = {
  call: 'edit_file',
  input: { path: 'greeting.txt', old_text: 'hello', new_text: 'good morning' },
};
const politeTeam = () =>
  new ScriptedKind({
    a: [[edit], [say.answer('Now it is polite.')], [say.vote('agent1')], ['Final.']],
    b: [[say.answer(`I changed nothing, ${key}.`)], [say.vote('agent1')]],
  });

function request(changed: Partial<StartRunRequest> = {}): StartRunRequest {
  return {
    task: 'Make the greeting polite.',
    config: teamOf(['a', 'b'], { apiKeyName: 'MY_KEY' }),
    folders: [{ name: 'project', path: project, permission: 'write' }],
    unsaved: new Map(),
    commandPolicy: askEveryTime,
    ...changed,
  };
}

async function finished(app: App, changed: Partial<StartRunRequest> = {}): Promise<RunHandle> {
  const run = await app.startRun(request(changed), signal);
  await run.ended;
  return run;
}

async function textsBelow(dir: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(
      files.map(
        async (file) => [file.slice(dir.length + 1), await readFile(file, 'utf8')] as const,
      ),
    ),
  );
}

describe('the files of a run', () => {
  it('are in the storage folder, complete when the run has ended', async () => {
    const { artifactsDir } = await finished(appWith(politeTeam()));
    expect(artifactsDir.startsWith(join(home, 'storage', 'massgen_logs', 'log_'))).toBe(true);
    const files = await textsBelow(artifactsDir);
    const folder = [...files.keys()].find((path) => path.endsWith('changes/project/greeting.txt'));
    expect(files.get(folder ?? '')).toBe('good morning\n');
    expect(files.get('final/member_a_1/answer.txt')).toBeDefined();
    expect(files.get('final/member_a_1/changes/project/greeting.txt')).toBe('good morning\n');
    expect(JSON.parse(files.get('status.json') ?? '')).toMatchObject({ is_complete: true });
    const contexts = [...files].filter(([path]) => path.endsWith('context.txt'));
    expect(contexts.length).toBeGreaterThanOrEqual(4);
    for (const [, text] of contexts) {
      expect(text).toContain('Make the greeting polite.');
    }
    expect(await readdir(project)).toEqual(['greeting.txt']);
  });

  it('are in the project when the user asks for it, and found there later', async () => {
    const first = appWith(politeTeam());
    const artifactsRoot = join(project, '.massgen');
    const { artifactsDir, runId } = await finished(first, { artifactsRoot });
    expect(artifactsDir.startsWith(join(artifactsRoot, 'massgen_logs'))).toBe(true);
    const ignored = await readFile(join(artifactsRoot, 'massgen_logs', '.gitignore'), 'utf8');
    expect(ignored).toBe('*\n');
    await first.close();
    expect((await appWith(politeTeam()).openRun(runId)).artifactsDir).toBe(artifactsDir);
    expect(existsSync(join(home, 'storage', 'massgen_logs'))).toBe(false);
  });

  it('of the next turn of a session stand beside those of the first', async () => {
    const kind = new ScriptedKind({
      a: [[say.answer('First.')]],
    });
    const config = teamOf(['a'], { apiKeyName: 'MY_KEY' });
    const app = appWith(kind);
    const first = await finished(app, { config });
    const second = await finished(app, { config, follows: first.runId });
    expect(dirname(second.artifactsDir)).toBe(dirname(first.artifactsDir));
    expect(basename(first.artifactsDir)).toBe('turn_1');
    expect(basename(second.artifactsDir)).toBe('turn_2');
    const status = await readFile(join(second.artifactsDir, 'status.json'), 'utf8');
    expect(JSON.parse(status)).toMatchObject({
      meta: { session_id: first.runId, run_id: second.runId, turn: 2 },
    });
  });

  it('are hidden from the agents of a run in the same project', async () => {
    const kind = new ScriptedKind({
      a: [
        [{ call: 'search_text', input: { pattern: 'member_a' } }],
        [{ call: 'list_directory', input: { path: '.massgen' } }],
        [say.answer('Looked.')],
      ],
    });
    const app = appWith(kind);
    const artifactsRoot = join(project, '.massgen');
    const config = teamOf(['a'], { apiKeyName: 'MY_KEY' });
    await finished(app, { artifactsRoot, config });
    const results = JSON.stringify(kind.made.flatMap(({ requests }) => requests));
    expect(results).toContain('search_text');
    expect(results).not.toContain('member_a_1');
    expect(results).not.toContain('massgen_logs');
  });

  it('are announced with a status file before any model is asked', async () => {
    const kind = politeTeam();
    const asked: number[] = [];
    const statuses: unknown[] = [];
    const onFolder = (dir: string): void => {
      asked.push(...kind.made.map(({ requests }) => requests.length));
      statuses.push(existsSync(join(dir, 'status.json')));
    };
    await finished(appWith(kind), { onFolder });
    expect(asked).toEqual([0, 0]);
    expect(statuses).toEqual([true]);
  });

  it('follow what the user decides after the end, also in a run that was opened again', async () => {
    const first = appWith(politeTeam());
    const { runId, artifactsDir } = await finished(first);
    const status = async (): Promise<unknown> =>
      JSON.parse(await readFile(join(artifactsDir, 'status.json'), 'utf8'));
    expect(await status()).toMatchObject({ review_pending: true });
    await first.close();
    const second = appWith(politeTeam());
    const run = await second.openRun(runId);
    await run.review()?.accept(undefined, signal);
    await second.close();
    expect(await status()).toMatchObject({ review_pending: false });
    const lines = (await readFile(join(artifactsDir, 'events.jsonl'), 'utf8'))
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      lines.map((_line, i) => i),
    );
    expect(lines.at(-1)).toContain('changes_applied');
    const metadata: unknown = parse(
      await readFile(join(artifactsDir, 'execution_metadata.yaml'), 'utf8'),
    );
    expect(metadata).toMatchObject({ runtime: { name: 'node' } });
  });

  it('of a run that was cut off say so when it is opened', async () => {
    const never = gate();
    const first = appWith(new ScriptedKind({ a: [[{ until: never.opened }]] }));
    const run = await first.startRun(
      request({ config: teamOf(['a'], { apiKeyName: 'MY_KEY' }) }),
      signal,
    );
    const { artifactsDir } = run;
    await first.close();
    const status: unknown = JSON.parse(await readFile(join(artifactsDir, 'status.json'), 'utf8'));
    expect(status).toMatchObject({ is_complete: true, finish_reason_details: 'interrupted' });
  });

  it('X12 hold no key: not in metadata, nor in events, nor anywhere else', async () => {
    const { artifactsDir } = await finished(appWith(politeTeam()));
    const files = await textsBelow(join(home, 'storage'));
    expect([...files].filter(([, text]) => text.includes(key)).map(([path]) => path)).toEqual([]);
    const metadata = await readFile(join(artifactsDir, 'execution_metadata.yaml'), 'utf8');
    expect(parse(metadata)).toMatchObject({
      query: 'Make the greeting polite.',
      agent_mapping: { agent1: 'member_a_1', agent2: 'member_b_2' },
      cli_args: ['--project', project, '[secret removed]'],
      config: { agents: [{ id: 'member_a_1', backend: { apiKeyName: 'MY_KEY' } }, {}] },
    });
  });
});

it('copies of what an agent wrote hold no key, and all else as it was written', async () => {
  const content = `Grüße, ${key}, ✓`;
  const write = { call: 'write_file', input: { path: 'more.txt', content } };
  const team = new ScriptedKind({
    a: [[write], [say.answer('Written.')], [say.vote('agent1')], ['Final.']],
    b: [[say.answer('I changed nothing.')], [say.vote('agent1')]],
  });
  const run = await finished(appWith(team));
  const files = await textsBelow(run.artifactsDir);
  const copies = [...files].filter(([path]) => path.endsWith('more.txt'));
  expect(new Set(copies.map(([, text]) => text))).toEqual(new Set(['Grüße, [secret removed], ✓']));
  const { snapshotId = '' } = run.state().review ?? {};
  const kept = await run.readSnapshotFile(snapshotId, 'project', 'more.txt');
  expect(Buffer.from(kept ?? []).toString('utf8')).toBe(content);
});

describe('the commit that a folder stands on', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';

  it('is read from a branch, a packed branch and a commit without a branch', async () => {
    const git = join(project, '.git');
    await mkdir(join(git, 'refs', 'heads'), { recursive: true });
    await writeFile(join(git, 'HEAD'), 'ref: refs/heads/main\n');
    await writeFile(join(git, 'packed-refs'), `# pack-refs\n${commit} refs/heads/main\n`);
    expect(gitHead(join(project))).toEqual({ commit, branch: 'main' });
    const other = commit.replace('0', '1');
    await writeFile(join(git, 'refs', 'heads', 'main'), `${other}\n`);
    expect(gitHead(project)).toEqual({ commit: other, branch: 'main' });
    await writeFile(join(git, 'HEAD'), `${commit}\n`);
    expect(gitHead(project)).toEqual({ commit, branch: null });
  });

  it('is that of the repository around a subfolder, and of a linked worktree', async () => {
    const git = join(project, '.git');
    const linked = join(home, 'linked');
    await mkdir(join(git, 'worktrees', 'linked'), { recursive: true });
    await mkdir(join(git, 'refs', 'heads'), { recursive: true });
    await mkdir(join(project, 'src'));
    await mkdir(linked);
    await writeFile(join(git, 'HEAD'), `${commit}\n`);
    await writeFile(join(git, 'refs', 'heads', 'topic'), `${commit}\n`);
    await writeFile(join(git, 'worktrees', 'linked', 'HEAD'), 'ref: refs/heads/topic\n');
    await writeFile(join(git, 'worktrees', 'linked', 'commondir'), '../..\n');
    await writeFile(join(linked, '.git'), `gitdir: ${join(git, 'worktrees', 'linked')}\n`);
    expect(gitHead(join(project, 'src'))).toEqual({ commit, branch: null });
    expect(gitHead(linked)).toEqual({ commit, branch: 'topic' });
  });

  it('is unknown outside of a repository, and in one without a commit', async () => {
    expect(gitHead(project)).toBeNull();
    await mkdir(join(project, '.git'));
    await writeFile(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    expect(gitHead(project)).toBeNull();
  });
});
