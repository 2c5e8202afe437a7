// Properties that hold for every project, proposal, edit of the user and order of decisions.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LiveFiles } from '../../../../src/core/ports/review';
import type { Content } from '../../../../src/workspace/content';
import { never } from '../temp-project';
import { playReview } from './play-review';
import { story } from './random-reviews';
import type { Tree, TreeEntry } from './review-bench';
import { asRead, file, filesWith, readTree, review, target } from './review-bench';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', 'e\r\n', '\n', 'ö日\n', '\uFEFFx\n');
const textFile = fc
  .tuple(fc.array(line, { maxLength: 10 }), fc.constantFrom('', 'no end'))
  .map(([lines, end]) => lines.join('') + end);
const content = fc.oneof(
  { weight: 4, arbitrary: textFile.map((text) => new TextEncoder().encode(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: textFile.map((text) => new Uint8Array(Buffer.from(`é${text}`, 'latin1'))),
  },
);
const entry: fc.Arbitrary<TreeEntry> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ bytes: content, mode: fc.constantFrom(0o644, 0o755, 0o600) }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ link: 'a.txt' }, { link: 'nowhere' }) },
);
const names = ['a.txt', 'B ö.md', 'src/a.txt', 'src/deep/日本.txt', 'x/y/z.bin', '-q', 'new\nline'];
const tree: fc.Arbitrary<Tree> = fc.dictionary(fc.constantFrom(...names), entry, { maxKeys: 6 });
// A fixed seed: the same cases every time, so that a failure is the code's.
const runs = { numRuns: 12, seed: 20 };

/** Each record of a journal waits for the disk, which is slow on a busy machine. */
const patience = { timeout: 60_000 };

describe('for any project and proposal', patience, () => {
  test('accepting all on an unchanged project gives the proposal, and undoing all gives the project', async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, async (base, proposed) => {
        const { session, project, reopen } = review(base, proposed);
        await session.accept(undefined, never);
        expect(readTree(project)).toEqual(asRead(proposed));
        await reopen().undo(undefined, never);
        expect(readTree(project)).toEqual(asRead(base));
      }),
      runs,
    );
  });

  test('looking at versions and rejecting all change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, async (base, proposed) => {
        const { session, project } = review(base, proposed);
        for (const changed of session.subject.files) {
          await session.versions(changed, never);
        }
        await session.reject(undefined);
        expect(readTree(project)).toEqual(asRead(base));
      }),
      runs,
    );
  });

  test('the order of accepting does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        tree,
        fc.array(fc.nat(100), { minLength: 14, maxLength: 14 }),
        async (base, proposed, dice) => {
          const { session, project } = review(base, proposed);
          const order = [...session.subject.files]
            .map((changed, index) => ({ changed, rank: dice[index] ?? 0 }))
            .sort((a, b) => a.rank - b.rank);
          for (const { changed } of order) {
            await session.accept([changed], never);
          }
          expect(readTree(project)).toEqual(asRead(proposed));
        },
      ),
      runs,
    );
  });

  test('accepting and undoing single files in any order leaves exactly the accepted ones', async () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...names)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(tree, tree, steps, async (base, proposed, list) => {
        const { session, project } = review(base, proposed);
        const expected = new Map(Object.entries(asRead(base)));
        for (const [isAccept, path] of list) {
          await (isAccept
            ? session.accept([target(path)], never)
            : session.undo([target(path)], never));
          const now = (isAccept ? asRead(proposed) : asRead(base))[path];
          if (now === undefined) {
            expected.delete(path);
          } else {
            expected.set(path, now);
          }
        }
        expect(readTree(project)).toEqual(Object.fromEntries([...expected].sort()));
      }),
      runs,
    );
  });
});

describe('for any edit of the user', patience, () => {
  const long = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n'), { minLength: 3, maxLength: 12 });
  const additions = fc.array(fc.tuple(fc.nat(12), fc.constantFrom('mine 1\n', 'mine 2\n')), {
    minLength: 1,
    maxLength: 3,
  });
  const insert = (lines: readonly string[], at: readonly (readonly [number, string])[]): string => {
    const copy = [...lines];
    at.forEach(([position, added]) => copy.splice(Math.min(position, copy.length), 0, added));
    return copy.join('');
  };

  test('made at any time, no added line is lost by accepting or undoing', async () => {
    await fc.assert(
      fc.asyncProperty(long, long, additions, additions, async (base, proposed, before, after) => {
        const { session, project } = review(
          { 'a.txt': file(base.join('')) },
          { 'a.txt': file(proposed.join('')) },
        );
        const place = join(project, 'a.txt');
        const mine = (): string[] =>
          readFileSync(place, 'utf8')
            .split(/(?<=\n)/)
            .filter((each) => each.startsWith('mine'));
        writeFileSync(place, insert(base, before));
        const first = mine();
        await session.accept(undefined, never);
        expect(mine()).toEqual(first);
        writeFileSync(place, insert(readFileSync(place, 'utf8').split(/(?<=\n)/), after));
        const second = mine();
        await session.undo(undefined, never);
        expect(mine()).toEqual(second);
      }),
      runs,
    );
  });
});

