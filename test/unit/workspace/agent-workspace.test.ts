import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isMassGenError } from '../../../src/core/errors';
import type { Snapshot } from '../../../src/core/ports/workspace';
import { openSnapshotStore } from '../../../src/workspace/snapshot-store';
import { toPlace } from '../../../src/workspace/path-guard';
import { bytes, fill, fingerprint, git, never, startRun, tempFolder, text } from './temp-project';

function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = tempFolder();
  fill(folder, files);
  return folder;
}

const paths = (snapshot: Snapshot): readonly string[] =>
  snapshot.changes.map((change) => `${change.root}/${change.path} ${change.kind}`);

describe('an agent', () => {
  test('edits its own view; the user’s folder and other agents’ views stay as they were', async () => {
    const folder = project({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c/d.txt': 'd\n' });
    const before = fingerprint(folder);
    const run = startRun(folder);
    const [one, two] = [await run.agent(1), await run.agent(2)];
    await one.writeFile('a.txt', bytes('A\n'), never);
    await one.writeFile('new/deep/e.txt', bytes('e\n'), never);
    await one.deleteFile('b.txt', never);
    expect(text(await one.readFile('a.txt', never))).toBe('A\n');
    expect((await one.listDirectory('.', never)).map((entry) => entry.name)).toEqual([
      'a.txt',
      'c',
      'new',
    ]);
    expect(await one.listDirectory('new', never)).toEqual([{ name: 'deep', kind: 'directory' }]);
    await expect(one.readFile('b.txt', never)).rejects.toMatchObject({
      code: 'workspace/not-found',
    });
    expect((await two.listDirectory('.', never)).map((entry) => entry.name)).toEqual([
      'a.txt',
      'b.txt',
      'c',
    ]);
    expect(text(await two.readFile('a.txt', never))).toBe('a\n');
    expect(fingerprint(folder)).toEqual(before);
    expect(readdirSync(join(run.dir, 'run-1')).sort()).toEqual(
      [one, two]
        .map((agent) => basename(join(agent.roots[0]?.shownPath ?? '', '..')))
        .concat('blobs.pack')
        .sort(),
    );
  });

  test('that uses only file tools makes no copy of the project', async () => {
    const run = startRun(project({ 'a.txt': 'a\n' }));
    const agent = await run.agent();
    await agent.writeFile('a.txt', bytes('A\n'), never);
    await agent.takeSnapshot(never);
    expect(existsSync(agent.roots[0]?.shownPath ?? '')).toBe(false);
  });

  test('has what tools gave at length no part of an answer, and finds it again when it goes back', async () => {
    const agent = await startRun(project({ 'a.txt': 'a\n' })).agent();
    const kept = `${agent.roots[1]?.shownPath}/.tool_results/1.txt`;
    await agent.writeFile(kept, bytes('long\n'), never);
    await agent.writeFile('.tool_results/own.txt', bytes('of the project\n'), never);
    expect(paths(await agent.takeSnapshot(never))).toEqual(['proj/.tool_results/own.txt add']);
    const before = await agent.freeze(never);
    await agent.deleteFile(kept, never);
    await agent.restore(before, never);
    expect(text(await agent.readFile(kept, never))).toBe('long\n');
  });

  test('sees a neutral place that tells nothing about it, and a private folder that starts empty', async () => {
    const agent = await startRun(project({ 'a.txt': 'a\n' })).agent(3);
    expect(agent.roots.map(({ name, kind, canWrite }) => [name, kind, canWrite])).toEqual([
      ['proj', 'context', true],
      ['workspace', 'private', true],
      ['peers', 'peers', false],
    ]);
    expect(agent.roots[0]?.shownPath).toMatch(/\/run-1\/[0-9a-f]{16}\/proj$/);
    expect(await agent.listDirectory(agent.roots[1]?.shownPath ?? '', never)).toEqual([]);
    const note = `${agent.roots[1]?.shownPath}/note.md`;
    await agent.writeFile(note, bytes('n\n'), never);
    expect(paths(await agent.takeSnapshot(never))).toEqual(['workspace/note.md add']);
    expect(agent.neutralizePaths(`see ${note} and file://${note}.`)).toBe(
      'see <workspace>/workspace/note.md and file://<workspace>/workspace/note.md.',
    );
  });

  test('without a project starts in its private folder', async () => {
    const agent = await startRun('', { folders: [] }).agent();
    await agent.writeFile('a.txt', bytes('a\n'), never);
    expect(paths(await agent.takeSnapshot(never))).toEqual(['workspace/a.txt add']);
  });

  test('keeps folders with equal names and files apart', async () => {
    const [a, b] = [project({ 'src/x.ts': 'a\n' }), project({ 'src/x.ts': 'b\n' })];
    const folders = [
      { name: 'A', path: a, permission: 'write' as const },
      { name: 'workspace', path: b, permission: 'write' as const },
    ];
    const agent = await startRun(a, { folders }).agent();
    const second = agent.roots[1]?.shownPath ?? '';
    expect(text(await agent.readFile(`${second}/src/x.ts`, never))).toBe('b\n');
    await agent.writeFile(`${second}/src/x.ts`, bytes('B\n'), never);
    expect(paths(await agent.takeSnapshot(never))).toEqual(['workspace/src/x.ts modify']);
    expect(agent.roots[2]).toMatchObject({ name: 'private', kind: 'private' });
  });

  test('with a single file as its context sees only that file', async () => {
    const folder = project({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const folders = [{ name: 'a.txt', path: join(folder, 'a.txt'), permission: 'write' as const }];
    const agent = await startRun(folder, { folders }).agent();
    expect((await agent.listDirectory('.', never)).map((entry) => entry.name)).toEqual(['a.txt']);
    await expect(agent.readFile('b.txt', never)).rejects.toMatchObject({
      code: 'workspace/not-found',
    });
  });

  test('leaves nothing but its snapshots behind when it is closed', async () => {
    const run = startRun(project({ 'a.txt': 'a\n' }));
    const agent = await run.agent();
    await agent.runCommand({ command: 'echo x > a.txt', cwd: undefined, timeoutMs: 9000 }, never);
    const { id } = await agent.takeSnapshot(never);
    await run.workspaces.close();
    await agent.close();
    expect(readdirSync(join(run.dir, 'run-1'))).toEqual(['blobs.pack']);
    const store = openSnapshotStore({ dir: run.dir, runId: 'run-1' });
    const entry = store.readEntry(id, 'proj', 'a.txt');
    expect(text(store.readContent(entry?.now ?? null) ?? bytes(''))).toBe('x\n');
    expect(text(store.readContent(entry?.base ?? null) ?? bytes(''))).toBe('a\n');
    store.close();
  });

  test('that is closed during a command ends it', async () => {
    const agent = await startRun(project({ 'a.txt': 'a\n' })).agent();
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const request = {
      command: 'echo x; sleep 600',
      cwd: undefined,
      timeoutMs: 900_000,
      onOutput: () => begun(),
    };
    const command = expect(agent.runCommand(request, never)).rejects.toMatchObject({
      code: 'cancelled/shutdown',
    });
    await started;
    await agent.close();
    await command;
    expect(existsSync(join(agent.roots[0]?.shownPath ?? '', '..'))).toBe(false);
  });
});

describe('the guard', () => {
  const refused = { code: 'workspace/path-escape' };

  test('refuses what is outside, in every spelling', async () => {
    const parent = tempFolder();
    fill(parent, { 'proj/a.txt': 'a\n', 'proj-secret/x': 'x\n' });
    const agent = await startRun(join(parent, 'proj')).agent();
    for (const path of [
      ...[
        '/etc/passwd',
        '../x',
        'a/../../x',
        '../../../../../../etc/passwd',
        `${parent}/proj-secret/x`,
      ],
      ...[
        `${agent.roots[0]?.shownPath}-x/y`,
        'C:\\x',
        'c:/x',
        '\\\\srv\\share',
        '//srv/share',
        'a\0b',
      ],
    ]) {
      await expect(agent.readFile(path, never)).rejects.toMatchObject(refused);
      await expect(agent.writeFile(path, bytes('x'), never)).rejects.toMatchObject(refused);
      await expect(agent.deleteFile(path, never)).rejects.toMatchObject(refused);
      await expect(agent.listFiles(path, 10, never)).rejects.toMatchObject(refused);
    }
    expect(fingerprint(parent).length).toBe(4);
  });

  test('takes the project’s real path for the agent’s own view of it', async () => {
    const folder = project({ 'a.txt': 'a\n' });
    const agent = await startRun(folder).agent();
    await agent.writeFile(join(folder, 'a.txt'), bytes('A\n'), never);
    expect(text(await agent.readFile('./x/../a.txt', never))).toBe('A\n');
    expect(statSync(join(folder, 'a.txt')).size).toBe(2);
    expect(text(await (await startRun(folder).agent()).readFile('a.txt', never))).toBe('a\n');
  });

  test('follows links inside and refuses links that lead out, naming the target', async () => {
    const outside = project({ 'x.txt': 'x\n' });
    const folder = project({ 'shared/real.txt': 'r\n', '.env': 'KEY=1\n' });
    symlinkSync('shared/real.txt', join(folder, 'alias.txt'));
    symlinkSync(join(folder, 'shared'), join(folder, 'dir'));
    symlinkSync(outside, join(folder, 'out'));
    symlinkSync('../outside', join(folder, 'up'));
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('.env', join(folder, 'notes.txt'));
    const agent = await startRun(folder).agent();
    await agent.writeFile('alias.txt', bytes('R\n'), never);
    await agent.writeFile('dir/two.txt', bytes('2\n'), never);
    for (const path of ['out', 'out/x.txt', 'up', 'loop', 'notes.txt', 'dir/../out/x.txt']) {
      await expect(agent.readFile(path, never)).rejects.toMatchObject(refused);
      await expect(agent.writeFile(path, bytes('x'), never)).rejects.toMatchObject(refused);
    }
    await expect(agent.readFile('out/x.txt', never)).rejects.toThrow(outside);
    await expect(agent.readFile('notes.txt', never)).rejects.toThrow('.env is hidden');
    await agent.deleteFile('out', never);
    expect(paths(await agent.takeSnapshot(never))).toEqual([
      'proj/out delete',
      'proj/shared/real.txt modify',
      'proj/shared/two.txt add',
    ]);
    expect(text(await agent.readFile('alias.txt', never))).toBe('R\n');
  });

  test('hides secrets and what the project keeps back', async () => {
    const names = [
      '.env',
      '.env.local',
      'key.pem',
      'id_rsa',
      '.npmrc',
      'sub/.netrc',
      '.aws/credentials',
    ];
    const folder = project({
      ...Object.fromEntries(names.map((name) => [name, 's\n'])),
      'id_map.py': 'ok\n',
      'secrets/k': 'k\n',
      '.massgenignore': 'secrets/\n',
    });
    const agent = await startRun(folder).agent();
    for (const name of [...names, 'secrets/k', '.ENV']) {
      await expect(agent.readFile(name, never)).rejects.toMatchObject(refused);
      await expect(agent.writeFile(name, bytes('x'), never)).rejects.toMatchObject(refused);
    }
    expect(await agent.listFiles('.', 100, never)).toEqual(
      ['.massgenignore', 'id_map.py'].map((name) => `${agent.roots[0]?.shownPath}/${name}`),
    );
  });

  test('lets .git be read and never written', async () => {
    const folder = project({ 'a.txt': 'a\n' });
    git(folder, 'init', '-q');
    const agent = await startRun(folder).agent();
    expect(text(await agent.readFile('.git/HEAD', never))).toBe('ref: refs/heads/main\n');
    const readOnly = { code: 'workspace/read-only' };
    for (const path of ['.git/HEAD', '.git/hooks/x', 'sub/.git', '.GIT/config', '.git./x']) {
      await expect(agent.writeFile(path, bytes('x'), never)).rejects.toMatchObject(readOnly);
    }
    await expect(agent.deleteFile('.git/HEAD', never)).rejects.toMatchObject(readOnly);
    expect(await agent.listFiles('.', 10, never)).toEqual([`${agent.roots[0]?.shownPath}/a.txt`]);
  });

  test('learns the user’s own folder from no refusal', async () => {
    const folder = project({ 'a.txt': 'a\n' });
    truncateSync(join(folder, 'a.txt'), 300 * 1024 * 1024);
    const agent = await startRun(folder).agent();
    const refusals = await Promise.allSettled([
      agent.readFile('a.txt', never),
      agent.writeFile('a.txt', bytes('x'), never),
      agent.stat('x'.repeat(300), never),
      agent.writeFile('é'.repeat(200), bytes('x'), never),
      agent.writeFile('x/'.repeat(2000), bytes('x'), never),
      agent.runCommand({ command: 'pwd', cwd: 'x'.repeat(300), timeoutMs: 60_000 }, never),
    ]);
    const codes = refusals.map((one) => {
      const reason: unknown = one.status === 'rejected' ? one.reason : undefined;
      expect(String(reason)).not.toContain(folder);
      return isMassGenError(reason) ? reason.code : 'none';
    });
    expect(codes).toEqual([
      ...['workspace/too-large', 'workspace/too-large'],
      ...Array<string>(4).fill('workspace/path-escape'),
    ]);
  });

  test('sees no unsaved text of files that it may not see', async () => {
    const folder = project({ '.massgenignore': 'own/\n', 'own/k.txt': 'k\n', 'a.txt': 'a\n' });
    const unsaved = new Map([
      [join(folder, 'own/k.txt'), bytes('unsaved secret\n')],
      [join(folder, '.env'), bytes('unsaved secret\n')],
      [join(folder, 'a.txt'), bytes('unsaved\n')],
    ]);
    const agent = await startRun(folder, { unsaved }).agent();
    const command = { command: 'cat .env own/k.txt a.txt', timeoutMs: 60_000 };
    const { output } = await agent.runCommand({ ...command, cwd: undefined }, never);
    expect(output).toContain('unsaved\n');
    expect(output).not.toContain('secret');
    const folders = [{ name: 'proj', path: join(folder, 'a.txt'), permission: 'write' }] as const;
    const other = new Map([...unsaved, [join(folder, 'b.txt'), bytes('unsaved secret\n')]]);
    const single = await startRun(folder, { unsaved: other, folders }).agent();
    await expect(single.readFile('b.txt', never)).rejects.toThrow('does not exist');
    expect(text(await single.readFile('a.txt', never))).toBe('unsaved\n');
  });

  test('refuses writes to a folder that can only be read', async () => {
    const folder = project({ 'a.txt': 'a\n' });
    const folders = [{ name: 'proj', path: folder, permission: 'read' as const }];
    const agent = await startRun(folder, { folders }).agent();
    await expect(agent.writeFile('b.txt', bytes('x'), never)).rejects.toThrow('can only be read');
    await expect(agent.deleteFile('a.txt', never)).rejects.toThrow('can only be read');
  });

  test('compares paths with drives in one form', () => {
    expect(toPlace('c:\\Users\\x', 'win32')).toBe('/C:/Users/x');
    expect(toPlace('src\\a.ts', 'win32')).toBe('src/a.ts');
    expect(toPlace('\\\\srv\\share', 'win32')).toBe('//srv/share');
    expect(toPlace('a\\b', 'linux')).toBe('a\\b');
  });
});

describe('a snapshot', () => {
  test('is the difference in bytes, with equal ids for equal content', async () => {
    const run = startRun(project({ 'a.txt': 'one\ntwo\n', 'b.bin': new Uint8Array([0, 1]) }));
    const [one, two] = [await run.agent(1), await run.agent(2)];
    const empty = await one.takeSnapshot(never);
    await one.writeFile('a.txt', bytes('one\nTWO\nthree'), never);
    await one.writeFile('b.bin', new Uint8Array([0, 2, 3]), never);
    await two.writeFile('b.bin', new Uint8Array([0, 2, 3]), never);
    await two.writeFile('a.txt', bytes('x'), never);
    await two.writeFile('a.txt', bytes('one\nTWO\nthree'), never);
    const first = await one.takeSnapshot(never);
    expect(first.changes).toEqual([
      {
        root: 'proj',
        path: 'a.txt',
        kind: 'modify',
        added: 2,
        removed: 1,
        isBinary: false,
        sizeBytes: 13,
        hunks: [
          {
            ...{ id: 'f6998be80e61b83a', title: 'TWO' },
            ...{ baseStart: 1, baseLines: 1, newStart: 1, newLines: 2, added: 2, removed: 1 },
          },
        ],
      },
      {
        root: 'proj',
        path: 'b.bin',
        kind: 'modify',
        added: 0,
        removed: 0,
        isBinary: true,
        sizeBytes: 3,
      },
    ]);
    expect((await two.takeSnapshot(never)).id).toBe(first.id);
    await one.writeFile('a.txt', bytes('one\ntwo\n'), never);
    await one.writeFile('b.bin', new Uint8Array([0, 1]), never);
    expect(await one.takeSnapshot(never)).toEqual(empty);
  });

  test('marks what needs a second look', async () => {
    const folder = project({
      '.gitignore': 'out/\n',
      'package.json': '{"name":"x"}',
      'run.sh': 'x\n',
    });
    mkdirSync(join(folder, '.git'));
    const agent = await startRun(folder).agent();
    await agent.writeFile('out/x', bytes('x'), never);
    await agent.writeFile('.vscode/settings.json', bytes('{}'), never);
    await agent.writeFile('AGENTS.md', bytes('x'), never);
    await agent.writeFile('package.json', bytes('{"name":"y"}'), never);
    await agent.writeFile('sub/package.json', bytes('{"scripts":{"postinstall":"x"}}'), never);
    const unreadable = Buffer.from('{"n":"\xff","scripts":{"postinstall":"x"}}', 'latin1');
    await agent.writeFile('other/Package.json', unreadable, never);
    await agent.runCommand({ command: 'chmod +x run.sh', cwd: undefined, timeoutMs: 9000 }, never);
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map(({ path, kind, caution }) => [path, kind, caution])).toEqual([
      ['.vscode/settings.json', 'add', 'sensitive'],
      ['AGENTS.md', 'add', 'sensitive'],
      ['other/Package.json', 'add', 'sensitive'],
      ['out/x', 'add', 'ignored'],
      ['package.json', 'modify', undefined],
      ['run.sh', 'mode', 'sensitive'],
      ['sub/package.json', 'add', 'sensitive'],
    ]);
  });

  test('keeps the mode of what was edited', async () => {
    const folder = project({ 'run.sh': 'x\n' });
    chmodSync(join(folder, 'run.sh'), 0o755);
    const run = startRun(folder);
    const agent = await run.agent();
    await agent.writeFile('run.sh', bytes('y\n'), never);
    const { id } = await agent.takeSnapshot(never);
    expect(run.workspaces.store.readEntry(id, 'proj', 'run.sh')?.now).toMatchObject({
      mode: 0o755,
    });
  });

  test('can be gone back to, and to the start', async () => {
    const agent = await startRun(project({ 'a.txt': 'a\n', 'b.txt': 'b\n' })).agent();
    await agent.writeFile('a.txt', bytes('1\n'), never);
    await agent.deleteFile('b.txt', never);
    const first = await agent.takeSnapshot(never);
    await agent.writeFile('a.txt', bytes('2\n'), never);
    await agent.writeFile('b.txt', bytes('2\n'), never);
    await agent.writeFile('c.txt', bytes('2\n'), never);
    await agent.restore(first.id, never);
    expect(await agent.takeSnapshot(never)).toEqual(first);
    await agent.restore(null, never);
    expect((await agent.takeSnapshot(never)).changes).toEqual([]);
    expect(text(await agent.readFile('b.txt', never))).toBe('b\n');
    await expect(agent.restore('0'.repeat(64), never)).rejects.toMatchObject({
      code: 'workspace/snapshot-failed',
    });
  });

  test('is given up when the agent is stopped', async () => {
    const agent = await startRun(project({ 'a.txt': 'a\n' })).agent();
    const reason = new Error('stopped');
    await expect(agent.takeSnapshot(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('when the user changes a file during the run', () => {
  test('agents that have read it keep seeing what they read, and the snapshot says that it moved', async () => {
    const folder = project({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    const run = startRun(folder);
    const [one, two] = [await run.agent(1), await run.agent(2)];
    await one.readFile('a.txt', never);
    writeFileSync(join(folder, 'a.txt'), 'changed by the user\n');
    expect(text(await two.readFile('a.txt', never))).toBe('one\n');
    await one.writeFile('a.txt', bytes('one, edited\n'), never);
    await one.writeFile('b.txt', bytes('B\n'), never);
    const { id, changes } = await one.takeSnapshot(never);
    expect(changes.map(({ path, baseMoved }) => [path, baseMoved])).toEqual([
      ['a.txt', true],
      ['b.txt', undefined],
    ]);
    const store = run.workspaces.store;
    const base = store.readEntry(id, 'proj', 'a.txt')?.base ?? null;
    expect(text(store.readContent(base) ?? bytes(''))).toBe('one\n');
  });

  test('a copy for commands that was made before tells that the base is not known', async () => {
    const folder = project({ 'a.txt': 'one\n' });
    const run = startRun(folder);
    const agent = await run.agent();
    const command = { cwd: undefined, timeoutMs: 9000 };
    await agent.runCommand({ ...command, command: 'true' }, never);
    writeFileSync(join(folder, 'a.txt'), 'changed by the user\n');
    await agent.runCommand({ ...command, command: 'echo two >> a.txt' }, never);
    const { id, changes } = await agent.takeSnapshot(never);
    expect(changes).toMatchObject([{ path: 'a.txt', baseMoved: true }]);
    expect(run.workspaces.store.readEntry(id, 'proj', 'a.txt')?.base).toEqual({ kind: 'unknown' });
  });

  test('a file deleted meanwhile counts as moved, a file saved with the unsaved text does not', async () => {
    const folder = project({ 'a.txt': 'a\n', 'b.txt': 'saved\n' });
    const unsaved = new Map([[join(folder, 'b.txt'), bytes('unsaved\n')]]);
    const agent = await startRun(folder, { unsaved }).agent();
    await agent.writeFile('a.txt', bytes('A\n'), never);
    await agent.writeFile('b.txt', bytes('unsaved, edited\n'), never);
    unlinkSync(join(folder, 'a.txt'));
    writeFileSync(join(folder, 'b.txt'), 'unsaved\n');
    const { changes } = await agent.takeSnapshot(never);
    expect(
      changes.map(({ path, baseMoved, added, removed }) => [path, baseMoved, added, removed]),
    ).toEqual([
      ['a.txt', true, 1, 1],
      ['b.txt', undefined, 1, 1],
    ]);
  });
});

describe('answers of others', () => {
  test('are shown as read-only folders under neutral names', async () => {
    const run = startRun(project({ 'a.txt': 'a\n', 'b.txt': 'b\n' }));
    const [one, two] = [await run.agent(1), await run.agent(2)];
    await one.writeFile('a.txt', bytes('by one\n'), never);
    await one.deleteFile('b.txt', never);
    await one.writeFile(`${one.roots[1]?.shownPath}/note.md`, bytes('n\n'), never);
    const { id } = await one.takeSnapshot(never);
    await one.writeFile('a.txt', bytes('later\n'), never);
    const peers = two.roots[2]?.shownPath ?? '';
    const shown = two.showPeers([{ slot: 1, label: 'agent1.1', snapshotId: id }]);
    expect([...shown]).toEqual([['agent1.1', `${peers}/agent1`]]);
    expect(await two.listFiles(peers, 10, never)).toEqual([
      `${peers}/agent1/proj/a.txt`,
      `${peers}/agent1/workspace/note.md`,
    ]);
    expect(text(await two.readFile(`${peers}/agent1/proj/a.txt`, never))).toBe('by one\n');
    await expect(
      two.writeFile(`${peers}/agent1/proj/a.txt`, bytes('x'), never),
    ).rejects.toMatchObject({
      code: 'workspace/read-only',
    });
    two.showPeers([]);
    expect(await two.listDirectory(peers, never)).toEqual([]);
    await expect(two.readFile(`${peers}/agent1/proj/a.txt`, never)).rejects.toMatchObject({
      code: 'workspace/not-found',
    });
  });
});

test('a run without its folder says which one is missing', async () => {
  const run = startRun('/nowhere/at/all');
  await expect(run.agent()).rejects.toMatchObject({
    code: 'config/invalid',
    message: 'The folder /nowhere/at/all does not exist.',
  });
});
