import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandScript, shellScript } from '../../../src/extension/terminal-scripts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'massgen-terminal-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Says what it was given and how it was started, and ends with 3. */
const program = `
  console.log(JSON.stringify([process.argv.slice(2), process.env.ELECTRON_RUN_AS_NODE]));
  process.exitCode = 3;`;

describe('massgen in a shell of Unix', () => {
  it.each(['plain', 'with spaces', `it's "quoted"`, 'a $HOME `date` \\ %PATH%'])(
    'runs from a folder named %s with all arguments and the exit code',
    (name) => {
      const folder = join(home, name);
      mkdirSync(folder);
      symlinkSync(process.execPath, join(folder, 'node'));
      writeFileSync(join(folder, 'cli.js'), program);
      const script = join(home, 'massgen');
      const launch = { runtime: join(folder, 'node'), script: join(folder, 'cli.js') };
      writeFileSync(script, shellScript(launch));
      chmodSync(script, 0o755);
      const words = ['a b', `"c"`, "d'e", '$f', '*', ''];
      const { status, stdout } = spawnSync(script, words, { encoding: 'utf8' });
      expect(JSON.parse(stdout)).toEqual([words, '1']);
      expect(status).toBe(3);
    },
  );

  it('is taken by a shell that checks it without running it', () => {
    const script = join(home, 'massgen');
    writeFileSync(script, shellScript({ runtime: '/usr/bin/node', script: '/x/cli.js' }));
    expect(execFileSync('sh', ['-n', script], { encoding: 'utf8' })).toBe('');
  });
});

describe('massgen in a shell of Windows', () => {
  it('is a whole command file with lines that end as there', () => {
    const launch = {
      runtime: 'C:\\Program Files\\Microsoft VS Code\\Code.exe',
      script: 'C:\\Users\\A & B\\100%done\\cli.js',
    };
    expect(commandScript(launch).split('\r\n')).toEqual([
      '@echo off',
      'rem Written by MassGen for VS Code, and again whenever it starts.',
      'setlocal DisableDelayedExpansion',
      'set "ELECTRON_RUN_AS_NODE=1"',
      '"C:\\Program Files\\Microsoft VS Code\\Code.exe" "C:\\Users\\A & B\\100%%done\\cli.js" %*',
      'exit /b %ERRORLEVEL%',
      '',
    ]);
  });
});
