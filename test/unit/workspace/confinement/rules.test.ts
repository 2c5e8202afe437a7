// The texts that confinement is made of, where this machine cannot try them.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withoutCredentials } from '../../../../src/workspace/command/git-folder';
import { secretsOfHomes, sortedByKind } from '../../../../src/workspace/confinement/hidden-places';
import { confinementOf, findSandbox } from '../../../../src/workspace/confinement/probe';
import { sandboxArguments } from '../../../../src/workspace/confinement/sandbox-arguments';
import { seatbeltProfile } from '../../../../src/workspace/confinement/seatbelt-profile';
import { shellWord } from '../../../../src/workspace/confinement/shell-word';
import { toLocal, toNeutral } from '../../../../src/workspace/place-names';
import { removeFolder } from '../../../../src/workspace/remove-folder';
import { fill, never, tempFolder } from '../temp-project';

const nothing = { folders: [], files: [] };

describe('the profile for macOS', () => {
  test('hides first, shows again what is inside, and ends with no network', () => {
    const profile = seatbeltProfile({
      writable: ['/Users/u/copy'],
      readable: ['/Users/u/store/peers'],
      hidden: { folders: ['/Users/u/store', '/Users/u/.ssh'], files: ['/Users/u/.netrc'] },
    });
    const lines = profile.split('\n').map((line) => line.trim());
    const at = (text: string): number => lines.findIndex((line) => line.startsWith(text));
    expect(lines[1]).toBe('(deny default)');
    expect(lines.at(-2)).toBe('(deny network*)');
    expect(at('(deny file-read* file-write*')).toBeGreaterThan(at('(allow file-read*)'));
    expect(at('(subpath "/Users/u/copy")')).toBeGreaterThan(at('(subpath "/Users/u/store")'));
    expect(lines).toContain('(literal "/Users/u/.netrc"))');
    expect(profile.split('(allow file-write*')[1]).not.toContain('peers');
  });

  test('takes no character of a path for its own', () => {
    const path = '/Users/u/a "b") (allow default) \\ ; c\n(x';
    const profile = seatbeltProfile({ writable: [path], readable: [], hidden: nothing });
    expect(profile).toContain(`(subpath "/Users/u/a \\"b\\") (allow default) \\\\ ; c\n(x")`);
  });
});

