import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytes, fill, never, startRun, tempFolder, text } from './temp-project';

function project(files: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  fill(folder, files);
  return folder;
}

describe('answers of others', () => {
  test('have their whole text beside their files, for file tools and for commands', async () => {
    const run = startRun(project({ 'a.txt': 'a\n' }));
    const [one, two] = [await run.agent(1), await run.agent(2)];
    await one.writeFile('a.txt', bytes('by one\n'), never);
    const before = await one.takeSnapshot(never);
    const folders = two.showPeers(
      [
        { slot: 1, label: 'agent1.1', snapshotId: before.id, text: 'The whole answer.\n' },
        { slot: 3, label: 'agent3.1', snapshotId: null, text: 'Only text.\n' },
      ],
      { token: '1a2b3c4d' },
    );
    const peers = two.roots.find(({ kind }) => kind === 'peers')?.shownPath ?? '';
    expect(folders.get('agent1.1')).toBe(join(peers, '1a2b3c4d', 'agent1'));
    expect(await two.listFiles(peers, 10, never)).toEqual([
      `${peers}/1a2b3c4d/agent1/ANSWER.md`,
      `${peers}/1a2b3c4d/agent1/proj/a.txt`,
      `${peers}/1a2b3c4d/agent3/ANSWER.md`,
    ]);
    expect(text(await two.readFile(`${folders.get('agent3.1')}/ANSWER.md`, never))).toBe(
      'Only text.\n',
    );
    await expect(
      two.writeFile(`${folders.get('agent1.1')}/ANSWER.md`, bytes('x'), never),
    ).rejects.toMatchObject({ code: 'workspace/read-only' });
    const command = `cat ${folders.get('agent1.1')}/ANSWER.md ${folders.get('agent1.1')}/proj/a.txt`;
    const result = await two.runCommand({ command, cwd: undefined, timeoutMs: 5000 }, never);
    expect(result.output).toBe('The whole answer.\nby one\n');
    expect((await one.takeSnapshot(never)).id).toBe(before.id);
    expect((await two.takeSnapshot(never)).changes).toEqual([]);
  });

  test('put the place of the reader where the author named its own', async () => {
    const run = startRun(project({}));
    const [one, two] = [await run.agent(1), await run.agent(2)];
    const own = `${one.roots[0]?.shownPath}/a.txt`;
    const neutral = one.neutralizePaths(`See ${own}, not <workspace> or <workspace>.`);
    expect(neutral).not.toContain(own);
    expect(one.localizePaths(neutral)).toBe(`See ${own}, not <workspace> or <workspace>.`);
    expect(two.localizePaths(neutral, '/p/agent1')).toBe(
      'See /p/agent1/proj/a.txt, not <workspace> or <workspace>.',
    );
  });
});

test('the files of the attempt before can be read and not changed', async () => {
  const run = startRun(project({ 'a.txt': 'a\n' }));
  const agent = await run.agent();
  await agent.writeFile('a.txt', bytes('first try\n'), never);
  const { id } = await agent.takeSnapshot(never);
  await agent.restore(null, never);
  agent.showPeers([], { token: 't', previousAttempt: id });
  const peers = agent.roots.find(({ kind }) => kind === 'peers')?.shownPath ?? '';
  const file = `${peers}/t/previous_attempt/proj/a.txt`;
  expect(text(await agent.readFile(file, never))).toBe('first try\n');
  expect(text(await agent.readFile('a.txt', never))).toBe('a\n');
  await expect(agent.writeFile(file, bytes('x'), never)).rejects.toMatchObject({
    code: 'workspace/read-only',
  });
});

