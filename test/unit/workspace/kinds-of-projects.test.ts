// What agents see, and what their changes are, in projects of every kind: bytes as they lie on the disk, with git or
// without, and nothing of the user's repository written.
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { AgentWorkspace } from '../../../src/core/ports/workspace';
import { onTestFinished } from 'vitest';
import { bytes, fill, fingerprint, git, never, startRun, tempFolder, text } from './temp-project';

function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = tempFolder();
  fill(folder, files);
  return folder;
}

function repository(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = project(files);
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'first');
  return folder;
}

const read = async (agent: AgentWorkspace, path: string): Promise<string> =>
  text(await agent.readFile(path, never));

const listed = async (agent: AgentWorkspace, path = '.'): Promise<readonly string[]> =>
  (await agent.listDirectory(path, never)).map(({ name }) => name);

const changesOf = async (agent: AgentWorkspace): Promise<readonly string[]> =>
  (await agent.takeSnapshot(never)).changes.map(({ path, kind }) => `${kind} ${path}`);

const shell = async (agent: AgentWorkspace, command: string): Promise<string> =>
  (await agent.runCommand({ command, cwd: undefined, timeoutMs: 60_000 }, never)).output;

describe('an agent sees', () => {
  test('what was edited, deleted, not added yet, and ignored', async () => {
    const folder = repository({ '.gitignore': 'out/\n', 'a.txt': 'a\n', 'b.txt': 'b\n' });
    fill(folder, { 'a.txt': 'edited\n', 'new.txt': 'n\n', 'out/build.js': 'o\n' });
    rmSync(join(folder, 'b.txt'));
    const agent = await startRun(folder).agent();
    expect(await listed(agent)).toEqual(['.git', '.gitignore', 'a.txt', 'new.txt', 'out']);
    expect(await read(agent, 'a.txt')).toBe('edited\n');
    expect(await read(agent, 'out/build.js')).toBe('o\n');
    expect(await changesOf(agent)).toEqual([]);
  });

  test('links as links: to a file, a folder, nothing, and outside', async () => {
    const folder = project({ 'real/a.txt': 'a\n' });
    for (const [name, target] of [
      ['to-file', 'real/a.txt'],
      ['to-folder', 'real'],
      ['dangling', 'nowhere'],
      ['outward', '/etc'],
    ] as const) {
      symlinkSync(target, join(folder, name));
    }
    const agent = await startRun(folder).agent();
    const kinds = (await agent.listDirectory('.', never)).map(({ name, kind }) => [name, kind]);
    expect(kinds).toEqual([
      ...['dangling', 'outward'].map((name) => [name, 'link']),
      ['real', 'directory'],
      ...['to-file', 'to-folder'].map((name) => [name, 'link']),
    ]);
    expect(await read(agent, 'to-folder/a.txt')).toBe('a\n');
    await expect(agent.readFile('outward/hostname', never)).rejects.toThrow('outside');
  });

  test('modes, and empty folders', async () => {
    const folder = project({ 'a.sh': 'a\n', 'b.key.txt': 'b\n', 'c.txt': 'c\n' });
    const modes = { 'a.sh': 0o755, 'b.key.txt': 0o600, 'c.txt': 0o444 };
    Object.entries(modes).forEach(([name, mode]) => chmodSync(join(folder, name), mode));
    mkdirSync(join(folder, 'empty'));
    const run = startRun(folder);
    const agent = await run.agent();
    for (const [name, mode] of Object.entries(modes)) {
      expect((await agent.stat(name, never)).mode).toBe(mode);
      await agent.writeFile(name, bytes('edited\n'), never);
    }
    expect(await listed(agent, 'empty')).toEqual([]);
    const { id } = await agent.takeSnapshot(never);
    const kept = Object.keys(modes).map(
      (name) => run.workspaces.store.readEntry(id, 'proj', name)?.now,
    );
    expect(kept).toMatchObject(Object.values(modes).map((mode) => ({ mode })));
  });

  test('bytes that git would convert: line ends, filters, keywords, pointers to large files', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:1234\nsize 100000000\n';
    const attributes = '* text=auto\n*.id ident\n*.bin filter=lfs diff=lfs -text\n*.f filter=x\n';
    const folder = repository({ '.gitattributes': attributes, 'lf.txt': 'a\nb\n' });
    git(folder, 'config', 'core.autocrlf', 'true');
    git(folder, 'config', 'filter.x.smudge', 'tr a-z A-Z');
    const files = { 'crlf.txt': 'a\r\nb\r\n', 'k.id': '$Id$\n', 'l.bin': pointer, 'x.f': 'abc\n' };
    fill(folder, files);
    const agent = await startRun(folder).agent();
    for (const [path, content] of Object.entries({ ...files, 'lf.txt': 'a\nb\n' })) {
      expect(await read(agent, path)).toBe(content);
    }
    await agent.writeFile('crlf.txt', bytes('a\r\nB\r\n'), never);
    const { changes } = await agent.takeSnapshot(never);
    expect(changes).toMatchObject([{ path: 'crlf.txt', added: 1, removed: 1 }]);
  });

  test('submodules and nested repositories as plain files, and never changes their .git', async () => {
    const library = repository({ 'lib.c': 'l\n' });
    const folder = repository({ 'a.txt': 'a\n' });
    git(folder, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'sub');
    fill(folder, { 'vendor/x/x.c': 'x\n' });
    git(join(folder, 'vendor/x'), 'init', '-q');
    const before = fingerprint(folder);
    const agent = await startRun(folder).agent();
    await agent.writeFile('sub/lib.c', bytes('L\n'), never);
    await agent.writeFile('vendor/x/x.c', bytes('X\n'), never);
    for (const path of ['sub/.git', 'vendor/x/.git/config']) {
      await expect(agent.writeFile(path, bytes('x'), never)).rejects.toThrow('.git');
    }
    expect(await changesOf(agent)).toEqual(['modify sub/lib.c', 'modify vendor/x/x.c']);
    expect(fingerprint(folder)).toEqual(before);
  });

  test('no deletion where a sparse checkout leaves files out', async () => {
    const folder = repository({ 'in/a.txt': 'a\n', 'left-out/b.txt': 'b\n' });
    git(folder, 'sparse-checkout', 'set', 'in');
    const agent = await startRun(folder).agent();
    expect(await listed(agent)).toEqual(['.git', 'in']);
    await agent.writeFile('in/a.txt', bytes('A\n'), never);
    expect(await changesOf(agent)).toEqual(['modify in/a.txt']);
  });

  test('a repository without commits, in the middle of a merge, and with a lock of git left behind', async () => {
    const empty = project({ 'a.txt': 'a\n' });
    git(empty, 'init', '-q');
    const merging = repository({ 'a.txt': 'a\n' });
    git(merging, 'checkout', '-qb', 'other');
    fill(merging, { 'a.txt': 'other\n' });
    git(merging, 'commit', '-qam', 'other');
    git(merging, 'checkout', '-q', 'main');
    fill(merging, { 'a.txt': 'main\n' });
    git(merging, 'commit', '-qam', 'main');
    expect(() => git(merging, 'merge', 'other')).toThrow();
    for (const folder of [empty, merging]) {
      writeFileSync(join(folder, '.git/index.lock'), '');
      const before = fingerprint(folder);
      const agent = await startRun(folder).agent();
      await agent.writeFile('a.txt', bytes('by an agent\n'), never);
      expect(await changesOf(agent)).toEqual(['modify a.txt']);
      expect(fingerprint(folder)).toEqual(before);
    }
  });

  test('a folder that is no repository, in a place with spaces and letters of many scripts', async () => {
    const folder = join(tempFolder(), 'My Répo', '日本');
    fill(folder, { 'ä b/ü.txt': 'u\n', '🙂.txt': 's\n' });
    const agent = await startRun(folder).agent();
    await agent.writeFile('ä b/ü.txt', bytes('U\n'), never);
    await agent.writeFile('ä b/新.txt', bytes('n\n'), never);
    expect(await read(agent, join(folder, '🙂.txt'))).toBe('s\n');
    expect(await shell(agent, 'cat "ä b/ü.txt" "🙂.txt" && echo x > "ä b/c d.txt"')).toBe('U\ns\n');
    expect(await changesOf(agent)).toEqual([
      ...['add ä b/c d.txt', 'modify ä b/ü.txt', 'add ä b/新.txt'],
    ]);
  });
});

