// What a confined command can reach: every test asks the real kernel.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fill, fingerprint, git, never, tempFolder, text } from '../temp-project';
import { confinedRun, copiedRun, isLayered, named, output, run } from './confined-run';

function project(): string {
  const folder = tempFolder();
  fill(folder, { 'src/a.txt': 'one\n', 'src/b.txt': 'two\n', 'lib/c.txt': 'three\n' });
  return folder;
}

/** Numbers that tell whether anything at all has happened to a file. */
function identity(path: string): string {
  const { ino, mtimeMs, ctimeMs, nlink, mode } = lstatSync(path);
  return [ino, mtimeMs, ctimeMs, nlink, mode].join(' ');
}

describe.skipIf(!isLayered)(named('a confined command'), () => {
  test('works at the user’s own path, and the user’s folder stays as it is', async () => {
    const folder = project();
    const before = [fingerprint(folder), identity(join(folder, 'src/a.txt'))];
    const agent = await confinedRun(folder).agent();
    expect(agent.unconfinedReason).toBeNull();
    expect(agent.roots[0]?.shownPath).toBe(folder);
    const said = await output(agent, 'pwd; echo x >> src/a.txt; rm src/b.txt; mv lib new; ls');
    expect(said).toBe(`${folder}\nnew\nsrc\n`);
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map(({ path }) => path)).toContain('src/a.txt');
    expect([fingerprint(folder), identity(join(folder, 'src/a.txt'))]).toEqual(before);
  });

  test('sees what the command before it did, and what the file tools did meanwhile', async () => {
    const agent = await confinedRun(project()).agent();
    await run(agent, 'echo first > made.txt; rm -r lib');
    await agent.writeFile('src/tool.txt', Buffer.from('tool\n'), never);
    await agent.deleteFile('src/a.txt', never);
    expect(await output(agent, 'cat made.txt; find . -type f | sort')).toBe(
      'first\n./made.txt\n./src/b.txt\n./src/tool.txt\n',
    );
    expect(text(await agent.readFile('made.txt', never))).toBe('first\n');
  });

  test('cannot write anywhere else, not through links either', async () => {
    const outside = tempFolder();
    fill(outside, { 'f.txt': 'outside\n' });
    const folder = project();
    symlinkSync(outside, join(folder, 'out'));
    const home = tempFolder();
    const agent = await confinedRun(folder, { homes: [home] }).agent();
    const said = await output(
      agent,
      `echo x > /etc/massgen-test; echo x > /usr/massgen-test; echo x > out/f.txt; ln -s /etc away; echo x > away/massgen-test; ln /etc/hostname src/hard`,
    );
    expect(said.match(/Read-only file system/g)?.length).toBe(3);
    expect(said).toContain('Invalid cross-device link');
    expect(existsSync('/etc/massgen-test')).toBe(false);
    expect(readFileSync(join(outside, 'f.txt'), 'utf8')).toBe('outside\n');
  });

  test('cannot take its view apart or get rights', async () => {
    const folder = project();
    const agent = await confinedRun(folder).agent();
    const said = await output(
      agent,
      `umount ${folder} 2>&1 | head -1; mount -o remount,rw / 2>&1 | head -1; mount -t tmpfs none /mnt 2>&1 | head -1; grep -E 'Cap(Eff|Prm|Bnd)' /proc/self/status`,
    );
    expect(said).toMatch(/superuser|not permitted|permission denied/i);
    expect(said.match(/Cap\w+:\t0000000000000000/g)?.length).toBe(3);
    expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(folder);
  });

  test('reaches no network, no loopback and no socket with a name', async () => {
    const server = createServer((socket) => socket.end('reached'));
    const place = join(tempFolder(), 'service.sock');
    const named = createServer((socket) => socket.end('reached'));
    onTestFinished(() => {
      server.close();
      named.close();
    });
    server.listen(0, '127.0.0.1');
    named.listen(place);
    await Promise.all([once(server, 'listening'), once(named, 'listening')]);
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const folder = project();
    const inside = createServer((socket) => socket.end('reached'));
    onTestFinished(() => void inside.close());
    inside.listen(join(folder, 'dev.sock'));
    await once(inside, 'listening');
    const agent = await confinedRun(folder).agent();
    const dial = (target: string): string =>
      `${process.execPath} -e 'require("net").connect(${target}).on("data",(d)=>console.log(""+d)).on("error",(e)=>console.log(e.code))'`;
    expect(await output(agent, dial(`${port},"127.0.0.1"`))).toBe('ECONNREFUSED\n');
    expect(await output(agent, dial('80,"192.0.2.1"'))).toBe('ENETUNREACH\n');
    expect(await output(agent, dial(JSON.stringify(place)))).toMatch(
      /^E(NOENT|ACCES|CONNREFUSED)\n$/,
    );
    expect(await output(agent, dial(`"./dev.sock"`))).toMatch(/^E(NOENT|CONNREFUSED)\n$/);
  });

  test('finds no process of the machine and no secret of the one that started it', async () => {
    const secret = `secret-${process.pid}-value`;
    const child = spawn('sleep', ['60'], { env: { ...process.env, MASSGEN_TEST_KEY: secret } });
    onTestFinished(() => void child.kill('SIGKILL'));
    const agent = await confinedRun(project(), { environment: { MINE: 'yes' } }).agent();
    const said = await output(
      agent,
      'cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; ls -d /proc/[0-9]* | wc -l; ls -l /proc/self/fd',
    );
    expect(said).toContain('MINE=yes\n');
    expect(said).not.toContain(secret);
    for (const name of ['VITEST', 'npm_config', 'NODE_OPTIONS', 'SSH_AUTH_SOCK']) {
      expect(said).not.toContain(name);
    }
    expect(Number(/^(\d+)$/m.exec(said)?.[1])).toBeLessThan(8);
    const open = [...said.matchAll(/(\d+) -> (.*)$/gm)].map(([, fd, to]) => ({
      fd: Number(fd),
      to,
    }));
    expect(open.map(({ fd }) => fd)).toEqual(expect.arrayContaining([0, 1, 2]));
    // Beside its streams: what `ls` reads the folder with, and nothing in the place of what the host was given itself.
    for (const { fd, to } of open.filter((each) => each.fd > 2)) {
      expect(to, `descriptor ${fd}`).toMatch(/^(\/dev\/null|\/proc\/\d+\/fd)$/);
    }
  });

  test('sees no credentials of the home, no secrets of the project and nothing of other agents', async () => {
    // Below /tmp it would be hidden as a whole, wherever the project of the tests lies.
    const home = mkdtempSync(join(homedir(), '.massgen-test-home-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    fill(home, {
      '.ssh/id_rsa': 'KEY',
      '.aws/credentials': 'KEY',
      '.config/gh/hosts.yml': 'KEY',
      '.config/Code/User/x': 'KEY',
      '.config/other/x': 'fine\n',
      '.netrc': 'KEY',
      '.bash_history': 'KEY',
      '.cargo/credentials.toml': 'KEY',
      '.env.local': 'KEY',
      '.profile': 'fine\n',
    });
    const folder = project();
    fill(folder, {
      '.env': 'KEY',
      'deep/er/id_ed25519': 'KEY',
      'kept/x': 'KEY',
      '.massgenignore': 'kept/\n',
    });
    const started = confinedRun(folder, { homes: [home], dir: join(home, 'store') });
    const [one, two] = [await started.agent(1), await started.agent(2)];
    await run(one, 'echo KEY > ../x; echo KEY > $HOME/x');
    await run(one, `cd ${one.roots[1]?.shownPath} && echo KEY > private`);
    const said = await output(
      two,
      `ls -A . deep/er; cat ${home}/.config/other/x ${home}/.profile; grep -rs KEY ${home} . | grep -v massgenignore; ls -A ${home}/store/run-1 | wc -l; ls ${home}/.ssh | wc -l`,
    );
    expect(said).not.toContain('KEY');
    expect(said).toContain('fine\nfine\n');
    expect(said).not.toMatch(/\.env$|kept|id_ed/m);
    expect(said.trim().split('\n').slice(-2)).toEqual(['1', '0']);
  });

  test('sees a repository without the credentials in its config, and others above it not at all', async () => {
    const outer = tempFolder();
    const folder = join(outer, 'inner');
    mkdirSync(folder);
    fill(folder, { 'a.txt': 'a\n' });
    for (const each of [outer, folder]) {
      git(each, 'init', '-q');
      git(each, 'remote', 'add', 'origin', 'https://user:KEY@example.com/x.git');
      git(each, 'config', 'http.https://example.com/.extraheader', 'AUTHORIZATION: basic KEY');
    }
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'first');
    const agent = await confinedRun(folder).agent();
    const said = await output(
      agent,
      'git log --format=%s; git status --short; git remote -v; cat .git/config ../.git/config 2>&1; echo b > b; git add -A && git -c user.name=a -c user.email=a@b commit -qm second && git log --format=%s',
    );
    expect(said).toContain('https://example.com/x.git');
    expect(said).not.toContain('KEY');
    expect(said).toMatch(/second\nfirst\n$/);
    expect(git(folder, 'log', '--format=%s')).toBe('first\n');
  });

  test('that removes the project, the home and everything takes its own view only', async () => {
    const folder = project();
    const before = fingerprint(folder);
    const agent = await confinedRun(folder).agent();
    await run(agent, `rm -rf ${folder}/* $HOME/* /home/* /etc /bin/* 2>/dev/null; true`);
    expect(await agent.listDirectory('.', never)).toEqual([]);
    expect(fingerprint(folder)).toEqual(before);
    expect(existsSync('/etc/passwd')).toBe(true);
  });

  test('sees unsaved text as the user sees it, and a link that comes up later stays harmless', async () => {
    const folder = project();
    const unsaved = new Map([[join(folder, 'src/a.txt'), Buffer.from('unsaved\n')]]);
    const outside = tempFolder();
    fill(outside, { secret: 'secret\n' });
    const agent = await confinedRun(folder, { unsaved }).agent();
    expect(await output(agent, 'cat src/a.txt')).toBe('unsaved\n');
    await run(agent, `rm -r src; ln -s ${outside} src`);
    await expect(agent.readFile('src/secret', never)).rejects.toMatchObject({
      code: 'workspace/path-escape',
    });
    await expect(agent.writeFile('src/new', Buffer.from('x'), never)).rejects.toMatchObject({
      code: 'workspace/path-escape',
    });
    expect(existsSync(join(outside, 'new'))).toBe(false);
  });

  test('shows answers of others as a merged tree that can only be read', async () => {
    const started = confinedRun(project());
    const [one, two] = [await started.agent(1), await started.agent(2)];
    await run(one, 'echo by one > src/a.txt; rm src/b.txt');
    const { id } = await one.takeSnapshot(never);
    const shown = two.showPeers([{ slot: 1, label: 'agent1.1', snapshotId: id, text: 'Done.' }]);
    const peer = shown.get('agent1.1') ?? '';
    const said = await output(
      two,
      `cat ${peer}/proj/src/a.txt ${peer}/ANSWER.md; ls ${peer}/proj/src; cat src/a.txt; echo x > ${peer}/proj/src/a.txt`,
    );
    expect(said).toMatch(/^by one\nDone\.a\.txt\none\n.*Read-only file system\n$/);
  });

  test('can read protected paths and folders, and change neither them nor what is read only', async () => {
    const [folder, other] = [project(), project()];
    const agent = await confinedRun(folder, {
      folders: [
        {
          ...{ name: 'proj', path: folder, permission: 'write' },
          protectedPaths: ['lib', 'src/a.txt', 'missing'],
        },
        { name: 'other', path: other, permission: 'read' },
      ],
    }).agent();
    const said = await output(
      agent,
      `cat lib/c.txt ${other}/lib/c.txt; echo x > lib/c.txt; echo x > src/a.txt; echo x > ${other}/new; echo x > src/b.txt`,
    );
    expect(said).toMatch(/^three\nthree\n/);
    expect(said.match(/Read-only file system/g)?.length).toBe(3);
    expect((await agent.takeSnapshot(never)).changes.map(({ path }) => path)).toEqual([
      'src/b.txt',
    ]);
  });

  test('keeps links between files of the user apart from its own edits', async () => {
    const folder = project();
    linkSync(join(folder, 'src/a.txt'), join(folder, 'src/twin.txt'));
    const before = fingerprint(folder);
    const agent = await confinedRun(folder).agent();
    await run(agent, 'echo x >> src/twin.txt');
    expect(fingerprint(folder)).toEqual(before);
  });
});

