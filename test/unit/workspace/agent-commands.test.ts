import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentWorkspace, CommandResult } from '../../../src/core/ports/workspace';
import { fill, fingerprint, git, never, startRun, tempFolder, text } from './temp-project';

const run = async (agent: AgentWorkspace, command: string): Promise<CommandResult> =>
  agent.runCommand({ command, cwd: undefined, timeoutMs: 60_000 }, never);

function gitProject(): string {
  const project = tempFolder();
  fill(project, {
    'src/a.txt': 'one\n',
    'src/b.txt': 'two\n',
    '.gitignore': 'build/\n',
    'node_modules/dep/index.js': 'module.exports = 1;\n',
  });
  git(project, 'init', '-q');
  git(project, 'add', 'src', '.gitignore');
  git(project, 'commit', '-qm', 'first');
  writeFileSync(join(project, 'src/b.txt'), 'two, not committed\n');
  return project;
}

describe('commands', () => {
  test('work in a copy that holds the uncommitted state and the edits of the file tools', async () => {
    const agent = await startRun(gitProject()).agent();
    await agent.writeFile('src/new.txt', Buffer.from('new\n'), never);
    const result = await run(agent, 'cat src/*.txt node_modules/dep/index.js; git status --short');
    expect(result.output).toBe(
      'one\ntwo, not committed\nnew\nmodule.exports = 1;\n M src/b.txt\n?? node_modules/\n?? src/new.txt\n',
    );
    expect(result.exitCode).toBe(0);
  });

  test('leave the user’s folder and repository byte for byte as they were', async () => {
    const project = gitProject();
    const before = fingerprint(project);
    const agent = await startRun(project).agent();
    const shown = agent.roots[0]?.shownPath ?? '';
    for (const command of [
      'echo x >> src/a.txt && chmod 755 src/b.txt && mkdir -p d/e && echo y > d/e/f',
      `echo z > ${shown}/abs.txt`,
      'git add -A && git -c user.name=a -c user.email=a@b commit -qm second && git branch other',
      'git stash; git gc -q; git checkout -q -b third',
      'echo hook > .git/hooks/post-commit; echo x >> .git/config',
      'rm -rf .git/objects node_modules',
      'rm -rf "$PWD"/* .git .gitignore',
    ]) {
      await run(agent, command);
    }
    await agent.takeSnapshot(never);
    await agent.close();
    expect(fingerprint(project)).toEqual(before);
  });

  test('show their changes to file tools and in the snapshot', async () => {
    const agent = await startRun(gitProject()).agent();
    await run(
      agent,
      'echo more >> src/a.txt; rm src/b.txt; mv node_modules/dep lib; ln -s a.txt src/l',
    );
    expect(text(await agent.readFile('src/a.txt', never))).toBe('one\nmore\n');
    await expect(agent.stat('src/b.txt', never)).rejects.toMatchObject({
      code: 'workspace/not-found',
    });
    expect((await agent.listDirectory('.', never)).map((entry) => entry.name)).toEqual([
      '.git',
      '.gitignore',
      'lib',
      'node_modules',
      'src',
    ]);
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map((c) => [c.path, c.kind, c.added, c.removed, c.caution])).toEqual([
      ['lib/index.js', 'add', 1, 0, undefined],
      ['node_modules/dep', 'folder', 0, 0, 'ignored'],
      ['node_modules/dep/index.js', 'delete', 0, 1, 'ignored'],
      ['src/a.txt', 'modify', 1, 0, undefined],
      ['src/b.txt', 'delete', 0, 1, undefined],
      ['src/l', 'link', 0, 0, undefined],
    ]);
  });

  test('see what file tools write, delete and restore afterwards', async () => {
    const agent = await startRun(gitProject()).agent();
    await run(agent, 'true');
    const { id } = await agent.takeSnapshot(never);
    await agent.writeFile('src/deep/c.txt', Buffer.from('c\n'), never);
    await agent.deleteFile('src/b.txt', never);
    expect((await run(agent, 'ls src src/deep')).output).toBe(
      'src:\na.txt\ndeep\n\nsrc/deep:\nc.txt\n',
    );
    await agent.restore(id, never);
    expect((await run(agent, 'find src -type f | sort')).output).toBe('src/a.txt\nsrc/b.txt\n');
  });

  test('do not find hidden files and cannot bring them into the change set', async () => {
    const project = tempFolder();
    fill(project, {
      '.env': 'KEY=1\n',
      'secrets/k': 'k\n',
      'a.txt': 'a\n',
      '.massgenignore': 'secrets/\n',
    });
    const started = startRun(project);
    const agent = await started.agent();
    expect((await run(agent, 'ls -A; grep -r KEY . ; cat secrets/k 2>/dev/null')).output).toBe(
      '.massgenignore\na.txt\n',
    );
    await run(agent, 'echo KEY=2 > .env; mkdir secrets; echo x > secrets/k');
    expect((await agent.takeSnapshot(never)).changes).toEqual([]);
    expect(started.warnings).toEqual(['hidden-path-changed']);
  });

  test('of a read-only folder change a copy that nobody takes over', async () => {
    const project = gitProject();
    const started = startRun(project, {
      folders: [{ name: 'proj', path: project, permission: 'read' }],
    });
    const agent = await started.agent();
    await run(agent, 'echo x >> src/a.txt; echo y > ../workspace/note.txt');
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map((c) => `${c.root}/${c.path}`)).toEqual(['workspace/note.txt']);
    expect(started.warnings).toEqual(['read-only-root-changed']);
  });

  test('get no link that leads out, and links inside lead to the agent’s own files', async () => {
    const outside = tempFolder();
    fill(outside, { 'f.txt': 'outside\n' });
    const project = tempFolder();
    fill(project, { 'lib/x.txt': 'lib\n' });
    symlinkSync(outside, join(project, 'out'));
    symlinkSync('../../../../etc', join(project, 'up'));
    symlinkSync(join(project, 'lib'), join(project, 'abs'));
    symlinkSync('lib/x.txt', join(project, 'rel'));
    const before = fingerprint(project);
    const agent = await startRun(project).agent();
    await run(agent, 'echo a >> abs/x.txt; echo r >> rel; mkdir out; echo o > out/f.txt');
    expect(text(await agent.readFile('lib/x.txt', never))).toBe('lib\na\nr\n');
    expect((await agent.takeSnapshot(never)).changes.map((c) => c.path)).toEqual([
      'lib/x.txt',
      'out',
      'out/f.txt',
    ]);
    expect(fingerprint(project)).toEqual(before);
    expect(readFileSync(join(outside, 'f.txt'), 'utf8')).toBe('outside\n');
  });

  test('that make a link leading out do not get it into the change set, nor file tools through it', async () => {
    const outside = tempFolder();
    const started = startRun(gitProject());
    const agent = await started.agent();
    await run(agent, `ln -s ${outside} out`);
    await expect(agent.writeFile('out/f', Buffer.from('x'), never)).rejects.toThrow(outside);
    expect((await agent.takeSnapshot(never)).changes).toEqual([]);
    expect(started.warnings).toEqual(['link-left-out']);
    expect(existsSync(join(outside, 'f'))).toBe(false);
  });

  test('that put a folder in the place of a link leave what the link led to alone', async () => {
    const project = tempFolder();
    fill(project, { 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' });
    symlinkSync('src', join(project, 'lib'));
    const agent = await startRun(project).agent();
    await run(agent, 'rm lib; mkdir lib; echo other > lib/a.txt');
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'delete lib',
      'add lib/a.txt',
    ]);
    expect(changes.some(({ baseMoved }) => baseMoved === true)).toBe(false);
    expect(await agent.listDirectory('lib', never)).toEqual([{ name: 'a.txt', kind: 'file' }]);
    await expect(agent.readFile('lib/b.txt', never)).rejects.toMatchObject({
      code: 'workspace/not-found',
    });
  });

  test('that remove a folder and make it anew show what they made', async () => {
    const project = tempFolder();
    fill(project, { 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' });
    const agent = await startRun(project).agent();
    await run(agent, 'rm -r src');
    await run(agent, 'mkdir src; echo a > src/a.txt');
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['delete src/b.txt']);
    expect(text(await agent.readFile('src/a.txt', never))).toBe('a\n');
  });

  test('skip pipes and never wait on them', async () => {
    const project = tempFolder();
    fill(project, { 'a.txt': 'a\n' });
    execFileSync('mkfifo', [join(project, 'pipe')]);
    const agent = await startRun(project).agent();
    expect((await run(agent, 'ls; mkfifo own')).output).toBe('a.txt\n');
    expect((await agent.takeSnapshot(never)).changes).toEqual([]);
    await expect(agent.readFile('pipe', never)).rejects.toThrow('pipe, socket or device');
  });

  test('in a linked worktree or submodule find no repository at all', async () => {
    const main = gitProject();
    const linked = join(tempFolder(), 'linked');
    git(main, 'worktree', 'add', '-q', linked);
    const before = [fingerprint(main), fingerprint(linked)];
    const agent = await startRun(linked).agent();
    const result = await run(agent, 'git status; git commit --allow-empty -m x; ls -A');
    expect(result.output).toContain('not a git repository');
    expect([fingerprint(main), fingerprint(linked)]).toEqual(before);
  });

  test('in a repository whose config names another work tree still work in the copy', async () => {
    const project = gitProject();
    git(project, 'config', 'core.worktree', project);
    const before = fingerprint(project);
    const agent = await startRun(project).agent();
    await run(agent, 'git checkout -q -- . ; git clean -fdxq');
    expect(fingerprint(project)).toEqual(before);
    expect(text(await agent.readFile('src/b.txt', never))).toBe('two\n');
  });

  test('start in the folder they ask for, inside the roots only', async () => {
    const agent = await startRun(gitProject()).agent();
    const inside = { command: 'pwd', cwd: 'src', timeoutMs: 10_000 };
    const shown = `${agent.roots[0]?.shownPath}/src`;
    expect(agent.describeCommand(inside)).toEqual({ command: 'pwd', cwd: shown });
    expect((await agent.runCommand(inside, never)).output).toBe(`${shown}\n`);
    for (const cwd of ['/', '../..', '/tmp']) {
      await expect(agent.runCommand({ ...inside, cwd }, never)).rejects.toMatchObject({
        code: 'workspace/path-escape',
      });
    }
    await run(agent, 'ln -s / root');
    await expect(agent.runCommand({ ...inside, cwd: 'root' }, never)).rejects.toMatchObject({
      code: 'workspace/path-escape',
    });
  });

  test('are refused with a clear reason where there is too much to copy', async () => {
    const project = tempFolder();
    fill(project, { a: '1', b: '2', c: '3' });
    const started = startRun(project, { limits: { files: 2, bytes: 1000 } });
    const agent = await started.agent();
    await expect(run(agent, 'true')).rejects.toMatchObject({ code: 'workspace/too-large' });
    expect(text(await agent.readFile('a', never))).toBe('1');
  });

  test('see answers of others as a copy when they name them', async () => {
    const started = startRun(gitProject());
    const [one, two] = [await started.agent(1), await started.agent(2)];
    await one.writeFile('src/a.txt', Buffer.from('by one\n'), never);
    const { id } = await one.takeSnapshot(never);
    const folder =
      two.showPeers([{ slot: 1, label: 'agent1.1', snapshotId: id }]).get('agent1.1') ?? '';
    const result = await run(
      two,
      `cat ${folder}/proj/src/*.txt; echo x > ${folder}/proj/src/a.txt`,
    );
    expect(result.output).toBe('by one\ntwo, not committed\n');
    expect(text(await two.readFile(`${folder}/proj/src/a.txt`, never))).toBe('by one\n');
    expect((await two.takeSnapshot(never)).changes).toEqual([]);
  });

  test('that install thousands of files leave them out of the change set and say so', async () => {
    const started = startRun(gitProject());
    const agent = await started.agent();
    await run(
      agent,
      'mkdir -p node_modules/m build && cd node_modules/m && seq 1 1500 | xargs touch && cd ../../build && seq 1 1500 | xargs touch; cd ..; touch kept.txt',
    );
    expect((await agent.takeSnapshot(never)).changes.map((change) => change.path)).toEqual([
      'kept.txt',
    ]);
    expect(started.warnings).toEqual(['ignored-files-left-out']);
    expect((await run(agent, 'ls build | wc -l')).output.trim()).toBe('1500');
  });

  test('have a fresh environment with private folders', async () => {
    const agent = await startRun(gitProject(), { searchPath: '/usr/bin:/bin' }).agent();
    const { output } = await run(agent, 'env | sort');
    const names = output.split('\n').map((line) => line.split('=')[0]);
    expect(names).toEqual([
      'GIT_CEILING_DIRECTORIES',
      'HOME',
      'LANG',
      'MASSGEN_RUN',
      'PATH',
      'PWD',
      'TERM',
      'TMPDIR',
      '',
    ]);
    expect(output).toContain('\nPATH=/usr/bin:/bin\n');
  });
});