describe('two folders with equal names and equal paths in them', () => {
  test('stay apart for file tools, commands and the list of changes', async () => {
    const [one, two] = [join(tempFolder(), 'app'), join(tempFolder(), 'app')];
    fill(one, { 'src/x.ts': 'one\n' });
    fill(two, { 'src/x.ts': 'two\n' });
    const run = startRun(one, {
      folders: [
        { name: 'app', path: one, permission: 'write' },
        { name: 'app-2', path: two, permission: 'write' },
      ],
    });
    const agent = await run.agent();
    await agent.writeFile(join(two, 'src/x.ts'), bytes('TWO\n'), never);
    const [first, second] = agent.roots.map(({ shownPath }) => shownPath);
    expect(first).not.toBe(second);
    expect(await shell(agent, `cat "${first}/src/x.ts" "${second}/src/x.ts"`)).toBe('one\nTWO\n');
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map(({ root, path }) => `${root}/${path}`)).toEqual(['app-2/src/x.ts']);
  });
});

describe('what the project keeps back', () => {
  test('is absent for tools, searches and commands alike', async () => {
    const folder = project({
      ...{ '.massgenignore': 'secrets/\n*.dump\n', 'secrets/k': 'hidden word\n' },
      ...{ 'a/b.dump': 'hidden word\n', 'a/c.txt': 'open word\n', '.env': 'K=hidden word\n' },
    });
    const agent = await startRun(folder).agent();
    expect(await listed(agent)).toEqual(['.massgenignore', 'a']);
    expect(await listed(agent, 'a')).toEqual(['c.txt']);
    const output = await shell(agent, 'cat secrets/k a/b.dump .env; grep -rh word . ; ls -A . a');
    expect(output).toContain('open word');
    expect(output).not.toContain('hidden word');
  });
});