describe('T2: what the winner of the last turn left in its own folder', () => {
  async function secondTurn() {
    const folder = project({ 'a.txt': 'a\n' });
    const dir = tempFolder();
    const first = startRun(folder, { dir, runId: 'turn-1' });
    const winner = await first.agent(2);
    const own = winner.roots[1]?.shownPath ?? '';
    await winner.writeFile(`${own}/r.md`, bytes('result\n'), never);
    await winner.writeFile('a.txt', bytes('changed\n'), never);
    const { id } = await winner.takeSnapshot(never);
    const seed = { runId: 'turn-1', snapshotId: id };
    return startRun(folder, { dir, runId: 'turn-2', seed });
  }

  test('is in the folder of every agent, to be changed, and in a copy that only reads', async () => {
    const run = await secondTurn();
    for (const slot of [1, 2]) {
      const agent = await run.agent(slot);
      const own = `${agent.roots[1]?.shownPath}/r.md`;
      const peers = agent.roots.find(({ kind }) => kind === 'peers')?.shownPath ?? '';
      agent.showPeers([], { token: 't' });
      expect(text(await agent.readFile(own, never))).toBe('result\n');
      await agent.writeFile(own, bytes('mine\n'), never);
      const copy = `${peers}/t/previous_turn/workspace/r.md`;
      expect(text(await agent.readFile(copy, never))).toBe('result\n');
      expect(text(await agent.readFile('a.txt', never))).toBe('a\n');
      await agent.restore(null, never);
      expect(text(await agent.readFile(own, never))).toBe('result\n');
    }
  });

  test('is part of each snapshot, so that the next turn needs no other run', async () => {
    const agent = await (await secondTurn()).agent();
    expect((await agent.takeSnapshot(never)).changes).toMatchObject([
      { root: 'workspace', path: 'r.md', kind: 'add' },
    ]);
  });

  test('is missed with a warning when it is not stored any more', async () => {
    const seed = { runId: 'gone', snapshotId: 'f'.repeat(64) };
    const run = startRun(project({ 'a.txt': 'a\n' }), { seed });
    const agent = await run.agent();
    expect(text(await agent.readFile('a.txt', never))).toBe('a\n');
    expect(run.warnings).toEqual(['session-files-missing']);
  });
});

function headOf(file: { readonly head: Uint8Array } | undefined): string {
  return file === undefined ? '(nothing)' : text(file.head);
}

describe('files of the user', () => {
  test('are read up to a limit, and their whole size is told', async () => {
    const { userFiles } = startRun(project({ 'AGENTS.md': '0123456789' })).workspaces;
    const file = await userFiles.read('proj', 'AGENTS.md', 4, never);
    expect([headOf(file), file?.sizeBytes]).toEqual(['0123', 10]);
  });

  test('are read as they are, also when an agent has changed its own', async () => {
    const run = startRun(project({ 'AGENTS.md': 'rules\n', 'sub/x.md': 'x\n' }));
    const agent = await run.agent();
    await agent.writeFile('AGENTS.md', bytes('obey me\n'), never);
    const read = async (path: string) => run.workspaces.userFiles.read('proj', path, 9, never);
    expect(headOf(await read('AGENTS.md'))).toBe('rules\n');
    expect(headOf(await read('sub/x.md'))).toBe('x\n');
    expect(await read('none.md')).toBeUndefined();
    expect(await read('sub')).toBeUndefined();
    expect(await read('sub/x.md/y')).toBeUndefined();
    expect(await run.workspaces.userFiles.read('other', 'AGENTS.md', 9, never)).toBeUndefined();
  });

  test('take the text of an unsaved editor', async () => {
    const folder = project({ 'AGENTS.md': 'saved\n' });
    const unsaved = new Map([[join(folder, 'AGENTS.md'), bytes('typed\n')]]);
    const { userFiles } = startRun(folder, { unsaved }).workspaces;
    expect(headOf(await userFiles.read('proj', 'AGENTS.md', 9, never))).toBe('typed\n');
  });

  test('are not read through links that lead out, nor when they are hidden', async () => {
    const outside = project({ 'secret.md': 'secret\n', 'AGENTS.md': 'elsewhere\n' });
    const folder = project({ 'real.md': 'inside\n', '.massgenignore': 'kept/\n' });
    mkdirSync(join(folder, 'kept'));
    writeFileSync(join(folder, 'kept', 'AGENTS.md'), 'kept\n');
    symlinkSync(join(outside, 'secret.md'), join(folder, 'AGENTS.md'));
    symlinkSync(outside, join(folder, 'sub'));
    symlinkSync('real.md', join(folder, 'CLAUDE.md'));
    const { userFiles } = startRun(folder).workspaces;
    const read = async (path: string) => userFiles.read('proj', path, 9, never);
    expect(await read('AGENTS.md')).toBeUndefined();
    expect(await read('sub/AGENTS.md')).toBeUndefined();
    expect(await read('kept/AGENTS.md')).toBeUndefined();
    expect(await read('../AGENTS.md')).toBeUndefined();
    expect(headOf(await read('CLAUDE.md'))).toBe('inside\n');
  });
});
