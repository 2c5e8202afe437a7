// Where the command keeps things and what it says when a stream or a home is not as usual.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CliResult, finished, installCli, type InstalledCli } from '../../support/built-cli';
import { defaultStorageDir } from '../../../src/cli/world';

let install: InstalledCli;
let cwd: string;

beforeAll(async () => {
  install = await installCli();
});
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'massgen-places-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

/** `line`: of a shell, where `$M` is the command. */
async function shell(
  line: string,
  environment: Readonly<Record<string, string>>,
): Promise<CliResult> {
  const M = `${process.execPath} ${install.script}`;
  const env = { PATH: process.env['PATH'], HOME: cwd, M, ...environment };
  return finished(spawn('sh', ['-c', line], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

describe('the folder of runs', () => {
  const at = (platform: string, environment: Readonly<Record<string, string>>): string =>
    defaultStorageDir({ platform, environment, home: '/home/u' });

  it.each([
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/massgen'],
    ['linux', {}, '/home/u/.local/share/massgen'],
    ['linux', { XDG_DATA_HOME: '' }, '/home/u/.local/share/massgen'],
    ['linux', { XDG_DATA_HOME: 'data' }, '/home/u/.local/share/massgen'],
    ['win32', { LOCALAPPDATA: 'D:\\Data' }, 'D:\\Data\\massgen'],
    ['win32', { LOCALAPPDATA: '' }, '/home/u\\AppData\\Local\\massgen'],
    ['darwin', {}, '/home/u/Library/Application Support/massgen'],
  ])('is the one of the system: %s %j', (platform, environment, expected) => {
    expect(at(platform, environment)).toBe(expected);
  });
});

describe.skipIf(process.platform === 'win32')('a home that is not said', () => {
  it.each(['', 'relative'])('is not the folder where one is: %j', async (HOME) => {
    mkdirSync(join(cwd, HOME, '.massgen'), { recursive: true });
    const planted = { session_id: 'planted', start_time: '2026-01-01T00:00:00Z' };
    writeFileSync(
      join(cwd, HOME, '.massgen', 'sessions.json'),
      JSON.stringify({ sessions: [planted] }),
    );
    const data = join(cwd, 'data');
    const { code, output } = await shell('$M --list-sessions', { HOME, XDG_DATA_HOME: data });
    expect(code).toBe(0);
    expect(output).not.toContain('planted');
  });
});

describe.skipIf(!existsSync('/dev/full'))('standard output on a full disk', () => {
  it.each(['--help', '--version', '--list-backends'])(
    'makes %s fail and say so',
    async (option) => {
      const { code, notes } = await shell(`$M ${option} > /dev/full`, {});
      expect(code).toBe(2);
      expect(notes).toMatch(/^massgen: Standard output cannot be written: [^\n]*ENOSPC[^\n]*\n$/);
    },
  );

  it('is no failure of a reader that has left', async () => {
    const { output, notes } = await shell('{ $M --help; echo "code $?" >&2; } | true', {});
    expect(output).toBe('');
    expect(notes).not.toContain('cannot be written');
  });
});
