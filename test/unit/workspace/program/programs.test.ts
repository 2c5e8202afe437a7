// Long-lived programs of other makers in the real sandbox: their streams, and how they begin and end.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { confinedRun, copiedRun, isLayered, named, output } from '../confinement/confined-run';
import { findSandbox } from '../../../../src/workspace/confinement/probe';
import { fill, fingerprint, never, startRun, tempFolder, text } from '../temp-project';
import { oddArgument, running } from './processes';
import { script } from './script';
import { begin, outputOf } from './started-program';

const forever = 'setInterval(() => undefined, 1e6);';

/** Starts a process that leaves its family behind, and says so. */
function leaving(argument: string): string {
  return `require('child_process').spawn(
    'setsid', ['-f', process.execPath, '-e', ${JSON.stringify(forever)}, '${argument}'], { stdio: 'ignore', env: {} },
  ).on('exit', () => console.log('up'));`;
}

describe.skipIf(!isLayered)(named('a program'), () => {
  test('has three streams, and ends with its own exit code', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const request = script(
      `process.stdin.on('data', (data) => process.stdout.write(String(data).toUpperCase()));
       process.stdin.on('end', () => { process.stderr.write('over'); process.exitCode = 7; });`,
    );
    const program = await agent.startProgram(request, never);
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      program.onOutput(stream, (bytes) => {
        said[stream] += text(bytes);
      });
    }
    await program.input.write(Buffer.from('hello '));
    await expect.poll(() => said.stdout).toBe('HELLO ');
    await program.input.write(Buffer.from('wörld'));
    program.input.end();
    expect(await program.ended).toBe(7);
    expect(said).toEqual({ stdout: 'HELLO WÖRLD', stderr: 'over' });
    await expect(program.input.write(Buffer.from('x'))).rejects.toMatchObject({
      code: 'tool/failed',
    });
  });

  test('gives all of a large output, in order, although it has ended long before', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const request = script(`const all = Buffer.alloc(20e6, 'abcdefg'); process.stdout.write(all);`);
    const program = await agent.startProgram(request, never);
    const hash = createHash('sha256');
    program.onOutput('stdout', async (bytes) => {
      await new Promise((resolve) => setImmediate(resolve));
      hash.update(bytes);
    });
    expect(await program.ended).toBe(0);
    const expected = createHash('sha256').update(Buffer.alloc(20e6, 'abcdefg'));
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
  });

  test('waits while nobody takes what it prints', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const request = script(
      `process.stdout.write(Buffer.alloc(5e6), () => require('fs').writeFileSync('done', ''));`,
    );
    const program = await agent.startProgram(request, never);
    let release = (): void => undefined;
    const taken = new Promise<void>((resolve) => (release = resolve));
    program.onOutput('stdout', () => taken);
    expect(await output(agent, 'sleep 0.5; ls')).toBe('');
    release();
    await program.ended;
    expect(await output(agent, 'ls')).toBe('done\n');
  });

  test('holds back whoever writes more than it reads', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const { program, said } = await begin(
      agent,
      `const fs = require('fs');
       const timer = setInterval(() => {
         if (fs.existsSync('go')) {
           clearInterval(timer);
           let count = 0;
           process.stdin.on('data', (data) => (count += data.length)).on('end', () => console.log(count));
         }
       }, 10);`,
    );
    let isTaken = false;
    const written = program.input.write(Buffer.alloc(5e6)).then(() => (isTaken = true));
    await output(agent, 'sleep 0.3');
    expect(isTaken).toBe(false);
    await agent.writeFile('go', Buffer.from(''), never);
    await written;
    program.input.end();
    await program.ended;
    expect(said()).toBe('5000000\n');
  });

  test('is heard from its first word, although somebody listens later only', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const waiting = `console.log('first words'); ${forever}`;
    const program = await agent.startProgram(script(waiting), never);
    expect(await output(agent, 'sleep 0.5')).toBe('');
    let said = '';
    program.onOutput('stdout', (bytes) => {
      said += text(bytes);
    });
    await expect.poll(() => said).toBe('first words\n');
  });

  test('that prints to nobody still ends', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const program = await agent.startProgram(script(`console.log('x'.repeat(1000))`), never);
    expect(await program.ended).toBe(0);
  });

  test('gets exactly the environment it was asked to get', async () => {
    const home = tempFolder();
    const agent = await confinedRun(tempFolder(), {
      ...{ homes: [home], searchPath: '/usr/bin:/nowhere', environment: { USERS: 'own' } },
    }).agent();
    const variables = { API_KEY: 'k=v w', NODE_OPTIONS: '--no-warnings', HTTP_PROXY: 'http://x' };
    const said = await outputOf(agent, 'console.log(JSON.stringify(process.env))', {
      environment: variables,
    });
    const given: unknown = JSON.parse(said);
    const proxy = /"HTTP_PROXY":"(.*?)"/.exec(said)?.[1];
    const temporary = /"TMPDIR":"(.*?)"/.exec(said)?.[1];
    expect(proxy).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(given).toEqual({
      ...{ API_KEY: 'k=v w', NODE_OPTIONS: '--no-warnings', PATH: '/usr/bin', HOME: home },
      ...{ LANG: 'C.UTF-8', TERM: 'dumb', TMPDIR: temporary, NODE_USE_ENV_PROXY: '1' },
      ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: '' },
      ...{ http_proxy: proxy, https_proxy: proxy, all_proxy: proxy, no_proxy: '' },
    });
  });

  test('works in the agent’s view: its edits are in the snapshot, and the user’s files stay', async () => {
    const project = tempFolder();
    fill(project, { 'a.txt': 'a\n', 'd/b.txt': 'b\n', '.env': 'KEY=secret\n' });
    const before = fingerprint(project);
    const agent = await confinedRun(project).agent();
    await agent.writeFile('mine.txt', Buffer.from('mine\n'), never);
    const said = await outputOf(
      agent,
      `const fs = require('fs');
       console.log(process.cwd(), fs.readdirSync('..').join(), fs.readFileSync('../mine.txt', 'utf8'));
       fs.appendFileSync('../a.txt', 'more\\n'); fs.rmSync('b.txt'); fs.writeFileSync('c.txt', 'c\\n');
       try { fs.writeFileSync('/etc/massgen-test', ''); } catch (error) { console.log(error.code); }`,
      { cwd: join(project, 'd') },
    );
    expect(said).toBe(`${join(project, 'd')} a.txt,d,mine.txt mine\n\nEROFS\n`);
    const { changes, isUnsettled } = await agent.takeSnapshot(never);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      ...['modify a.txt', 'delete d/b.txt', 'add d/c.txt', 'add mine.txt'],
    ]);
    expect(isUnsettled).toBeUndefined();
    expect(fingerprint(project)).toEqual(before);
  });

  test('goes on while commands and file tools work in the same view', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const { program } = await begin(
      agent,
      `const fs = require('fs');
       const timer = setInterval(() => {
         if (fs.existsSync('tool.txt') && fs.existsSync('command.txt')) {
           fs.writeFileSync('part', fs.readFileSync('tool.txt', 'utf8') + fs.readFileSync('command.txt', 'utf8'));
           fs.renameSync('part', 'program.txt');
           clearInterval(timer);
         }
       }, 10);`,
    );
    await agent.writeFile('tool.txt', Buffer.from('tool\n'), never);
    const command =
      'echo command > part.txt; mv part.txt command.txt; while test ! -e program.txt; do sleep 0.02; done';
    expect(await output(agent, command)).toBe('');
    expect(text(await agent.readFile('program.txt', never))).toBe('tool\ncommand\n');
    await program.ended;
    await agent.deleteFile('program.txt', never);
    expect(await output(agent, 'ls')).toBe('command.txt\ntool.txt\n');
  });

  test.each([
    [
      'no-such-program',
      expect.stringMatching(
        /^no-such-program cannot be found in the folders of PATH \(\/.+\)\.$/,
      ) as unknown,
    ],
    ['./x', './x is neither a name nor a whole path.'],
    ['/no/such/program', '/no/such/program cannot be found.'],
    ['/etc/passwd', '/etc/passwd is no program that may be started.'],
  ])('%s is told not to start', async (name, words) => {
    const agent = await confinedRun(tempFolder()).agent();
    const request = { ...script(''), argv: [name] as const };
    await expect(agent.startProgram(request, never)).rejects.toMatchObject({
      ...{ code: 'tool/failed', message: words },
    });
    expect(await outputOf(agent, 'console.log(1)')).toBe('1\n');
  });

  test.each(['/tmp', '/var/tmp'])(
    'that lies below %s is told to be hidden, not missing',
    async (around) => {
      const folder = mkdtempSync(join(around, 'massgen-hidden-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const program = join(folder, 'server');
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
      const home = tempFolder();
      const [byLink, run] = [join(home, 'link'), join(home, 'run')];
      symlinkSync(program, byLink);
      writeFileSync(run, `#!${program}\n`, { mode: 0o755 });
      const agent = await confinedRun(tempFolder(), { homes: [home] }).agent();
      for (const [name, what] of [
        [program, program],
        [byLink, byLink],
        [run, `${program}, which ${run} is run by,`],
      ] as const) {
        await expect(
          agent.startProgram({ ...script(''), argv: [name] }, never),
        ).rejects.toMatchObject({
          code: 'tool/failed',
          message: `${what} is there, but hidden: nothing below ${around} is seen by what runs confined.`,
          hint: expect.stringContaining('Install it in a folder of the system') as unknown,
        });
      }
    },
  );

  test('whose interpreter is missing is told with that', async () => {
    const home = tempFolder();
    const other = join(home, 'other');
    writeFileSync(other, '#!/no/such/shell\n', { mode: 0o755 });
    const agent = await confinedRun(tempFolder(), { homes: [home] }).agent();
    await expect(agent.startProgram({ ...script(''), argv: [other] }, never)).rejects.toMatchObject(
      {
        message: `/no/such/shell, which ${other} is run by, cannot be found.`,
      },
    );
  });

  test('that cannot be confined is told with what the sandbox said', async () => {
    const folder = tempFolder();
    const broken = join(folder, 'bwrap');
    writeFileSync(broken, '#!/bin/sh\necho no room for a sandbox >&2\nexit 1\n', { mode: 0o755 });
    const agent = await confinedRun(tempFolder(), {
      findSandbox: async (signal) => {
        const found = await findSandbox({ storageFolder: folder }, signal);
        return found.kind === 'linux'
          ? { ...found, programs: { ...found.programs, bwrap: broken }, copyReason: 'a test' }
          : found;
      },
    }).agent();
    await expect(agent.startProgram(script(''), never)).rejects.toMatchObject({
      code: 'tool/failed',
      message: 'The program could not be confined: no room for a sandbox',
    });
  });
});

