// How confined commands end, and that ordinary users can have them.
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fill, fingerprint, never, tempFolder, text } from '../temp-project';
import { confinedRun, isLayered, named, output, run } from './confined-run';
import { running } from '../../../support/running-processes';

let count = 0;

/** A number of seconds nobody else sleeps, to find the process by. */
function oddSleep(): string {
  count += 1;
  return `${4000 + count}.${process.pid}`;
}

async function bundled(folder: string): Promise<string> {
  const outfile = join(folder, 'confined-host.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'confined-host.ts')],
    ...{ bundle: true, platform: 'node', format: 'cjs', outfile },
  });
  return outfile;
}

function ended(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'));
}

describe.skipIf(!isLayered)(named('a confined command ends'), () => {
  test('with everything it left behind, in sessions of their own and without an environment too', async () => {
    const [one, two] = [oddSleep(), oddSleep()];
    const agent = await confinedRun(tempFolder()).agent();
    const said = await output(
      agent,
      `sleep ${one} & (cd / && env -i setsid sleep ${two} >/dev/null 2>&1 &); echo done`,
    );
    expect(said).toBe('done\n');
    expect([one, two].flatMap(running)).toEqual([]);
  });

  test('at its time limit, after a friendly signal, and what it did counts', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const own = oddSleep();
    const result = await run(
      agent,
      `trap 'echo bye > bye.txt; exit 1' TERM; echo begun; sleep ${own} & wait`,
      700,
    );
    expect(result).toMatchObject({ exitCode: null, isTimedOut: true, output: 'begun\n' });
    expect(text(await agent.readFile('bye.txt', never))).toBe('bye\n');
    expect(running(own)).toEqual([]);
  });

  test('when the agent is stopped', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const own = oddSleep();
    const stop = new AbortController();
    const reason = new Error('stopped');
    const request = {
      ...{ command: `echo up; trap '' TERM; sleep ${own}; sleep ${own}`, cwd: undefined },
      ...{ timeoutMs: 60_000, onOutput: () => stop.abort(reason) },
    };
    await expect(agent.runCommand(request, stop.signal)).rejects.toBe(reason);
    expect(running(own)).toEqual([]);
  });

  test('when the program that runs it is killed, and its mounts with it', async () => {
    const [folder, dir, project] = [tempFolder(), tempFolder(), tempFolder()];
    const own = oddSleep();
    const host = spawn(
      process.execPath,
      [await bundled(folder), project, dir, `setsid sleep ${own} & echo up; wait`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    ended(host);
    let said = '';
    host.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said).toContain('up\n');
    expect(running(own).length).toBe(1);
    host.kill('SIGKILL');
    await once(host, 'exit');
    await expect.poll(() => running(own)).toEqual([]);
  });

  test('when it has used up the disk it may use, and says so', async () => {
    const started = confinedRun(tempFolder(), { quotaBytes: 3_000_000 });
    const agent = await started.agent();
    const small = await run(agent, 'head -c 1000000 /dev/zero > small');
    expect(small.output).toBe('');
    const large = await run(agent, 'head -c 4000000 /dev/zero > large');
    expect(large.output).toContain('more than 3 MB on the disk');
  });
});

describe.skipIf(!isLayered)(named('a command in the background'), () => {
  test('goes on while others work in the same view, and ends when it is stopped', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const own = oddSleep();
    const request = {
      command: `echo begun; while test ! -e go; do sleep 0.05; done; echo went > part; mv part went.txt; sleep ${own}`,
      ...{ cwd: undefined, timeoutMs: 60_000 },
    };
    const begun = await agent.startCommand(request, never);
    expect(begun).toMatchObject({ id: 'command1', isRunning: true, exitCode: null });
    await agent.writeFile('go', Buffer.from(''), never);
    await run(agent, 'while test ! -e went.txt; do sleep 0.05; done; echo more > more.txt');
    expect(text(await agent.readFile('went.txt', never))).toBe('went\n');
    const during = await agent.takeSnapshot(never);
    expect(during.isUnsettled).toBe(true);
    expect(during.changes.map(({ path }) => path)).toEqual(['go', 'more.txt', 'went.txt']);
    const stopped = await agent.stopCommand('command1', never);
    expect(stopped).toMatchObject({ isRunning: false, exitCode: null, output: 'begun\n' });
    expect(running(own)).toEqual([]);
    expect((await agent.takeSnapshot(never)).isUnsettled).toBeUndefined();
    expect(agent.backgroundCommand('command2')).toBeUndefined();
  });

  test('that replaces a folder by a link does not lead the file tools astray', async () => {
    const outside = tempFolder();
    const project = tempFolder();
    fill(project, { 'd/a.txt': 'a\n' });
    const agent = await confinedRun(project).agent();
    const command = `rm -r d; ln -s ${outside} d; touch ready; sleep 60`;
    await agent.startCommand({ command, cwd: undefined, timeoutMs: 60_000 }, never);
    await run(agent, 'while test ! -e ready; do sleep 0.05; done');
    await expect(agent.writeFile('d/b.txt', Buffer.from('x'), never)).rejects.toMatchObject({
      code: 'workspace/path-escape',
    });
    expect(readdirSync(outside)).toEqual([]);
    await agent.close();
    expect(existsSync(join(project, 'd/a.txt'))).toBe(true);
  });
});

describe.skipIf(!isLayered || process.getuid?.() !== 0)(named('an ordinary user'), () => {
  test('has commands confined in the same way', async () => {
    const top = tempFolder();
    chmodSync(top, 0o755);
    const script = await bundled(top);
    const [project, dir] = [join(top, 'project'), join(top, 'store')];
    for (const folder of [project, dir]) {
      mkdirSync(folder);
      chownSync(folder, 65534, 65534);
    }
    fill(project, { 'a.txt': 'a\n', 'd/b.txt': 'b\n', '.env': 'KEY\n' });
    execFileSync('chown', ['-R', '65534:65534', project]);
    const before = fingerprint(project);
    const said = execFileSync(
      'setpriv',
      [
        ...['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, script],
        ...[project, dir, 'id -u; echo x >> a.txt; rm -r d; ls -A'],
        ...['umount . 2>/dev/null; touch /etc/x 2>&1; mkdir -m 0 closed; cat a.txt'],
      ],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: '/nonexistent' }, cwd: '/' },
    );
    expect(said).toContain(`confined at ${project}\n65534\na.txt\n`);
    expect(said).toContain('Read-only file system\na\nx\n');
    expect(said).toContain('"modify a.txt"');
    expect(said).toContain('d/b.txt"');
    expect(said).not.toContain('.env');
    expect(fingerprint(project)).toEqual(before);
    expect(readdirSync(join(dir, 'run-1')).filter((name) => /^[0-9a-f]{16}$/.test(name))).toEqual(
      [],
    );
  });
});
