import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseEnvFile } from '../../../src/cli/env-file';
import { keySource, variableSource } from '../../../src/cli/key-source';

describe('a .env file', () => {
  it('holds names and values, with quotes, comments and export', () => {
    const text = [
      '# keys',
      'A_KEY=plain',
      'export B_KEY = "in # quotes"  # comment',
      "C_KEY='single'",
      'D_KEY=value # comment',
      'E_KEY=a#b',
      'F_KEY=',
      'no assignment',
      'A_KEY=later\r',
    ].join('\n');
    expect(Object.fromEntries(parseEnvFile(text))).toEqual({
      A_KEY: 'later',
      B_KEY: 'in # quotes',
      C_KEY: 'single',
      D_KEY: 'value',
      E_KEY: 'a#b',
      F_KEY: '',
    });
  });
});

describe('keys', () => {
  let cwd: string;
  let home: string;

  beforeEach(() => {
    const root = mkdtempSync(join(tmpdir(), 'massgen-keys-'));
    [cwd, home] = [join(root, 'project'), join(root, 'home')];
    mkdirSync(cwd);
    mkdirSync(join(home, '.massgen'), { recursive: true });
    mkdirSync(join(home, '.config', 'massgen'), { recursive: true });
  });
  afterEach(() => {
    rmSync(join(cwd, '..'), { recursive: true, force: true });
  });

  it('come from the environment, then the folder, then the two places at home', async () => {
    const get = (environment: Record<string, string>): Promise<string | undefined> =>
      keySource({ environment, cwd, home }).get('X_API_KEY');
    expect(await get({})).toBeUndefined();
    writeFileSync(join(home, '.config', 'massgen', '.env'), 'X_API_KEY=last');
    expect(await get({})).toBe('last');
    writeFileSync(join(home, '.massgen', '.env'), 'X_API_KEY=third');
    expect(await get({})).toBe('third');
    writeFileSync(join(cwd, '.env'), 'X_API_KEY=second');
    expect(await get({})).toBe('second');
    expect(await get({ X_API_KEY: 'first' })).toBe('first');
    expect(await get({ X_API_KEY: ' ' })).toBe('second');
  });

  it('are the only thing that is taken from a file', async () => {
    writeFileSync(join(cwd, '.env'), 'OPENAI_BASE_URL=http://evil.example\nHTTPS_PROXY=x\n');
    const keys = keySource({ environment: {}, cwd, home });
    expect(await keys.get('OPENAI_BASE_URL')).toBeUndefined();
    expect(await keys.get('HTTPS_PROXY')).toBeUndefined();
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'are not set by what every object has: %s',
    async (name) => {
      for (const environment of [{}, process.env]) {
        expect(await keySource({ environment, cwd, home }).get(name)).toBeUndefined();
        expect(variableSource({ environment, home }).get(name)).toBeUndefined();
      }
    },
  );

  it.skipIf(process.platform === 'win32').each([
    ['a pipe', (file: string) => void execFileSync('mkfifo', [file])],
    ['a link to a device', (file: string) => symlinkSync('/dev/zero', file)],
    ['a folder', (file: string) => mkdirSync(file)],
    [
      'far too large',
      (file: string) => {
        writeFileSync(file, 'X_API_KEY=first\n');
        truncateSync(file, 64 * 1024 * 1024);
      },
    ],
  ])('are looked for elsewhere when .env is %s', async (_what, make) => {
    make(join(cwd, '.env'));
    make(join(home, '.massgen', '.env'));
    writeFileSync(join(home, '.config', 'massgen', '.env'), 'X_API_KEY=last\nX_PLACE=there');
    expect(await keySource({ environment: {}, cwd, home }).get('X_API_KEY')).toBe('last');
    expect(variableSource({ environment: {}, home }).get('X_PLACE')).toBe('there');
  });
});