describe.skipIf(!isLayered)(named('a command in a confined copy'), () => {
  test('writes nowhere but in the copy, and sees no store and no network', async () => {
    const folder = project();
    const before = fingerprint(folder);
    const agent = await copiedRun(folder).agent();
    expect(agent.unconfinedReason).toBeNull();
    const said = await output(
      agent,
      `echo x > src/a.txt; echo x > ${folder}/src/a.txt; echo x > /etc/massgen-test; ls /sys/class/net`,
    );
    expect(said).not.toContain('massgen-test-probe');
    expect(text(await agent.readFile('src/a.txt', never))).toBe('x\n');
    expect(fingerprint(folder)).toEqual(before);
    expect(existsSync('/etc/massgen-test')).toBe(false);
  });
});

describe.skipIf(!isLayered)(
  named('a command that makes a tree deeper than any path may be long'),
  () => {
    test.each([
      ['merged layers', confinedRun],
      ['a copy', copiedRun],
    ])(
      'loses nothing else that it did in %s, and hinders no command after it',
      async (_name, make) => {
        const folder = project();
        const started = make(folder);
        const agent = await started.agent();
        const deeper = "fs.mkdirSync(n); process.chdir(n); fs.writeFileSync('f', '')";
        const script = `const n = 'd'.repeat(200); for (let i = 0; i < 50; i++) { ${deeper} }`;
        await run(agent, `${process.execPath} -e "${script}"; echo x >> src/a.txt`);
        expect(await output(agent, 'tail -n 1 src/a.txt')).toBe('x\n');
        const { changes } = await agent.takeSnapshot(never);
        expect(changes.map(({ path }) => path)).toContain('src/a.txt');
        expect(Math.max(...changes.map(({ path }) => path.length))).toBeLessThanOrEqual(2000);
        expect(started.warnings).toContain('path-too-long');
        await agent.close();
      },
    );
  },
);
