// Commands that work while their changes are being looked at: a folder becomes a link to elsewhere, and a folder again,
// at every step of the look.
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fill, never, startRun, tempFolder } from '../temp-project';

/** A signal that nobody aborts; whoever asks it gives `step` a turn. */
function steppedSignal(step: () => void): AbortSignal {
  const { signal } = new AbortController();
  return Object.defineProperty(signal, 'throwIfAborted', { value: step });
}

/** Exchanges the two, now and then: the same numbers each time. */
function swapper(folder: string): () => void {
  let state = 1;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    if (state % 3 === 0) {
      renameSync(join(folder, 'd'), join(folder, 'aside'));
      renameSync(join(folder, 'link'), join(folder, 'd'));
      renameSync(join(folder, 'aside'), join(folder, 'link'));
    }
  };
}

test('nothing outside is read through a link that comes up in the place of a folder', async () => {
  const outside = tempFolder();
  fill(outside, { 'secret/key': 'KEY\n', key: 'KEY\n' });
  const agent = await startRun(tempFolder()).agent();
  const request = { command: 'sleep 600', cwd: undefined, timeoutMs: 600_000 };
  await agent.startCommand(request, never);
  const folder = agent.roots[1]?.shownPath ?? '';
  mkdirSync(join(folder, 'd'));
  symlinkSync(outside, join(folder, 'link'));
  const signal = steppedSignal(swapper(folder));
  const found = new Set<string>();
  for (let look = 0; look < 100; look++) {
    const { changes } = await agent.takeSnapshot(signal);
    changes.forEach(({ path }) => found.add(path));
  }
  expect([...found].filter((path) => !/^(d|link|aside)$/.test(path))).toEqual([]);
  await agent.close();
});

test.skipIf(process.getuid?.() === 0)(
  'a folder that cannot be looked into counts as unchanged, a file that cannot be read too',
  async () => {
    const project = tempFolder();
    fill(project, { 'd/a.txt': 'a\n', 'b.txt': 'b\n' });
    const started = startRun(project);
    const agent = await started.agent();
    const command = 'echo c > d/c.txt; chmod 0 d; echo x > b.txt; chmod 0 b.txt';
    await agent.runCommand({ command, cwd: undefined, timeoutMs: 60_000 }, never);
    expect((await agent.takeSnapshot(never)).changes).toEqual([]);
    expect(started.warnings).toContain('file-unreadable');
  },
);
