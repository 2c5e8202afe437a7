import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

/** A build that takes no time: it copies the one source file. */
const BUILD = `
  import { cpSync, mkdirSync } from 'node:fs';
  import { sourcesHash, writeStamp } from './scripts/stale.mjs';
  mkdirSync('dist', { recursive: true });
  cpSync('src/cli.js', 'dist/cli.js');
  writeStamp(sourcesHash(), process.argv.includes('--production'));`;

let tree = '';

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'massgen-start-'));
  for (const name of ['scripts', 'package.json', 'package-lock.json']) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  mkdirSync(join(tree, 'test/vscode'), { recursive: true });
  cpSync(join(root, 'test/vscode/processes.mjs'), join(tree, 'test/vscode/processes.mjs'));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const name of ['src', 'webview']) mkdirSync(join(tree, name));
  writeFileSync(join(tree, 'esbuild.mjs'), BUILD);
});

afterAll(() => {
  rmSync(tree, { recursive: true, force: true });
});

function program(code: string): void {
  writeFileSync(join(tree, 'src/cli.js'), code);
}

function start(...args: string[]): { status: number | null; stdout: string; built: boolean } {
  const { INIT_CWD: _, ...env } = process.env;
  const script = join(tree, 'scripts/start.mjs');
  const result = spawnSync(process.execPath, [script, ...args], {
    cwd: tree,
    env,
    encoding: 'utf8',
  });
  return {
    status: result.status,
    stdout: result.stdout,
    built: result.stderr.includes('building'),
  };
}

describe('npm start', () => {
  it('builds once, and again only after a source has changed', () => {
    program(`console.log('first')`);
    const runs = [start(), start()];
    program(`console.log('second, longer')`);
    runs.push(start());
    expect(runs).toEqual([
      { status: 0, stdout: 'first\n', built: true },
      { status: 0, stdout: 'first\n', built: false },
      { status: 0, stdout: 'second, longer\n', built: true },
    ]);
  });

  it('hands the arguments over as they are, and the exit code back', () => {
    program(`console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 7;`);
    const { status, stdout } = start('--project', 'a b', '$HOME "quoted"', '');
    expect(status).toBe(7);
    expect(JSON.parse(stdout)).toEqual(['--project', 'a b', '$HOME "quoted"', '']);
  });

  it('ends with the number of the signal that ended the command line', () => {
    program(`process.kill(process.pid, 'SIGKILL');`);
    expect(start().status).toBe(137);
  });
});
