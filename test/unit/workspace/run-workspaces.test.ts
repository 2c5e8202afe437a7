import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentWorkspace } from '../../../src/core/ports/workspace';
import { bytes, fill, fingerprint, never, startRun, tempFolder, text } from './temp-project';

function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = tempFolder();
  fill(folder, files);
  return folder;
}

const folderOf = (workspace: AgentWorkspace): string =>
  dirname(workspace.roots.find(({ kind }) => kind === 'private')?.shownPath ?? '');

describe('a workspace that belongs to no agent', () => {
  test('shows a snapshot, leaves the agents alone and is gone when it is closed', async () => {
    const folder = project({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const before = fingerprint(folder);
    const run = startRun(folder);
    const agent = await run.agent();
    await agent.writeFile('a.txt', bytes('A\n'), never);
    await agent.deleteFile('b.txt', never);
    const { id } = await agent.takeSnapshot(never);
    const all = await Promise.all(
      [1, 2, 3].map(async () => {
        const scratch = await run.workspaces.createScratchWorkspace(never);
        await scratch.restore(id, never);
        await scratch.writeFile('c.txt', bytes('c\n'), never);
        return scratch;
      }),
    );
    expect(new Set(all.map(folderOf)).size).toBe(3);
    for (const scratch of all) {
      expect(basename(folderOf(scratch))).toMatch(/^[0-9a-f]{16}$/);
      expect(text(await scratch.readFile('a.txt', never))).toBe('A\n');
      await expect(scratch.readFile('b.txt', never)).rejects.toThrow('does not exist');
      await scratch.close();
      expect(existsSync(folderOf(scratch))).toBe(false);
    }
    expect((await agent.takeSnapshot(never)).id).toBe(id);
    expect(fingerprint(folder)).toEqual(before);
  });

  test('is ended with the run, and what a killed process left of it is removed by the next one', async () => {
    const folder = project({ 'a.txt': 'a\n' });
    const run = startRun(folder);
    const scratch = await run.workspaces.createScratchWorkspace(never);
    expect(existsSync(folderOf(scratch))).toBe(true);
    await run.workspaces.close();
    expect(existsSync(folderOf(scratch))).toBe(false);
    const forsaken = join(run.dir, 'run-1', 'a'.repeat(16));
    mkdirSync(forsaken);
    const next = startRun(folder, { dir: run.dir, folderNames: new Map() });
    const agent = await next.agent();
    expect(existsSync(forsaken)).toBe(false);
    expect(existsSync(folderOf(agent))).toBe(true);
  });
});

describe('a file that is kept because the user is about to save it', () => {
  test('is what agents of the run see from then on, and their change is against it', async () => {
    const folder = project({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    const run = startRun(folder);
    const agent = await run.agent();
    run.workspaces.keepBase(join(folder, 'a.txt'), bytes('one\n'));
    run.workspaces.keepBase('/elsewhere/a.txt', bytes('x\n'));
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo, by the user\n');
    expect(text(await agent.readFile('a.txt', never))).toBe('one\n');
    await agent.writeFile('a.txt', bytes('ONE\n'), never);
    const { id, changes } = await agent.takeSnapshot(never);
    expect(changes).toMatchObject([{ path: 'a.txt', added: 1, removed: 1, baseMoved: true }]);
    const base = run.workspaces.store.readEntry(id, 'proj', 'a.txt')?.base ?? null;
    expect(text(run.workspaces.store.readContent(base) ?? bytes(''))).toBe('one\n');
  });

  test('is kept before there is any agent too', async () => {
    const folder = project({ 'a.txt': 'one\n' });
    const run = startRun(folder);
    run.workspaces.keepBase(join(folder, 'a.txt'), bytes('one\n'));
    writeFileSync(join(folder, 'a.txt'), 'two\n');
    expect(text(await (await run.agent()).readFile('a.txt', never))).toBe('one\n');
  });

  test('stays hidden when it may not be seen', async () => {
    const folder = project({ '.env': 'K=1\n', 'own/k.txt': 'k\n', '.massgenignore': 'own/\n' });
    const run = startRun(folder);
    const agent = await run.agent();
    for (const path of ['.env', 'own/k.txt']) {
      run.workspaces.keepBase(join(folder, path), bytes('secret\n'));
      await expect(agent.readFile(path, never)).rejects.toThrow('is hidden');
    }
  });
});

describe('pipes and sockets of a project', () => {
  test('are skipped with one warning', async () => {
    const folder = project({ 'a.txt': 'a\n' });
    execFileSync('mkfifo', [join(folder, 'pipe-1'), join(folder, 'pipe-2')]);
    let warned = (): void => undefined;
    const warning = new Promise<void>((resolve) => {
      warned = resolve;
    });
    const codes: string[] = [];
    const run = startRun(folder, {
      onWarning: (code, message) => {
        codes.push(`${code}: ${message}`);
        warned();
      },
    });
    const agents = [await run.agent(1), await run.agent(2)];
    await warning;
    for (const agent of agents) {
      expect((await agent.listDirectory('.', never)).map(({ name }) => name)).toEqual(['a.txt']);
      await expect(agent.readFile('pipe-1', never)).rejects.toMatchObject({
        code: 'workspace/not-text',
      });
      expect((await agent.takeSnapshot(never)).changes).toEqual([]);
    }
    expect(codes).toEqual([
      expect.stringMatching(
        /^special-files-left-out: proj holds 2 pipes, sockets or devices, e\.g\. pipe-[12];/,
      ),
    ]);
  });
});

describe('the pack of a run', () => {
  test('holds little more than the changed bytes and what they were, whatever the project holds', async () => {
    const line = (n: number): string => `export const value${n} = ${n * 7919};\n`;
    const content = (file: number): string =>
      Array.from({ length: 200 }, (_no, n) => line(file * 1000 + n)).join('');
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_no, n) => [`src/f${n}.ts`, content(n)]),
    );
    const run = startRun(project(files));
    const unique = new Map<string, number>();
    for (const slot of [1, 2, 3]) {
      const agent = await run.agent(slot);
      for (let n = 0; n < 20; n++) {
        const path = `src/f${n}.ts`;
        const changed = `${files[path] ?? ''}// by ${n < 10 ? 'all' : slot}\n`;
        unique.set(files[path] ?? '', Buffer.byteLength(files[path] ?? ''));
        unique.set(changed, Buffer.byteLength(changed));
        await agent.writeFile(path, bytes(changed), never);
      }
      await agent.takeSnapshot(never);
    }
    const needed = [...unique.values()].reduce((sum, size) => sum + size, 0);
    const { size } = statSync(join(run.dir, 'run-1', 'blobs.pack'));
    expect(size / needed).toBeGreaterThan(1);
    expect(size / needed).toBeLessThan(1.2);
    expect(readdirSync(join(run.dir, 'run-1')).filter((name) => name.includes('pack'))).toEqual([
      'blobs.pack',
    ]);
  });
});
