// Programs of other makers where nothing confines, after somebody has allowed that.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentWorkspace } from '../../../../src/core/ports/workspace';
import { whileGroupPaused } from '../../../../src/workspace/program/paused-group';
import type { RunWorkspacesOptions } from '../../../../src/workspace/run-workspaces';
import { fill, fingerprint, never, startRun, tempFolder, text } from '../temp-project';
import type { TestRun } from '../temp-project';
import { killAll, oddArgument, running, stateOf } from './processes';
import { script } from './script';
import { begin, outputOf } from './started-program';

const reason = 'Nothing confines here.';
const allowed = { mayBeUnconfined: true } as const;
const forever = 'setInterval(() => undefined, 1e6);';

function unconfinedRun(project: string, options: Partial<RunWorkspacesOptions> = {}): TestRun {
  return startRun(project, { findSandbox: async () => ({ kind: 'none', reason }), ...options });
}

/** Starts a process that leaves its family behind, and says so. */
function leaving(argument: string, env = 'process.env'): string {
  return `require('child_process').spawn(
    'setsid', ['-f', process.execPath, '-e', ${JSON.stringify(forever)}, '${argument}'], { stdio: 'ignore', env: ${env} },
  ).on('exit', () => console.log('up'));`;
}

async function readCount(agent: AgentWorkspace): Promise<number> {
  return Number(text(await agent.readFile('count', never)));
}

describe('a program that nothing confines', () => {
  test('does not run before somebody has allowed it, and the reason is told', async () => {
    const agent = await unconfinedRun(tempFolder()).agent();
    expect(agent.unconfinedProgramReason).toBe(reason);
    await expect(agent.startProgram(script(''), never)).rejects.toMatchObject({
      ...{ code: 'tool/unconfined', message: `No program runs without confinement. ${reason}` },
    });
  });

  test.each([
    [
      'no-such-program',
      expect.stringMatching(/^no-such-program cannot be found in the folders of PATH/) as unknown,
    ],
    ['/no/such/program', '/no/such/program cannot be found, or is no program.'],
    ['./x', './x is neither a name nor a whole path.'],
  ])('is told not to be there before anybody is asked: %s', async (name, message) => {
    const agent = await unconfinedRun(tempFolder()).agent();
    for (const more of [{}, allowed]) {
      const request = { ...script('', more), argv: [name] as const };
      const started = agent.startProgram(request, never);
      await expect(started).rejects.toMatchObject({ code: 'tool/failed', message });
    }
  });

  test.each(['', '.', 'bin', './bin'])(
    'is never one of the same name that lies in the project: %j on PATH',
    async (folder) => {
      const [project, programs] = [tempFolder(), tempFolder()];
      const print = (word: string): string => `#!/bin/sh\necho ${word}\n`;
      fill(project, { 'some-tool': print('foreign'), 'bin/some-tool': print('foreign') });
      fill(programs, { 'some-tool': print('own') });
      const all = [join(project, 'some-tool'), join(project, 'bin/some-tool')];
      [...all, join(programs, 'some-tool')].forEach((path) => chmodSync(path, 0o755));
      const searchPath = [folder, programs, '/usr/bin', '/bin'].join(':');
      for (const variables of [{}, { PATH: searchPath }]) {
        const agent = await unconfinedRun(project, { searchPath }).agent();
        const parts = { ...allowed, argv: ['some-tool'] as const, environment: variables };
        expect(await outputOf(agent, '', parts)).toBe('own\n');
      }
    },
  );

  test('has three streams, its own variables, the home of the user, and its own exit code', async () => {
    const [home, project] = [tempFolder(), tempFolder()];
    const agent = await unconfinedRun(project, { homes: [home] }).agent();
    const { program, said } = await begin(
      agent,
      `process.stdin.on('data', (data) => process.stdout.write(String(data).toUpperCase()));
       process.stdin.on('end', () => {
         const { HOME, OWN, TERM, SECRET } = process.env;
         process.stderr.write([HOME, OWN, TERM, SECRET].join());
         process.exitCode = 7;
       });`,
      { ...allowed, environment: { OWN: 'own' } },
    );
    await program.input.write(Buffer.from('wörld '));
    await expect.poll(said).toBe('WÖRLD ');
    program.input.end();
    expect(await program.ended).toBe(7);
    expect(said()).toBe(`WÖRLD ${home},own,dumb,`);
  });

  test('works in a copy, and what it changed there counts when it has ended', async () => {
    const project = tempFolder();
    fill(project, { 'a.txt': 'a\n', 'old.txt': 'old\n' });
    const before = fingerprint(project);
    const agent = await unconfinedRun(project).agent();
    await agent.writeFile('b.txt', Buffer.from('b\n'), never);
    const said = await outputOf(
      agent,
      `const fs = require('fs'); console.log(fs.readdirSync('.').join());
       fs.appendFileSync('a.txt', 'x'); fs.rmSync('old.txt');`,
      allowed,
    );
    expect(said).toBe('a.txt,b.txt,old.txt\n');
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      ...['modify a.txt', 'add b.txt', 'delete old.txt'],
    ]);
    expect(fingerprint(project)).toEqual(before);
  });

  test.each([
    ['listens', '', 'process.env'],
    ['does not listen', `process.on('SIGTERM', () => undefined);`, 'process.env'],
    ['hides where it belongs', '', '{}'],
  ])('ends by a stop with what left its family: it %s', async (_how, first, env) => {
    const agent = await unconfinedRun(tempFolder()).agent();
    const odd = oddArgument();
    const { program, said } = await begin(
      agent,
      `${first} ${leaving(odd, env)} ${forever}`,
      allowed,
    );
    await expect.poll(said).toBe('up\n');
    expect(running(odd).length).toBe(1);
    await program.stop();
    expect(await program.ended).toBeNull();
    expect(running(odd)).toEqual([]);
  });

  test('ends with the signal it was started with, and with its workspace', async () => {
    const agent = await unconfinedRun(tempFolder()).agent();
    const [odd, stop] = [oddArgument(), new AbortController()];
    const first = await begin(agent, `${leaving(odd)} ${forever}`, allowed, stop.signal);
    await expect.poll(first.said).toBe('up\n');
    stop.abort(new Error('enough'));
    expect(await first.program.ended).toBeNull();
    expect(running(odd)).toEqual([]);
    const second = await begin(agent, `${leaving(odd)} ${forever}`, allowed);
    await expect.poll(second.said).toBe('up\n');
    await agent.close();
    expect(await second.program.ended).toBeNull();
    expect(running(odd)).toEqual([]);
  });

  test.each([
    ['with its mark', 'process.env'],
    ['without its mark', '{}'],
  ])('leaves nothing when the host is killed, stopped or away from it %s', async (_how, env) => {
    const [folder, dir, project] = [tempFolder(), tempFolder(), tempFolder()];
    const odd = oddArgument();
    const outfile = join(folder, 'unconfined-host.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'unconfined-host.ts')],
      ...{ bundle: true, platform: 'node', format: 'cjs', outfile },
    });
    const program = `${leaving(odd, env)} ${forever}`;
    const host = spawn(process.execPath, [outfile, project, dir, program, odd], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void host.kill('SIGKILL'));
    let said = '';
    host.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, { timeout: 20_000 }).toContain('up\n');
    const mine = (): readonly number[] => running(odd).filter((pid) => pid !== host.pid);
    // The third waits for the end of the host, and belongs to nobody's program.
    const isProgram = (pid: number): boolean =>
      readlinkSync(`/proc/${pid}/exe`) === realpathSync(process.execPath);
    // One that has just been started is still the program that starts it.
    await expect.poll(() => mine().filter(isProgram).length, { timeout: 20_000 }).toBe(2);
    expect(mine().length).toBe(3);
    const programs = mine().filter(isProgram);
    programs.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    host.kill('SIGKILL');
    await once(host, 'exit');
    await expect.poll(mine, { timeout: 10_000 }).toEqual([]);
  });
});

