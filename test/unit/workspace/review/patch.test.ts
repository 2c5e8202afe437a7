import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { never, tempFolder, text } from '../temp-project';
import type { Tree } from './review-bench';
import { asRead, file, readTree, reviewOf, target, writeTree } from './review-bench';

/** The tree after git has applied the patch, without git's own folder. */
function afterGit(base: Tree, patch: Uint8Array): Readonly<Record<string, string>> {
  const folder = join(tempFolder(), 'clone');
  mkdirSync(folder);
  writeTree(folder, base);
  const place = join(tempFolder(), 'export.patch');
  writeFileSync(place, patch);
  execFileSync('git', ['apply', '--whitespace=nowarn', place], {
    cwd: folder,
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return readTree(folder);
}

describe('an exported patch', () => {
  const base: Tree = {
    'a b.txt': file('one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten'),
    'crlf.txt': file('a\r\nb\r\n'),
    'latin.txt': file(Buffer.from('é\nè\n', 'latin1')),
    'wide.txt': file(Buffer.from('\uFEFFa\nb\n', 'utf16le')),
    'image.png': file(new Uint8Array([137, 80, 78, 71, 0, 1, 2, 3])),
    'gone.txt': file('gone\n'),
    'run.sh': file('#!/bin/sh\n'),
    'old/näme "1".txt': file('same\nsame\nsame\nlast\n'),
    'was-file': file('now a link\n'),
    link: { link: 'run.sh' },
  };
  const proposed: Tree = {
    'a b.txt': file('ONE\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n'),
    'crlf.txt': file('a\r\nB\r\n'),
    'latin.txt': file(Buffer.from('é\nê\n', 'latin1')),
    'wide.txt': file(Buffer.from('\uFEFFa\nB\n', 'utf16le')),
    'image.png': file(new Uint8Array(Array.from({ length: 300 }, (_, n) => (n * 7) % 256))),
    'run.sh': file('#!/bin/sh\n', 0o755),
    'new/näme "1".txt': file('same\nsame\nsame\nLAST\n'),
    'was-file': { link: 'a b.txt' },
    link: { link: 'gone' },
    'empty.txt': file(''),
    'deep/new.txt': file('no end'),
  };
  const moves = { 'new/näme "1".txt': 'old/näme "1".txt' };

  test('brings the whole proposal to a clone of the project, with git alone', async () => {
    const { session } = reviewOf(base, proposed, { moves });
    expect(afterGit(base, await session.patch(never))).toEqual(asRead(proposed));
  });

  test('names the answer of each file, and leaves out what was rejected', async () => {
    const other = {
      ...base,
      'a b.txt': file(text(bytesIn(base, 'a b.txt')).replace('five', 'FIVE')),
    };
    const { session } = reviewOf(base, proposed, { moves, others: { 'agent2.1': other } });
    const [theirs] = await session.alternatives(target('a b.txt'), never);
    const [own] = (await session.versions(target('a b.txt'), never)).hunks;
    const hunk = theirs?.hunks[0];
    if (hunk === undefined || own === undefined) {
      throw new Error('nothing to pick');
    }
    await session.pick(
      target('a b.txt'),
      [
        { label: 'agent2.1', hunk },
        { label: 'agent1.1', hunk: own.info },
      ],
      never,
    );
    await session.reject([target('gone.txt'), target('crlf.txt'), target('new/näme "1".txt')]);
    const patch = await session.patch(never);
    expect(text(patch).match(/^MassGen: a b.*$/gm)).toEqual([
      'MassGen: a b.txt from agent1.1 (line 1), agent2.1 (line 5)',
    ]);
    const { 'new/näme "1".txt': _moved, ...rest } = proposed;
    expect(afterGit(base, patch)).toEqual(
      asRead({
        ...rest,
        'a b.txt': file('ONE\ntwo\nthree\nfour\nFIVE\nsix\nseven\neight\nnine\nten'),
        'crlf.txt': base['crlf.txt'] ?? file(''),
        'gone.txt': base['gone.txt'] ?? file(''),
        'old/näme "1".txt': base['old/näme "1".txt'] ?? file(''),
      }),
    );
  });

  test('of any two texts is one that git takes', async () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\r\n', 'é\r', '-- x\n', '@@ y\n');
    const any = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', 'end'))
      .map((all) => file(all[0].join('') + all[1]));
    await fc.assert(
      fc.asyncProperty(any, any, async (old, now) => {
        const { session } = reviewOf({ a: old }, { a: now }, {});
        const patch = await session.patch(never);
        expect(patch.length === 0 ? asRead({ a: old }) : afterGit({ a: old }, patch)).toEqual(
          asRead({ a: now }),
        );
      }),
      { numRuns: 15, seed: 3 },
    );
  });
});

function bytesIn(tree: Tree, path: string): Uint8Array {
  const entry = tree[path];
  return entry !== undefined && 'bytes' in entry ? entry.bytes : new Uint8Array();
}