describe('a crash at any point', patience, () => {
  /** Files that stop working, as if the process were gone, before or after the n-th write. */
  const crashing = (at: number, isAfter: boolean): LiveFiles => {
    const disk = filesWith({});
    let writes = 0;
    const guard = async <T>(work: () => Promise<T>): Promise<T> => {
      const isNow = writes++ === at;
      if (isNow && !isAfter) {
        throw new Error('crash');
      }
      const answer = await work();
      if (isNow) {
        throw new Error('crash');
      }
      return answer;
    };
    return {
      read: async (...all) => disk.read(...all),
      write: async (...all) => guard(async () => disk.write(...all)),
      remove: async (...all) => guard(async () => disk.remove(...all)),
    };
  };
  const crash = fc.tuple(fc.nat(5), fc.boolean());

  test('of accepting leaves old or new bytes, and both accepting again and undoing still work', async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, crash, async (base, proposed, [at, isAfter]) => {
        for (const goOn of ['accept', 'undo'] as const) {
          const { project, reopen } = review(base, proposed);
          await reopen(crashing(at, isAfter)).accept(undefined, never);
          const [old, next] = [asRead(base), asRead(proposed)];
          for (const [path, now] of Object.entries(readTree(project))) {
            expect([old[path], next[path]]).toContain(now);
          }
          const later = reopen();
          await (goOn === 'accept' ? later.accept(undefined, never) : later.undo(undefined, never));
          expect(readTree(project)).toEqual(goOn === 'accept' ? next : old);
          await reopen().undo(undefined, never);
          expect(readTree(project)).toEqual(old);
        }
      }),
      runs,
    );
  });

  test('of undoing leaves what another Undo can finish', async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, crash, async (base, proposed, [at, isAfter]) => {
        const { project, reopen } = review(base, proposed);
        await reopen().accept(undefined, never);
        await reopen(crashing(at, isAfter)).undo(undefined, never);
        await reopen().undo(undefined, never);
        expect(readTree(project)).toEqual(asRead(base));
      }),
      runs,
    );
  });
});

describe('for any story of decisions', { timeout: 600_000 }, () => {
  const cases = Number(process.env['SOAK_REVIEWS'] ?? 110);
  const seed = Number(process.env['SOAK_SEED'] ?? 44);

  test('about parts, mixes, moves and crashes, undoing all gives the project back', async () => {
    await fc.assert(
      fc.asyncProperty(story(false), async (told) => {
        const { bench, session } = await playReview(told);
        const results = await session.undo(undefined, never);
        expect(results.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
        expect(readTree(bench.project)).toEqual(asRead(told.base));
      }),
      { numRuns: cases, seed },
    );
  });

  test('about parts, accepting what is left gives what is proposed, in whatever order it came', async () => {
    await fc.assert(
      fc.asyncProperty(story(false), async (told) => {
        const { bench, session } = await playReview(told);
        await session.undo(session.subject.files, never);
        const { files } = session.subject;
        const targets = files.flatMap(({ path, hunks, from }) => [
          ...(hunks ?? []).map(({ id }) => target(path, id)),
          ...((hunks ?? []).length === 0 || from !== undefined ? [target(path)] : []),
        ]);
        for (const each of shuffled(targets, told.steps.length)) {
          await session.accept([each], never);
        }
        const snapshotId = await session.composed(never);
        const expected = new Map(Object.entries(asRead(told.base)));
        for (const [path, { now }] of bench.store.readManifest(snapshotId)?.get('proj') ?? []) {
          expected.delete(path);
          if (now.kind !== 'deleted') {
            expected.set(path, words(now, bench.store.readContent(now)));
          }
        }
        expect(readTree(bench.project)).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: cases, seed },
    );
  });

  test('with the user editing, deleting and moving files in between, nothing of the user is lost', async () => {
    await fc.assert(
      fc.asyncProperty(story(true), async (told) => {
        const { session } = await playReview(told);
        await session.undo(undefined, never);
      }),
      { numRuns: cases, seed },
    );
  });
});

function shuffled<T>(list: readonly T[], salt: number): readonly T[] {
  return list
    .map((each, index) => ({ each, rank: ((index + 1) * 7919 * (salt + 3)) % 101 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ each }) => each);
}

function words(now: Content, bytes: Uint8Array | undefined): string {
  if (now.kind === 'folder') {
    return 'folder';
  }
  const text = Buffer.from(bytes ?? []).toString('latin1');
  return now.kind === 'link' ? `-> ${now.target}` : `${now.mode.toString(8)} ${text}`;
}
