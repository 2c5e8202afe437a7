// What a program sees of the user's home, and whom it can reach.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { confinedRun, isLayered, named } from '../confinement/confined-run';
import { fill, fingerprint, never, tempFolder } from '../temp-project';
import { script } from './script';
import { outputOf } from './started-program';

function homeOfUser(): string {
  const home = tempFolder();
  fill(home, {
    ...{ '.tool/key': 'own key\n', '.tool/log/a': '', '.tool.json': '{}', '.ssh/id': 'ssh key\n' },
    ...{ '.claude/key': 'other key\n', 'notes.txt': 'private\n', '.config/gh/hosts.yml': 'x' },
  });
  return home;
}

const listHome = `
  const fs = require('fs');
  const list = (folder, inside = '') => fs.readdirSync(folder + inside, { withFileTypes: true })
    .flatMap((entry) => entry.isDirectory() ? list(folder, inside + '/' + entry.name) : [inside + '/' + entry.name]);
  console.log(list(process.env.HOME).sort().join(' '));`;

describe.skipIf(!isLayered)(named('of the home a program'), () => {
  test('sees and writes only what is its own', async () => {
    const home = homeOfUser();
    const agent = await confinedRun(tempFolder(), { homes: [home] }).agent();
    const said = await outputOf(
      agent,
      `${listHome}
       fs.appendFileSync('${home}/.tool/key', 'renewed\\n'); fs.rmSync('${home}/.tool/log/a');
       fs.writeFileSync('${home}/.tool.json', '{"a":1}'); fs.writeFileSync(process.env.HOME + '/cache', 'x');`,
      { ownFolders: [join(home, '.tool'), `${home}/.tool.json`, `${home}/.tool/log/`] },
    );
    expect(said).toBe('/.tool.json /.tool/key /.tool/log/a\n');
    expect(readFileSync(join(home, '.tool/key'), 'utf8')).toBe('own key\nrenewed\n');
    expect(readFileSync(join(home, '.tool.json'), 'utf8')).toBe('{"a":1}');
    expect(readdirSync(home).sort()).toEqual([
      ...['.claude', '.config', '.ssh', '.tool', '.tool.json', 'notes.txt'],
    ]);
    expect(await outputOf(agent, listHome)).toBe('\n');
  });

  test('sees its own under the name it was given, although that is a link', async () => {
    const home = homeOfUser();
    fill(home, { 'dots/kept/key': 'k' });
    symlinkSync('dots/kept', join(home, '.linked'));
    const agent = await confinedRun(tempFolder(), { homes: [home] }).agent();
    const text = `console.log(require('fs').readFileSync('${home}/.linked/key', 'utf8'));`;
    expect(await outputOf(agent, text, { ownFolders: [join(home, '.linked')] })).toBe('k\n');
  });

  test('can have nothing that is missing, elsewhere, all of it, or where agents work', async () => {
    const home = homeOfUser();
    fill(home, { 'code/project/a.txt': 'a\n', 'data/runs/x': '' });
    symlinkSync('/etc', join(home, 'outward'));
    const run = confinedRun(join(home, 'code/project'), {
      ...{ homes: [home], dir: join(home, 'data/runs') },
    });
    const agent = await run.agent();
    for (const [place, why] of [
      ['.tool', 'is not an absolute path'],
      [join(home, '.nothing'), 'does not exist'],
      ['/etc', 'is not in the home folder'],
      [join(home, 'outward'), 'is not in the home folder'],
      [`${home}/.tool/../../`, 'is not in the home folder'],
      [`${home}-evil`, 'does not exist'],
      [home, 'is not in the home folder'],
      [join(home, 'code'), 'overlaps with a folder that agents work in'],
      [join(home, 'code/project'), 'overlaps with a folder that agents work in'],
      [join(home, 'data'), 'overlaps with a folder that agents work in'],
    ] as const) {
      const request = script('', { ownFolders: [place] });
      await expect(agent.startProgram(request, never)).rejects.toMatchObject({
        ...{ code: 'tool/failed', message: `A program cannot be given ${place}: it ${why}.` },
      });
    }
    const said = await outputOf(agent, listHome);
    expect(said).toContain('/code/project/a.txt');
    expect(said).not.toMatch(/\.tool|data\/runs\/x|notes/);
  });

  test('has its installation and the interpreter of that, and not what lies around', async () => {
    const home = homeOfUser();
    fill(home, {
      'apps/lib/node_modules/tool/cli.js': "#!/usr/bin/env mynode\nconsole.log(require('part'));\n",
      'apps/lib/node_modules/part/index.js': "module.exports = 'parts';\n",
      'apps/lib/secret.txt': 'x',
      'runtimes/v1/bin/mynode': `#!/bin/sh\nexec ${process.execPath} "$@"\n`,
    });
    mkdirSync(join(home, 'bin'));
    symlinkSync('../apps/lib/node_modules/tool/cli.js', join(home, 'bin/tool'));
    symlinkSync('runtimes/v1', join(home, 'current'));
    chmodSync(join(home, 'apps/lib/node_modules/tool/cli.js'), 0o755);
    chmodSync(join(home, 'runtimes/v1/bin/mynode'), 0o755);
    const searchPath = `${home}/bin:${home}/current/bin:/usr/bin:/bin`;
    const agent = await confinedRun(tempFolder(), { homes: [home], searchPath }).agent();
    const program = await agent.startProgram({ ...script(''), argv: ['tool'] }, never);
    let said = '';
    program.onOutput('stdout', (bytes) => void (said += Buffer.from(bytes).toString()));
    expect([await program.ended, said]).toEqual([0, 'parts\n']);
    expect(await outputOf(agent, listHome)).toBe('/bin/tool /runtimes/v1/bin/mynode\n');
  });
});