describe('the arguments of bubblewrap', () => {
  const view = {
    ...{ writable: ['/home/u/proj', '/store/a/.tmp'], readable: ['/store/a/peers'] },
    hidden: { folders: ['/tmp', '/store', '/home/u/proj/.ssh'], files: ['/home/u/.netrc'] },
    ...{ cwd: '/home/u/proj', user: { uid: 7, gid: 8 }, statusFd: 3, canBoundMemory: false },
  };

  test('show after they hide, and leave what lies inside a shown folder to its layers', () => {
    const line = sandboxArguments(view).join(' ');
    const order = ['--ro-bind / /', '--tmpfs /store', '--bind /home/u/proj /home/u/proj'];
    const places = order.map((part) => line.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(line).toContain('--ro-bind /store/a/peers /store/a/peers');
    expect(line).toContain('--ro-bind /dev/null /home/u/.netrc');
    expect(line).not.toContain('/home/u/proj/.ssh');
    expect(line).toContain('--remount-ro /store');
    expect(line).not.toContain('--remount-ro /tmp');
  });

  test('bound the folders in memory where that is possible', () => {
    const line = sandboxArguments({ ...view, canBoundMemory: true }).join(' ');
    expect(line).toMatch(/--size \d+ --tmpfs \/tmp /);
  });
});

describe('hidden places', () => {
  test('are found through links, by pattern, and once where one lies in another', async () => {
    const home = tempFolder();
    fill(home, { 'real/key': 'k', '.vscode-server/x': 'x', '.zsh_history': 'h', '.profile': 'p' });
    symlinkSync(join(home, 'real'), join(home, '.ssh'));
    const found = await secretsOfHomes([home, home, '/nowhere']);
    expect([...found.folders].sort()).toEqual([join(home, '.vscode-server'), join(home, 'real')]);
    expect(found.files).toEqual([join(home, '.zsh_history')]);
    const both = await sortedByKind([home, join(home, 'real'), join(home, '.profile')]);
    expect(both).toEqual({ folders: [home], files: [] });
  });
});

test('a config of a repository keeps everything but what lets somebody in', () => {
  const config = [
    '[remote "origin"]',
    '\turl = https://me:token@example.com/x.git',
    '\tpushurl = ssh://git@example.com/x.git',
    '[http "https://example.com/"] extraHeader = AUTHORIZATION: basic abc',
    '\tproxy = http://u:p@proxy',
    '[credential] helper = store',
    '[user]\n\tname = me',
  ].join('\n');
  const safe = withoutCredentials(config);
  expect(safe).not.toMatch(/token|abc|u:p|store/);
  expect(safe).toContain('url = https://example.com/x.git');
  expect(safe).toContain('name = me');
});

describe('names of places', () => {
  const placed = [{ shownPath: '/home/u/proj', folderName: 'proj' }];

  test('of the user’s own folder become neutral as whole paths only, and come back', () => {
    const text =
      '/home/u/proj/a.ts, /home/u/proj. and /home/u/proj-evil/x /home/u/proj.bak /r/a1/ws';
    const neutral = toNeutral(text, '/r/a1', placed);
    expect(neutral).toBe(
      '<workspace>/proj/a.ts, <workspace>/proj. and /home/u/proj-evil/x /home/u/proj.bak <workspace>/ws',
    );
    expect(toLocal(neutral, '/r/a1', placed)).toBe(text);
    expect(toLocal('<workspace>/proj/a.ts', '/r/a2/peers/x', [])).toBe('/r/a2/peers/x/proj/a.ts');
  });
});

describe('the trial', () => {
  test('names what is missing where there is no Linux', async () => {
    const storageFolder = tempFolder();
    const windows = await findSandbox({ storageFolder, platform: 'win32' }, never);
    expect(windows).toMatchObject({ kind: 'none' });
    expect(JSON.stringify(confinementOf(windows))).toContain('On Windows');
  });

  test('says how far commands are kept apart where they get a copy', () => {
    const programs = { bwrap: '/b', unshare: '/u', nsenter: '/n', prlimit: '/p' };
    const sandbox = { kind: 'linux', programs, canBoundMemory: true } as const;
    const copied = confinementOf({ ...sandbox, copyReason: 'the storage folder is on NFS' });
    expect(copied.isConfined).toBe(true);
    expect(JSON.stringify(copied)).toContain(
      'copy of the project (no layers: the storage folder is on NFS)',
    );
  });

  test('promises what holds: no processes of their own under sandbox-exec, and no more than known credentials', () => {
    const words = 'no network, known credentials hidden, writes only in the agent’s own';
    const seatbelt = confinementOf({ kind: 'seatbelt', program: '/usr/bin/sandbox-exec' });
    expect(seatbelt).toEqual({ isConfined: true, words: `${words} copy of the project` });
    const programs = { bwrap: '/b', unshare: '/u', nsenter: '/n', prlimit: '/p' };
    const linux = { kind: 'linux', programs, canBoundMemory: true, copyReason: undefined } as const;
    expect(confinementOf(linux)).toEqual({
      isConfined: true,
      words: `own processes, ${words} layer`,
    });
  });
});

test('a word of the shell is one word, whatever is in it', () => {
  expect(shellWord(`a'b $(c) "d"`)).toBe(String.raw`'a'\''b $(c) "d"'`);
});

test('a folder that holds closed ones is removed, and what links in it lead to is not', async () => {
  const [folder, outside] = [tempFolder(), tempFolder()];
  mkdirSync(join(folder, 'closed/inner'), { recursive: true });
  writeFileSync(join(outside, 'f'), 'f');
  symlinkSync(outside, join(folder, 'closed/inner/link'));
  chmodSync(join(folder, 'closed'), 0);
  await removeFolder(folder);
  await expect(removeFolder(folder)).resolves.toBeUndefined();
  expect(await secretsOfHomes([folder])).toEqual(nothing);
  expect(await sortedByKind([join(outside, 'f')])).toMatchObject({ files: [join(outside, 'f')] });
});

test('a folder that holds a tree deeper than any path may be long is removed', async () => {
  const folder = tempFolder();
  const deeper = `fs.mkdirSync(name); process.chdir(name); fs.writeFileSync(Buffer.from([97, 255]), '')`;
  const script = `const name = 'd'.repeat(200); for (let i = 0; i < 50; i++) { ${deeper}; } fs.chmodSync('.', 0)`;
  execFileSync(process.execPath, ['-e', script], { cwd: folder });
  await removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
});

test('values of keys that tools made up go from a repository’s config, and what they go on with', () => {
  const config = [
    '[http]\n\textraheader = AUTHORIZATION: \\\nbasic KEY\n\tsslVerify = true',
    '[sendemail]\n\tsmtpPass = KEY\n\tsmtpServer = mail.example.com',
    '[github]\n\toauth-token = "KEY"\n[gitlab] accessToken=KEY\n[hub]\n\tuser = me',
  ].join('\n');
  const safe = withoutCredentials(config);
  expect(safe).not.toContain('KEY');
  for (const kept of ['sslVerify = true', 'smtpServer = mail.example.com', 'user = me']) {
    expect(safe).toContain(kept);
  }
});
