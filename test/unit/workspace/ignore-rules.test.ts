import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GitIgnore } from '../../../src/workspace/git-ignore';
import { isIgnored, parseIgnoreRules } from '../../../src/workspace/ignore-rules';
import { fill, git, never, tempFolder } from './temp-project';

describe('ignore rules', () => {
  test('decide as git does', async () => {
    const project = tempFolder();
    const ignores = {
      '.gitignore':
        '# comment\n\\#hash\nbuild/\n/top.txt\n*.log\n!keep.log\nsrc/**/gen\n**/tmp\ndoc/*.txt\n[ab]?.c\nname with space \nsl\\*ash\n\\!bang\nabc/**\n[!x].z\nx*y*z?\nm/*/n*.o\nfoo/\n!foo/bar\n',
      'sub/.gitignore': '!*.log\nlocal\n/rooted\n',
    };
    fill(project, ignores);
    git(project, 'init', '-q');
    fill(project, { '.git/info/exclude': 'excluded.txt\n' });
    const paths = [
      ...['build/x', 'a/build/x', 'build.txt', 'top.txt', 'a/top.txt', 'x.log', 'keep.log'],
      ...['sub/x.log', 'sub/local', 'sub/a/local', 'sub/rooted', 'sub/a/rooted', 'src/gen/f'],
      ...['src/a/b/gen/f', 'gen/f', 'tmp/f', 'a/tmp/f', 'doc/a.txt', 'doc/b/a.txt', 'a1.c'],
      ...['c1.c', 'a11.c', '#hash', 'name with space', 'sl*ash', 'slXash', '!bang', 'abc/d/e'],
      ...[
        'y.z',
        'x.z',
        'foo/bar',
        'excluded.txt',
        'plain.txt',
        'x1y2z3',
        'xyz',
        'xyzz',
        ...['m/a/n1.o', 'm/n1.o', 'm/a/b/n.o', 'q/x-y-z-'],
        'Build/x',
        'a/b.log',
      ],
    ];
    fill(project, Object.fromEntries(paths.map((path) => [path, ''])));
    const listed = git(
      project,
      '-c',
      'core.quotePath=false',
      'ls-files',
      '-o',
      '-i',
      '--exclude-standard',
    );
    const expected = new Set(listed.split('\n'));
    const ignore = new GitIgnore(project);
    for (const path of paths) {
      expect([path, await ignore.isIgnored(path, never)]).toEqual([path, expected.has(path)]);
    }
  });

  test('of the folders above count for a root inside a repository', async () => {
    const project = tempFolder();
    fill(project, { '.gitignore': '*.tmp\n/packages/a/out/\n', 'packages/.gitignore': 'x\n' });
    mkdirSync(join(project, '.git'));
    mkdirSync(join(project, 'packages/a'));
    const ignore = new GitIgnore(join(project, 'packages/a'));
    const answers = ['b.tmp', 'out/f', 'x', 'y', 'deep/out/f'].map((p) =>
      ignore.isIgnored(p, never),
    );
    expect(await Promise.all(answers)).toEqual([true, true, true, false, false]);
  });

  test('with a malformed class match nothing and do no harm', () => {
    const sets = [parseIgnoreRules('[z-a]\n[\n(((\na+\n', '')];
    expect(['z', 'a', '(((', 'a+', 'aa'].map((path) => isIgnored(sets, path, false))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  test('take no more time for patterns that could match in many ways', () => {
    const many = [`${'*a'.repeat(30)}b`, `${'**/'.repeat(30)}x`, `${'?*'.repeat(30)}z`];
    const sets = [parseIgnoreRules(many.join('\n'), '')];
    expect(isIgnored(sets, 'a'.repeat(250), false)).toBe(false);
    expect(isIgnored(sets, 'a/'.repeat(100) + 'y', false)).toBe(false);
    expect(isIgnored(sets, 'a/'.repeat(100) + 'x', false)).toBe(true);
  });
});
