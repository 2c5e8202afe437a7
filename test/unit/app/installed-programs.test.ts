import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findInstalledPrograms, programVersion } from '../../../src/app/installed-programs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'massgen-programs-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** A program that leaves a file behind as soon as it is started. */
function install(folder: string, name: string, mode = 0o755): string {
  const path = join(root, folder, name);
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(path, `#!/bin/sh\ntouch ${join(root, 'was-started')}\n`);
  chmodSync(path, mode);
  return path;
}

const nowhere = { searchPath: '', furtherFolders: [], paths: {} };

describe('agent programs on this machine', () => {
  it('are found on PATH in its order, and named as one would type them', async () => {
    const claude = install('first', 'claude');
    install('second', 'claude');
    const gemini = install('second', 'gemini');
    const searchPath = [join(root, 'first'), join(root, 'second')].join(delimiter);
    expect(await findInstalledPrograms({ ...nowhere, searchPath })).toEqual([
      { title: 'Claude Code', type: 'claude_code', path: claude, command: ['claude'] },
      { title: 'Gemini CLI', type: 'acp', path: gemini, command: ['gemini', '--acp'] },
    ]);
    expect(existsSync(join(root, 'was-started'))).toBe(false);
  });

  it('are found in the folders of installers too, and then named by their whole path', async () => {
    const path = install('local', 'opencode');
    const found = await findInstalledPrograms({
      ...nowhere,
      furtherFolders: [join(root, 'local')],
    });
    expect(found).toEqual([{ title: 'OpenCode', type: 'acp', path, command: [path, 'acp'] }]);
  });

  it('are taken from where the user has set them', async () => {
    install('bin', 'codex');
    const path = install('own', 'my-codex');
    const places = { ...nowhere, searchPath: join(root, 'bin'), paths: { codex: path } };
    expect(await findInstalledPrograms(places)).toEqual([
      { title: 'Codex', type: 'codex', path, command: [path] },
    ]);
  });

  it('are files that can be run, and no folder that is relative is looked into', async () => {
    install('bin', 'claude', 0o644);
    const places = { ...nowhere, searchPath: [join(root, 'bin'), '', '.'].join(delimiter) };
    expect(await findInstalledPrograms(places)).toEqual([]);
  });
});

describe('the version of a program', () => {
  const never = new AbortController().signal;

  function script(text: string): string {
    const path = join(root, 'program');
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  it('is the first line that it prints', async () => {
    const path = script('[ "$1" = --version ] && printf "2.1.3 (A Program)\\nmore\\n"');
    expect(await programVersion(path, never)).toBe('2.1.3 (A Program)');
  });

  it.each(['exit 1', 'true', 'exec /no/such/program'])('is unknown after %s', async (text) => {
    expect(await programVersion(script(text), never)).toBe(undefined);
  });

  it('is unknown when the program is not there or the question is taken back', async () => {
    expect(await programVersion(join(root, 'nothing'), never)).toBe(undefined);
    const abort = new AbortController();
    const asked = programVersion(script('exec sleep 60'), abort.signal);
    abort.abort();
    expect(await asked).toBe(undefined);
  });
});