describe('the repository of the user', () => {
  test('has the same objects, refs, index, hooks and configuration after commits of an agent', async () => {
    const folder = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    fill(folder, { '.git/hooks/pre-commit': '#!/bin/sh\ntouch "$0.was-run"\n' });
    chmodSync(join(folder, '.git/hooks/pre-commit'), 0o755);
    const before = fingerprint(folder);
    const run = startRun(folder);
    const agent = await run.agent();
    await agent.writeFile('a.txt', bytes('A\n'), never);
    const output = await shell(
      agent,
      [
        'git config user.name a && git config user.email a@example.com',
        'git add -A && git commit -qm inside && git branch inside && git tag inside',
        'echo x >> b.txt; echo x > .git/hooks/post-commit; git stash -q; git log --oneline | wc -l',
      ].join('\n'),
    );
    expect(output.trim().split('\n').at(-1)?.trim()).toBe('2');
    const { id } = await agent.takeSnapshot(never);
    await agent.restore(null, never);
    await agent.restore(id, never);
    await run.workspaces.close();
    expect(fingerprint(folder)).toEqual(before);
  });

  test('is not found through the environment of the editor either', async () => {
    const other = repository({ 'z.txt': 'z\n' });
    const folder = repository({ 'a.txt': 'a\n' });
    for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY']) {
      vi.stubEnv(name, join(other, '.git'));
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    const before = [fingerprint(folder), fingerprint(other)];
    const agent = await startRun(folder).agent();
    await agent.writeFile('a.txt', bytes('A\n'), never);
    expect((await shell(agent, 'env | grep -c GIT_DIR; git status --porcelain')).trim()).toMatch(
      /^0\n ?M a\.txt$/,
    );
    expect(await changesOf(agent)).toEqual(['modify a.txt']);
    expect([fingerprint(folder), fingerprint(other)]).toEqual(before);
  });
});

test('an agent that works in a large folder copies nothing of it and opens no watch', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_no, n) => [`d${n % 20}/f${n}.txt`, 'x\n']),
  );
  const run = startRun(project(files));
  for (const slot of [1, 2, 3]) {
    const agent = await run.agent(slot);
    await agent.writeFile('d1/f1.txt', bytes('y\n'), never);
    await agent.takeSnapshot(never);
  }
  const runFolder = join(run.dir, 'run-1');
  const kept = readdirSync(runFolder, { recursive: true, encoding: 'utf8' });
  expect(kept.filter((path) => path.endsWith('.txt'))).toEqual([]);
  expect(process.getActiveResourcesInfo().filter((name) => name.startsWith('FSEvent'))).toEqual([]);
});
