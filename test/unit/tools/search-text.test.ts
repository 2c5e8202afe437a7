import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ToolContext } from '../../../src/core/ports/tool';
import { Ripgrep } from '../../../src/tools/ripgrep';
import { searchText } from '../../../src/tools/search-text';
import { bytes, fill, never, startRun, tempFolder } from '../workspace/temp-project';

const rg = new Ripgrep(['/nowhere/rg', 'rg']);
const isThere = (await rg.filesWith('x', [], never)) !== undefined && (await hasRipgrep());

async function hasRipgrep(): Promise<boolean> {
  const file = join(import.meta.dirname, 'search-text.test.ts');
  return (await rg.filesWith('hasRipgrep', [file], never)) !== undefined;
}

function contextOf(workspace: ToolContext['workspace']): ToolContext {
  return { workspace, slot: 1, seenPaths: new Set(), approveCommand: async () => false };
}

const name = isThere ? 'with ripgrep' : 'with ripgrep (left out: there is none on PATH)';

describe.skipIf(!isThere)(`search_text ${name}`, () => {
  test('finds the same in the same order as without it, whatever an agent has changed', async () => {
    const word = fc.constantFrom(
      'ab',
      'a',
      'b',
      ' ',
      '\n',
      '\r\n',
      '\r',
      'é',
      '\0',
      '\uFEFF',
      '-e',
      'A',
    );
    const content = fc.array(word, { maxLength: 12 }).map((parts) => parts.join(''));
    const files = fc.dictionary(fc.constantFrom('a', '.b', 'node/c', 'd d', '-e', 'é'), content, {
      minKeys: 1,
    });
    await fc.assert(
      fc.asyncProperty(
        files,
        files,
        fc.constantFrom('ab', 'é', '-e', 'a\n', 'b '),
        async (disk, own, pattern) => {
          const project = tempFolder();
          fill(project, { ...disk, '.env': 'ab é -e b ', '.gitignore': '*' });
          const agent = await startRun(project).agent();
          for (const [path, text] of Object.entries(own)) {
            await agent.writeFile(path, bytes(text), never);
          }
          const search = async (ripgrep: Ripgrep | undefined): Promise<unknown> =>
            searchText(ripgrep, 0).run({ pattern }, contextOf(agent), never);
          const fast = await search(rg);
          expect(fast).toEqual(await search(undefined));
          expect(JSON.stringify(fast)).not.toContain('.env');
        },
      ),
      { seed: 7, numRuns: 60 },
    );
  });

  test('looks only into files that may have it, and into all that are not as on the disk', async () => {
    const project = tempFolder();
    fill(project, { 'a.txt': 'needle\n', 'b.txt': 'hay\n', 'c.txt': 'hay\n', 'd.txt': 'hay\n' });
    const run = startRun(project);
    const agent = await run.agent();
    await agent.writeFile('b.txt', bytes('needle two\n'), never);
    await agent.readFile('c.txt', never);
    writeFileSync(join(project, 'c.txt'), 'needle of the user\n');
    const looked: string[] = [];
    const original = agent.readFile.bind(agent);
    agent.readFile = async (path, signal) => {
      looked.push(path.split('/').at(-1) ?? '');
      return original(path, signal);
    };
    onTestFinished(() => {
      agent.readFile = original;
    });
    const { text } = await searchText(rg, 0).run({ pattern: 'needle' }, contextOf(agent), never);
    expect(text.split('\n')).toEqual(['a.txt:1: needle', 'b.txt:1: needle two']);
    expect(looked).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });
});

test('search_text goes on by itself where there is no ripgrep', async () => {
  const none = new Ripgrep(['/nowhere/rg']);
  const project = tempFolder();
  fill(project, { 'a.txt': 'needle\n' });
  const agent = await startRun(project).agent();
  const { text } = await searchText(none, 0).run({ pattern: 'needle' }, contextOf(agent), never);
  expect(text).toBe('a.txt:1: needle');
});