/** Sends a text over a tunnel of the proxy and prints what comes back. */
function throughProxy(place: string): string {
  return `
    const { hostname, port } = new URL(process.env.HTTPS_PROXY);
    const socket = require('net').connect({ host: hostname, port });
    socket.on('error', (error) => console.log(error.code));
    socket.write('CONNECT ${place} HTTP/1.1\\r\\nHost: ${place}\\r\\n\\r\\n');
    socket.once('data', (data) => {
      console.log(String(data).split('\\r\\n')[0]);
      socket.on('data', (more) => console.log(String(more)));
      socket.end('hello');
    });`;
}

async function echo(): Promise<number> {
  const server = createServer((socket) => socket.pipe(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(!isLayered)(named('a program reaches'), () => {
  test('what is listed, by the proxy alone', async () => {
    const port = await echo();
    const agent = await confinedRun(tempFolder()).agent();
    const hosts = [`127.0.0.1:${port}`];
    const said = await outputOf(agent, throughProxy(`127.0.0.1:${port}`), { hosts });
    expect(said).toBe('HTTP/1.1 200 Connection Established\nhello\n');
    const direct = `require('net').connect(${port}, '127.0.0.1').on('error', (error) => console.log(error.code));`;
    expect(await outputOf(agent, direct, { hosts })).toBe('ECONNREFUSED\n');
    const names = `require('dns').lookup('example.com', (error) => console.log(error.code));`;
    expect(await outputOf(agent, names, { hosts })).toMatch(/^(EAI_AGAIN|ENOTFOUND)\n$/);
  });

  test('nothing else, and people are told once of each place', async () => {
    const port = await echo();
    const warnings: string[] = [];
    const agent = await confinedRun(tempFolder(), {
      onWarning: (code, message) => void warnings.push(`${code}: ${message}`),
    }).agent();
    const hosts = ['api.example.com'];
    for (const place of [`127.0.0.1:${port}`, `127.0.0.1:${port}`, 'X.Example:443']) {
      expect(await outputOf(agent, throughProxy(place), { hosts })).toContain('403 Forbidden');
    }
    expect(warnings).toEqual([
      `network-refused: node wanted to reach 127.0.0.1:${port}; it is not on its list.`,
      'network-refused: node wanted to reach x.example:443; it is not on its list.',
    ]);
    await expect(
      agent.startProgram(script('', { hosts: ['*.example.com'] }), never),
    ).rejects.toThrow('“*.example.com” is no host that can be allowed.');
  });

  test('so many refused places that people are not told all of them', async () => {
    const warnings: string[] = [];
    const agent = await confinedRun(tempFolder(), {
      onWarning: (_code, message) => void warnings.push(message),
    }).agent();
    await outputOf(
      agent,
      `const { hostname, port } = new URL(process.env.HTTPS_PROXY);
       (async () => {
         for (let count = 0; count < 40; count++) {
           await new Promise((resolve) => require('http')
             .request({ host: hostname, port, method: 'CONNECT', path: 'h' + count + '.example:443' })
             .on('connect', (response, socket) => { socket.destroy(); resolve(); }).end());
         }
       })();`,
    );
    expect(warnings.length).toBe(21);
    expect(warnings.at(-1)).toBe('node wanted to reach still more places, which are not told.');
  });
});

/** Whether another user may start this Node: not where it lies in a folder that is closed to others. */
function isOpenToAll(file: string): boolean {
  for (let at = file; at !== dirname(at); at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) {
      return false;
    }
  }
  return true;
}

const isTried =
  isLayered && process.getuid?.() === 0 && isOpenToAll(realpathSync(process.execPath));

describe.skipIf(!isTried)(named('an ordinary user'), () => {
  test('has programs confined in the same way', async () => {
    const top = tempFolder();
    chmodSync(top, 0o755);
    const outfile = join(top, 'program-host.cjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'program-host.ts')],
      ...{ bundle: true, platform: 'node', format: 'cjs', outfile },
    });
    const [project, dir, home] = [join(top, 'project'), join(top, 'store'), join(top, 'home')];
    for (const folder of [project, dir, home]) {
      mkdirSync(folder);
    }
    fill(home, { '.tool/key': 'k', 'notes.txt': 'private' });
    fill(project, { 'a.txt': 'a\n' });
    execFileSync('chown', ['-R', '65534:65534', project, dir, home]);
    chownSync(top, 65534, 65534);
    const before = fingerprint(project);
    const text = `${listHome} fs.appendFileSync('a.txt', 'x'); fs.writeFileSync('${home}/.tool/new', ''); console.log(process.getuid());`;
    const said = execFileSync(
      'setpriv',
      [
        ...['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath, outfile],
        ...[project, dir, home, join(home, '.tool'), text],
      ],
      { encoding: 'utf8', env: { PATH: '/usr/bin:/bin', HOME: home }, cwd: '/' },
    );
    expect(said).toBe('/.tool/key\n65534\nended with 0: modify a.txt\n');
    expect(fingerprint(project)).toEqual(before);
    expect(existsSync(join(home, '.tool/new'))).toBe(true);
  });
});