describe('while files are read', () => {
  test('a program that nothing confines stands still with what left its family, and goes on', async () => {
    const agent = await unconfinedRun(tempFolder()).agent();
    const busy = `const fs = require('fs');
      for (let n = 1; ; n++) { fs.writeFileSync('.part', String(n)); fs.renameSync('.part', 'count'); }`;
    const { said } = await begin(
      agent,
      `require('child_process').spawn('setsid', ['-f', process.execPath, '-e', ${JSON.stringify(busy)}], { stdio: 'ignore' })
         .on('exit', () => console.log('up'));
       ${forever}`,
      allowed,
    );
    await expect.poll(said).toBe('up\n');
    let last = 0;
    for (let round = 0; round < 3; round++) {
      const start = last;
      await expect.poll(async () => readCount(agent).catch(() => 0)).toBeGreaterThan(start);
      const snapshot = await agent.takeSnapshot(never);
      expect(snapshot.isUnsettled).toBeUndefined();
      expect(snapshot.changes.map(({ path }) => path)).toContain('count');
      last = await readCount(agent);
    }
  });

  test('a process group stands still but for who waits for our end, where only ps tells', async () => {
    const odd = oddArgument();
    const child = spawn(
      '/bin/sh',
      ['-c', `sleep 1000 & echo $!; exec "$0" -e '${forever}' ${odd}`, process.execPath],
      { detached: true, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const group = child.pid ?? 0;
    onTestFinished(() => killAll([-group]));
    const [told] = (await once(child.stdout, 'data')) as [Buffer];
    const watcher = Number(String(told));
    await expect.poll(() => running(odd).length).toBeGreaterThan(0);
    const states = await whileGroupPaused(group, watcher, async (isStill) => [
      ...[isStill, stateOf(group), stateOf(watcher)],
    ]);
    expect(states).toEqual([true, 'T', 'S']);
    await expect.poll(() => stateOf(group)).not.toBe('T');
  });
});
