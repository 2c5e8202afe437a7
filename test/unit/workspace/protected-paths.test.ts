import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentWorkspace } from '../../../src/core/ports/workspace';
import { bytes, fill, fingerprint, never, startRun, tempFolder, text } from './temp-project';
import type { TestRun } from './temp-project';

async function start(): Promise<
  TestRun & { readonly project: string; readonly own: AgentWorkspace }
> {
  const project = tempFolder();
  fill(project, { 'src/a.js': 'a\n', 'gold/x.json': '{}\n', 'gold/deep/y.json': '[]\n' });
  fill(project, { 'golden.txt': 'not the same name\n', lock: 'v1\n' });
  const protectedPaths = ['gold/', join(project, 'lock'), '../elsewhere'];
  const folders = [{ name: 'proj', path: project, permission: 'write' as const, protectedPaths }];
  const run = startRun(project, { folders });
  return { ...run, project, own: await run.agent() };
}

describe('a protected path', () => {
  test('can be read and neither written, edited through a link, nor deleted by file tools', async () => {
    const { own } = await start();
    expect(text(await own.readFile('gold/deep/y.json', never))).toBe('[]\n');
    for (const path of ['gold/x.json', 'gold/new.json', 'lock', 'src/../gold/x.json']) {
      await expect(own.writeFile(path, bytes('changed'), never)).rejects.toMatchObject({
        code: 'workspace/read-only',
      });
    }
    await expect(own.deleteFile('gold/deep/y.json', never)).rejects.toMatchObject({
      code: 'workspace/read-only',
    });
  });

  test('binds whole names only', async () => {
    const { own } = await start();
    await own.writeFile('golden.txt', bytes('changed\n'), never);
    const { changes } = await own.takeSnapshot(never);
    expect(changes.map(({ path }) => path)).toEqual(['golden.txt']);
  });

  test('is left out of what a command changed, with a warning, and the user has all of it', async () => {
    const { own, project, warnings } = await start();
    const before = fingerprint(project);
    const command = 'rm -r gold; echo v2 > lock; echo b >> src/a.js; ln -s ../gold src/link';
    await own.runCommand({ command, cwd: undefined, timeoutMs: 20_000 }, never);
    const { changes } = await own.takeSnapshot(never);
    expect(changes.map(({ path }) => path)).toEqual(['src/a.js', 'src/link']);
    expect(warnings).toEqual(['protected-path-changed']);
    expect(fingerprint(project)).toEqual(before);
  });
});
