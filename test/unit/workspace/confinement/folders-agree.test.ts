// File tools and commands see the same folders with the same modes, whatever was removed and brought back before.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentWorkspace } from '../../../../src/core/ports/workspace';
import { fill, never, tempFolder } from '../temp-project';
import { confinedRun, copiedRun, isLayered, named, output, run } from './confined-run';

type Step =
  | { readonly command: string }
  | { readonly write: string }
  | { readonly remove: string }
  | { readonly snapshot: 'take' | 'restore' };

const command = (text: string): Step => ({ command: text });
const write = (path: string): Step => ({ write: path });
const remove = (path: string): Step => ({ remove: path });
const take: Step = { snapshot: 'take' };
const restore: Step = { snapshot: 'restore' };

function project(): string {
  const folder = tempFolder();
  fill(folder, { 'top.txt': 'top\n', 'd/f': 'f\n', 'd/in/f': 'deep\n', 'o/f': 'other\n' });
  execFileSync('ln', ['-s', 'o', join(folder, 'link')]);
  mkdirSync(join(folder, 'empty'));
  for (const [path, mode] of Object.entries({ d: 0o750, 'd/in': 0o700, empty: 0o775 })) {
    chmodSync(join(folder, path), mode);
  }
  return folder;
}

async function play(agent: AgentWorkspace, steps: readonly Step[]): Promise<void> {
  let id = '';
  for (const step of steps) {
    if ('command' in step) {
      await run(agent, step.command);
    } else if ('write' in step) {
      await agent.writeFile(step.write, Buffer.from('tool\n'), never);
    } else if ('remove' in step) {
      await agent.deleteFile(step.remove, never);
    } else if (step.snapshot === 'take') {
      ({ id } = await agent.takeSnapshot(never));
    } else {
      await agent.restore(id, never);
    }
  }
}

/** Every folder with its mode, as the file tools have it. */
async function foldersOf(agent: AgentWorkspace, folder = '.'): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, kind } of await agent.listDirectory(folder, never)) {
    if (kind === 'directory') {
      const path = folder === '.' ? name : `${folder}/${name}`;
      const { mode } = await agent.stat(path, never);
      found.push(`${path} ${mode.toString(8)}`, ...(await foldersOf(agent, path)));
    }
  }
  return found.sort();
}

async function changesOf(agent: AgentWorkspace): Promise<readonly string[]> {
  const { changes } = await agent.takeSnapshot(never);
  return changes.map(({ path, kind }) => `${kind} ${path}`);
}

const look = "find . -mindepth 1 -type d -printf '%P %m\\n' | LC_ALL=C sort";

describe.skipIf(!isLayered)(named('folders of file tools and of commands'), () => {
  describe.each([
    ['merged layers', confinedRun],
    ['a copy', copiedRun],
  ])('in %s', (_name, start) => {
    test.each<readonly [what: string, steps: readonly Step[]]>([
      ['nothing was done', []],
      ['files in folders were changed', [write('d/f'), write('d/in/x'), write('new/x')]],
      ['the same by a command', [command('echo > d/f; mkdir new; touch d/in/x new/x')]],
      [
        'a file in a removed folder came and went',
        [command('rm -r d'), write('d/x'), remove('d/x')],
      ],
      [
        'a file deep in a removed folder came and went',
        [command('rm -r d'), write('d/in/x'), remove('d/in/x')],
      ],
      [
        'a file in a new folder of a removed one came and went',
        [command('rm -r d'), write('d/new/x'), remove('d/new/x')],
      ],
      ['a file in a removed folder stays', [command('rm -r d'), write('d/in/x')]],
      [
        'a folder that a link had replaced came back',
        [command('rm -r d; ln -s o d'), remove('d'), write('d/x'), remove('d/x')],
      ],
      [
        'a folder that a file had replaced came back',
        [command('rm -r d; echo > d'), remove('d'), write('d/in/x'), remove('d/in/x')],
      ],
      [
        'a folder came in the place of a link and went',
        [command('rm link'), write('link/in/x'), remove('link/in/x')],
      ],
      [
        'a new folder lost its only file',
        [command('mkdir -p new/in'), write('new/in/x'), remove('new/in/x')],
      ],
      [
        'a removed folder was made anew with another mode',
        [command('rm -r d; mkdir -m 711 d'), write('d/x'), remove('d/x')],
      ],
      [
        'a restore brings the mode of an empty folder back',
        [command('mkdir -m 755 new'), take, command('chmod 700 new'), restore],
      ],
      [
        'a restore brings a removed folder back',
        [command('true'), take, command('rm -r d empty'), restore],
      ],
      [
        'a restore brings a folder back that a file had come to and gone from',
        [command('rm -r d'), write('d/x'), remove('d/x'), take, command('rmdir d'), restore],
      ],
    ])('are the same after %s', async (_what, steps) => {
      const agent = await start(project()).agent();
      await play(agent, steps);
      const before = await changesOf(agent);
      const byTools = await foldersOf(agent);
      const byCommands = (await output(agent, `umask 022; ${look}`)).trimEnd().split('\n');
      expect(byCommands).toEqual(byTools);
      // A command that only looks changes nothing.
      expect(await foldersOf(agent)).toEqual(byTools);
      expect(await changesOf(agent)).toEqual(before);
    });
  });
});
