import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fill, fingerprint, never, tempFolder, text } from '../temp-project';
import { confinedRun, isLayered, named, run } from './confined-run';

/** Shells that keep the namespaces of this process's agents. */
function holders(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const parent = / \(.*\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'latin1'))?.[1];
        const line = readFileSync(`/proc/${name}/cmdline`, 'latin1');
        return parent === String(process.pid) && line === '/bin/sh\0-s\0';
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe.skipIf(!isLayered)(named('when what holds the view of commands is killed'), () => {
  test('file tools still work in the view and nowhere else, and commands can be had again', async () => {
    const project = tempFolder();
    fill(project, { 'a.txt': 'a\n' });
    const before = fingerprint(project);
    const agent = await confinedRun(project).agent();
    const command =
      'touch up; while test ! -e go; do sleep 0.05; done; cat go > gone.txt; sleep 600';
    await agent.startCommand({ command, cwd: undefined, timeoutMs: 600_000 }, never);
    await run(agent, 'while test ! -e up; do sleep 0.05; done');
    const [holder, ...others] = holders();
    expect(others).toEqual([]);
    process.kill(holder ?? 0, 'SIGKILL');
    await expect.poll(holders).toEqual([]);
    await agent.writeFile('go', Buffer.from('went\n'), never);
    await expect.poll(() => agent.readFile('gone.txt', never).then(text, () => '')).toBe('went\n');
    await expect(run(agent, 'true')).rejects.toMatchObject({ code: 'tool/failed' });
    await agent.stopCommand('command1', never);
    expect((await run(agent, 'cat go gone.txt')).output).toBe('went\nwent\n');
    expect(fingerprint(project)).toEqual(before);
  });
});

describe.skipIf(!isLayered)(named('when the user removes the folder'), () => {
  test('a command says so, and what was done before is kept', async () => {
    const project = tempFolder();
    const agent = await confinedRun(project).agent();
    await run(agent, 'echo x > x.txt');
    rmSync(project, { recursive: true });
    await expect(run(agent, 'true')).rejects.toMatchObject({ code: 'workspace/not-found' });
    expect((await agent.takeSnapshot(never)).changes.map(({ path }) => path)).toEqual(['x.txt']);
    mkdirSync(project);
    expect((await run(agent, 'cat x.txt')).output).toBe('x\n');
  });
});