describe.skipIf(!isLayered)(named('a program ends'), () => {
  test('politely when it is stopped and listens, with what left its family', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const odd = oddArgument();
    const { program, said } = await begin(
      agent,
      `process.on('SIGTERM', () => { require('fs').writeFileSync('bye', ''); process.exit(0); });
       ${leaving(odd)} ${forever}`,
    );
    await expect.poll(said).toBe('up\n');
    expect(running(odd).length).toBe(1);
    await Promise.all([program.stop(), program.stop()]);
    expect(await program.ended).toBeNull();
    expect(running(odd)).toEqual([]);
    expect((await agent.takeSnapshot(never)).changes.map(({ path }) => path)).toEqual(['bye']);
  });

  test('at last when it does not listen', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const odd = oddArgument();
    const { program, said } = await begin(
      agent,
      `process.on('SIGTERM', () => undefined); ${leaving(odd)} ${forever}`,
    );
    await expect.poll(said).toBe('up\n');
    await program.stop();
    expect(running(odd)).toEqual([]);
  });

  test('by a stop even when nobody takes its output', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const request = script(`process.stdout.write(Buffer.alloc(5e6)); ${forever}`);
    const program = await agent.startProgram(request, never);
    program.onOutput('stdout', () => new Promise(() => undefined));
    await program.stop();
    expect(await program.ended).toBeNull();
  });

  test('by itself with all it left behind', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const odd = oddArgument();
    expect(await outputOf(agent, leaving(odd))).toBe('up\n');
    expect(running(odd)).toEqual([]);
  });

  test('with the signal it was started with', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const [odd, stop] = [oddArgument(), new AbortController()];
    const { program, said } = await begin(agent, `${leaving(odd)} ${forever}`, {}, stop.signal);
    await expect.poll(said).toBe('up\n');
    stop.abort(new Error('enough'));
    expect(await program.ended).toBeNull();
    expect(running(odd)).toEqual([]);
    await expect(agent.startProgram(script(''), stop.signal)).rejects.toThrow('enough');
  });

  test('with its workspace', async () => {
    const agent = await confinedRun(tempFolder()).agent();
    const odd = oddArgument();
    const { program, said } = await begin(agent, `${leaving(odd)} ${forever}`);
    await expect.poll(said).toBe('up\n');
    await agent.close();
    expect(await program.ended).toBeNull();
    expect(running(odd)).toEqual([]);
    await expect(agent.startProgram(script(''), never)).rejects.toMatchObject({
      code: 'cancelled/shutdown',
    });
  });

  test('when it fills the disk, and people are told', async () => {
    const warnings: string[] = [];
    const agent = await confinedRun(tempFolder(), {
      quotaBytes: 1_000_000,
      onWarning: (_code, message) => void warnings.push(message),
    }).agent();
    const { program } = await begin(
      agent,
      `require('fs').writeFileSync('large', Buffer.alloc(3e6)); ${forever}`,
    );
    expect(await program.ended).toBeNull();
    expect(warnings).toEqual(['node was ended: more than 1 MB on the disk.']);
  });

  test('when the host is killed, stopped processes too', async () => {
    const [folder, dir, project, home] = [tempFolder(), tempFolder(), tempFolder(), tempFolder()];
    fill(home, { 'own/key': '' });
    const odd = oddArgument();
    const outfile = join(folder, 'program-host.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'program-host.ts')],
      ...{ bundle: true, platform: 'node', format: 'cjs', outfile },
    });
    const text = `${leaving(odd)} ${forever}`;
    const host = spawn(process.execPath, [outfile, project, dir, home, join(home, 'own'), text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void host.kill('SIGKILL'));
    let said = '';
    host.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said).toContain('up\n');
    expect(running(odd).length).toBe(1);
    running(odd).forEach((pid) => process.kill(pid, 'SIGSTOP'));
    host.kill('SIGKILL');
    await once(host, 'exit');
    await expect.poll(() => running(odd)).toEqual([]);
  });
});

describe.skipIf(!isLayered)(named('a program without layers'), () => {
  test('works in the copy of the project', async () => {
    const project = tempFolder();
    fill(project, { 'a.txt': 'a\n' });
    const agent = await copiedRun(project).agent();
    expect(agent.roots[0]?.shownPath).not.toBe(project);
    await agent.writeFile('b.txt', Buffer.from('b\n'), never);
    const said = await outputOf(
      agent,
      `const fs = require('fs'); console.log(fs.readdirSync('.').join()); fs.appendFileSync('a.txt', 'x');`,
    );
    expect(said).toBe('a.txt,b.txt\n');
    const { changes } = await agent.takeSnapshot(never);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      ...['modify a.txt', 'add b.txt'],
    ]);
  });
});

test('without confinement no program runs, and the reason is told', async () => {
  const agent = await startRun(tempFolder()).agent();
  await expect(agent.startProgram(script(''), never)).rejects.toMatchObject({
    code: 'tool/unconfined',
    message:
      'No program runs without confinement. Commands run in a copy of the project, without a sandbox around them.',
  });
});
