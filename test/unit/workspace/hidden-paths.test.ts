// What the user shows to no agent, whatever the project says.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeTree } from '../../../src/workspace/tried/write-tree';
import { bytes, fill, never, startRun, tempFolder, text } from './temp-project';

const hiddenPaths = ['customers/', '*.dump', '/top.txt'];
const refused = { code: 'workspace/path-escape' };

function project(): string {
  const folder = tempFolder();
  fill(folder, {
    'a.txt': 'a\n',
    'top.txt': 'hidden\n',
    'sub/top.txt': 'not hidden\n',
    'sub/db.dump': 'hidden\n',
    'customers/list.csv': 'hidden\n',
    // A project that would take back what the user hides.
    '.massgenignore': '!customers/\n!*.dump\n',
  });
  return folder;
}

test('hidden paths of the user are out of reach of tools in every folder', async () => {
  const [one, two] = [project(), project()];
  const run = startRun(one, {
    hiddenPaths,
    folders: [
      { name: 'one', path: one, permission: 'write' },
      { name: 'two', path: two, permission: 'write' },
    ],
  });
  const agent = await run.agent();
  for (const { shownPath: root } of agent.roots.slice(0, 2)) {
    for (const path of ['customers/list.csv', 'sub/db.dump', 'top.txt']) {
      await expect(agent.readFile(`${root}/${path}`, never)).rejects.toMatchObject(refused);
      await expect(agent.writeFile(`${root}/${path}`, bytes('x'), never)).rejects.toMatchObject(
        refused,
      );
    }
    expect(text(await agent.readFile(`${root}/sub/top.txt`, never))).toBe('not hidden\n');
  }
});

test('hidden paths of the user are out of reach of commands', async () => {
  const agent = await startRun(project(), { hiddenPaths }).agent();
  const command = 'find . -type f | sort';
  const run = await agent.runCommand({ command, cwd: undefined, timeoutMs: 60_000 }, never);
  expect(run.output).toBe('./.massgenignore\n./a.txt\n./sub/top.txt\n');
});

test('hidden paths of the user are left out of a tree that is written to be tried', async () => {
  const folder = project();
  const run = startRun(folder, { hiddenPaths });
  const agent = await run.agent();
  await agent.writeFile('a.txt', bytes('b\n'), never);
  const { id: snapshotId } = await agent.takeSnapshot(never);
  const tree = await writeTree(
    {
      ...{ dir: run.dir, runId: 'run-1', store: run.workspaces.store, snapshotId, hiddenPaths },
      ...{ folders: [{ name: 'proj', path: folder, permission: 'write' }] },
      triedDir: tempFolder(),
    },
    never,
  );
  expect(readdirSync(tree).sort()).toEqual(['.massgenignore', 'a.txt', 'sub']);
});
