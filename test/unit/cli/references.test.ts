import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { UsageError } from '../../../src/cli/failure';
import { readReferences } from '../../../src/cli/references';
import { tempFolder } from '../workspace/temp-project';

let cwd: string;
let project: string;
let home: string;

beforeEach(() => {
  [cwd, project, home] = [tempFolder(), tempFolder(), tempFolder()];
  mkdirSync(join(cwd, 'src'));
  mkdirSync(join(cwd, 'my docs'));
  for (const name of ['src/a.ts', 'src/b.ts', 'notes.', 'LICENSE']) {
    writeFileSync(join(cwd, name), '');
  }
  writeFileSync(join(project, 'only-there.md'), '');
  writeFileSync(join(home, 'plan.md'), '');
});

const read = (text: string): ReturnType<typeof readReferences> =>
  readReferences(text, { folders: [cwd, project], home });

/** The task and, for each path from the current folder, what is allowed. */
async function told(text: string): Promise<readonly [string, Readonly<Record<string, string>>]> {
  const { task, references } = await read(text);
  const shown = references.map(({ path, permission }) => [
    path.replace(`${cwd}/`, '').replace(project, 'PROJECT').replace(home, 'HOME'),
    permission,
  ]);
  return [task, Object.fromEntries(shown) as Readonly<Record<string, string>>];
}

it.each<[string, string, Readonly<Record<string, string>>]>([
  ['Read @src/a.ts', 'Read src/a.ts', { 'src/a.ts': 'read' }],
  ['Mend @src:w now', 'Mend src now', { src: 'write' }],
  ['@src/a.ts or @src/b.ts?', 'src/a.ts or src/b.ts?', { 'src/a.ts': 'read', 'src/b.ts': 'read' }],
  ['(see @src/a.ts:w).', '(see src/a.ts).', { 'src/a.ts': 'write' }],
  ['@LICENSE: is it free?', 'LICENSE: is it free?', { LICENSE: 'read' }],
  ['A name may end in a point: @notes.', 'A name may end in a point: notes.', { 'notes.': 'read' }],
  ['Sort @"my docs":w, please', 'Sort my docs, please', { 'my docs': 'write' }],
  ['@src and again @src:w', 'src and again src', { src: 'write' }],
  ['@src:w and again @src', 'src and again src', { src: 'write' }],
  ['@~/plan.md counts', '~/plan.md counts', { 'HOME/plan.md': 'read' }],
  ['@only-there.md', 'only-there.md', { 'PROJECT/only-there.md': 'read' }],
])('%j lets agents see what it names', async (text, task, references) => {
  expect(await told(text)).toEqual([task, references]);
});

it.each([
  'Write to ann@src/a.ts and bob.b+x@example.org.',
  'Compare @examples/basic/multi/three_agents_default with ours.',
  'A lone @ or @ here, and a@b.',
  'import x from node_modules/@types/node',
])('%j names no path', async (text) => {
  expect(await told(text)).toEqual([text, {}]);
});

it('a sign that is escaped stays a word', async () => {
  expect(await told('Add \\@Override, and \\@src stays')).toEqual([
    'Add @Override, and @src stays',
    {},
  ]);
});

it('every path that is not there is named, with the nearest one', async () => {
  const error = await read('Read @src/aa.ts, @scr and @nothing-like-it.').catch((e: unknown) => e);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({
    message: [
      'There is no file or folder src/aa.ts, which the task names as @src/aa.ts. Did you mean @src/a.ts?',
      'There is no file or folder scr, which the task names as @scr. Did you mean @src?',
      'There is no file or folder nothing-like-it, which the task names as @nothing-like-it.',
    ].join('\n'),
    hint: 'Write \\@ for a word that begins with @, or add --no-parse-at-references.',
  });
});
