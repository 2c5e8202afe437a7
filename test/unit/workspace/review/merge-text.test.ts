import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeText } from '../../../../src/workspace/review/merge-text';
import { countLines, diffLineLists, splitLines } from '../../../../src/workspace/text-lines';

const names = { live: 'mine', proposed: 'theirs' };
const merge = (base: string, proposed: string, live: string): string | undefined =>
  mergeText(base, proposed, live, names).text;

describe('a three-way merge', () => {
  test('takes changes of both sides that do not touch', () => {
    expect(merge('a\nb\nc\n', 'a\nb\nC\n', 'A\nb\nc\n')).toBe('A\nb\nC\n');
  });

  test('takes a change that both sides made once', () => {
    expect(merge('a\nb\nc\n', 'a\nB\nc\nd\n', 'a\nB\nc\n')).toBe('a\nB\nc\nd\n');
  });

  test('is a conflict where both changed the same or neighbouring lines', () => {
    expect(merge('a\nb\n', 'a\nX\n', 'a\nY\n')).toBe(undefined);
    expect(merge('a\nb\nc\n', 'a\nB\nc\n', 'A\nb\nc\n')).toBe(undefined);
    expect(merge('a\n', 'a\nX\n', 'a\nY\n')).toBe(undefined);
  });

  test('shows both sides of a conflict between markers and merges the rest', () => {
    expect(mergeText('a\nb\nc\nd\ne', 'a\nX\nc\nd\nE', 'a\nY\nc\nd\ne', names).withMarkers).toBe(
      'a\n<<<<<<< mine\nY\n=======\nX\n>>>>>>> theirs\nc\nd\nE',
    );
  });

  test('keeps the end of every line and a missing last newline', () => {
    expect(merge('a\r\nb\nc\rd', 'a\r\nb\nc\rd\r\ne', 'A\r\nb\nc\rd')).toBe('A\r\nb\nc\rd\r\ne');
  });

  test('follows the live text when it has other line ends as a whole', () => {
    expect(merge('a\nb\nc\n', 'a\nb\nC\nd\n', 'a\r\nb\r\nc\r\n')).toBe('a\r\nb\r\nC\r\nd\r\n');
  });

  const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\r\n', 'e\r', '\n', '\uFEFFx\n', 'é\n');
  const document = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'end'))
    .map(([lines, end]) => lines.join('') + end);

  test('gives one side’s text when the other side did not change', () => {
    fc.assert(
      fc.property(document, document, (base, other) => {
        expect([
          merge(base, other, base),
          merge(base, base, other),
          merge(base, other, other),
        ]).toEqual([other, other, other]);
      }),
      { seed: 1 },
    );
  });

  test('loses no line that the live text added', () => {
    fc.assert(
      fc.property(document, document, document, (base, proposed, live) => {
        const merged = merge(base, proposed, live);
        const added = diffLineLists(splitLines(base), splitLines(live)).flatMap((e) => e.lines);
        if (merged !== undefined && !live.includes('\r') && !base.includes('\r')) {
          expect(isSubsequence(added, splitLines(merged))).toBe(true);
        }
      }),
      { seed: 1 },
    );
  });
});

describe('a difference of lines', () => {
  test('is not made of texts that would take too much memory as lines', () => {
    const long = new Uint8Array(9 * 1024 * 1024).fill(10);
    expect(countLines(undefined, long)).toEqual({ added: 0, removed: 0, isBinary: true });
    expect(countLines(undefined, long.subarray(0, 1000)).added).toBe(1000);
  });

  test('applied to the old text gives the new one', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 15 });
    fc.assert(
      fc.property(words, words, (from, to) => {
        let position = 0;
        const made: string[] = [];
        for (const edit of diffLineLists(from, to)) {
          made.push(...from.slice(position, edit.start), ...edit.lines);
          position = edit.end;
        }
        expect([...made, ...from.slice(position)]).toEqual(to);
      }),
      { seed: 1 },
    );
  });
});

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const item of whole) {
    at += item === part[at] ? 1 : 0;
  }
  return at === part.length;
}
