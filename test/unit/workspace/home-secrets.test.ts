import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { secretsNamedBy } from '../../../src/workspace/confinement/hidden-places';
import { isSecretOfHome, secretsOfHomesIn } from '../../../src/workspace/home-secrets';
import { confinedRun, copiedRun, isLayered, named, output } from './confinement/confined-run';
import { fill, never, startRun, tempFolder } from './temp-project';

function homeWithSecrets(): string {
  const home = tempFolder();
  fill(home, {
    '.config/gh/hosts.yml': 'KEY',
    '.config/app/x': 'fine\n',
    '.git-credentials': 'KEY',
    '.cargo/credentials.toml': 'KEY',
    '.cargo/env': 'fine\n',
    '.bash_history': 'KEY',
    '.claude/x': 'KEY',
    'work/a.txt': 'fine\n',
  });
  return home;
}

test('knows credentials at the top of a home and further down, and takes nothing else for them', () => {
  const secrets = [
    '.netrc',
    '.claude.json',
    '.ssh/id_x',
    '.config/Code - OSS/x',
    '.m2/settings.xml',
  ];
  const others = ['work', '.profile', '.config', '.config/app', '.cargo/env', 'work/.config/gh/x'];
  expect(secrets.filter((path) => !isSecretOfHome(path))).toEqual([]);
  expect(others.filter(isSecretOfHome)).toEqual([]);
});

test('says so for a folder above a home, for one below it, and not for one that was chosen for its secrets', async () => {
  const top = tempFolder();
  const home = join(top, 'ann');
  mkdirSync(join(home, '.config'), { recursive: true });
  mkdirSync(join(home, '.claude/tree'), { recursive: true });
  symlinkSync(home, join(top, 'link'));
  const isSecret = async (folder: string, path: string): Promise<boolean> =>
    (await secretsOfHomesIn(folder, [join(top, 'link')]))(path);
  expect(await isSecret(top, 'ann/.config/gh')).toBe(true);
  expect(await isSecret(top, '.config/gh')).toBe(false);
  expect(await isSecret(join(home, '.config'), 'gh/hosts.yml')).toBe(true);
  expect(await isSecret(join(home, '.claude/tree'), 'a.txt')).toBe(false);
  expect(await isSecret(tempFolder(), '.config/gh')).toBe(false);
});

test.each([
  ['in layers', confinedRun],
  ['in a copy', copiedRun],
])('an agent that works in a whole home sees none of its credentials %s', async (_name, make) => {
  const home = homeWithSecrets();
  const agent = await make(home, { homes: [home] }).agent();
  const said = await output(agent, 'grep -rh . . | sort -u; ls -A .config .cargo');
  expect(said).toBe('fine\n.cargo:\nenv\n\n.config:\napp\n');
  await expect(agent.readFile('.config/gh/hosts.yml', never)).rejects.toMatchObject({
    code: 'workspace/path-escape',
  });
  await expect(agent.readFile('.git-credentials', never)).rejects.toMatchObject({
    code: 'workspace/path-escape',
  });
});

test('places that the environment names are credentials wherever they are, but no whole disk', async () => {
  const folder = tempFolder();
  fill(folder, { 'kube/one': 'KEY', two: 'KEY', 'gpg/x': 'KEY' });
  const found = await secretsNamedBy({
    KUBECONFIG: `${folder}/kube/one:${folder}/two:${folder}/none`,
    GNUPGHOME: join(folder, 'gpg'),
    CLOUDSDK_CONFIG: '/',
    DOCKER_CONFIG: '/usr',
    NETRC: 'two',
  });
  expect(found).toEqual({
    folders: [join(folder, 'gpg')],
    files: [join(folder, 'kube/one'), join(folder, 'two')],
  });
  const ownEnvironment = { KUBECONFIG: join(folder, 'kube/one') };
  const agent = await startRun(folder, { ownEnvironment }).agent();
  expect(await agent.listDirectory('kube', never)).toEqual([]);
  expect((await agent.listDirectory('.', never)).map(({ name }) => name)).toContain('two');
});

describe.skipIf(!isLayered)(named('a confined command'), () => {
  // Below /tmp everything would be hidden.
  function shownFolder(): string {
    const folder = mkdtempSync('/var/massgen-test-');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  test.skipIf(process.getuid?.() !== 0)(
    'reaches no socket whose program named it from its own folder',
    async () => {
      const folder = shownFolder();
      const script = `require('net').createServer((s) => s.end('reached')).listen('./own.sock', () => console.log('up'))`;
      const stdio = ['ignore', 'pipe', 'inherit'] as const;
      const server = spawn(process.execPath, ['-e', script], { cwd: folder, stdio: [...stdio] });
      onTestFinished(() => void server.kill('SIGKILL'));
      await once(server.stdout, 'data');
      const agent = await confinedRun(tempFolder()).agent();
      const dial = `require('net').connect('${folder}/own.sock').on('data', (d) => console.log('' + d)).on('error', (e) => console.log(e.code))`;
      expect(await output(agent, `${process.execPath} -e "${dial}"`)).toMatch(
        /^E(CONNREFUSED|ACCES)\n$/,
      );
    },
  );

  test.skipIf(process.getuid?.() !== 0)(
    'sees neither passwords of the system nor the places that its environment names',
    async () => {
      const folder = shownFolder();
      fill(folder, { config: 'KEY\n' });
      const ownEnvironment = { KUBECONFIG: join(folder, 'config') };
      const agent = await confinedRun(tempFolder(), { ownEnvironment }).agent();
      const said = await output(agent, `cat /etc/shadow ${folder}/config 2>/dev/null; echo end`);
      expect(said).toBe('end\n');
    },
  );

  test.skipIf(process.getuid?.() !== 0)('sees nothing that is kept beside the runs', async () => {
    const store = shownFolder();
    fill(store, { 'tried/tree/a.txt': 'OTHER\n', 'runs/x': '' });
    const settings = { dir: join(store, 'runs'), storageFolder: store };
    const agent = await confinedRun(tempFolder(), settings).agent();
    const said = await output(agent, `ls -A ${store}; ls -A ${store}/runs`);
    expect(said).toBe('runs\nrun-1\n');
  });
});
