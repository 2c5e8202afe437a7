import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HunkInfo } from '../../../../src/run/facts';
import { toByteText, toBytes } from '../../../../src/workspace/hunks/byte-text';
import { hunksOf } from '../../../../src/workspace/hunks/hunks-of';
import { splitLines } from '../../../../src/workspace/text-lines';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array =>
  new Uint8Array(Buffer.from(text, encoding));

function parts(base: string | Uint8Array, now: string | Uint8Array): readonly HunkInfo[] {
  const found = hunksOf(toBuffer(base), toBuffer(now), 'a.txt');
  if (found === undefined || 'wholeFile' in found) {
    throw new Error(`no parts: ${JSON.stringify(found)}`);
  }
  return found.hunks;
}

const toBuffer = (text: string | Uint8Array): Uint8Array =>
  typeof text === 'string' ? bytesOf(text) : text;

const numbered = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `line ${index + from}\n`).join('');

describe('the parts of a changed file', () => {
  const base = numbered(12);

  test('name their lines on both sides, what they add and remove, and a first line to read', () => {
    const now = base.replace('line 2\n', '\n  Two\nand a half\n').replace('line 9\nline 10\n', '');
    expect(parts(base, now).map(({ id: _id, ...rest }) => rest)).toEqual([
      {
        ...{ baseStart: 1, baseLines: 1, newStart: 1, newLines: 3, added: 3, removed: 1 },
        title: 'Two',
      },
      {
        ...{ baseStart: 8, baseLines: 2, newStart: 10, newLines: 0, added: 0, removed: 2 },
        title: 'line 9',
      },
    ]);
  });

  test('take in edits with fewer than three unchanged lines between them', () => {
    const edit = (first: number, second: number): readonly HunkInfo[] =>
      parts(base, base.replace(`line ${first}\n`, 'A\n').replace(`line ${second}\n`, 'B\n'));
    expect(edit(2, 5).map(({ baseLines, added, removed }) => [baseLines, added, removed])).toEqual([
      [4, 2, 2],
    ]);
    expect(edit(2, 6).map(({ baseStart, baseLines }) => [baseStart, baseLines])).toEqual([
      [1, 1],
      [5, 1],
    ]);
  });

  test('have the same identity in two answers that change the same lines in the same way', () => {
    const one = base.replace('line 3\n', 'C\n');
    const both = one.replace('line 11\n', 'K\n');
    expect(parts(base, both)[0]?.id).toBe(parts(base, one)[0]?.id);
    expect(parts(base, one)[0]?.id).toMatch(/^[0-9a-f]{16}$/);
    const twice = parts('a\nb\nc\nd\na\n', 'x\nb\nc\nd\nx\n');
    expect(new Set(twice.map(({ id }) => id)).size).toBe(2);
  });

  test('show no control or direction characters in their title, and at most 80 characters', () => {
    expect(parts('a\n', '\u001b[31mred\u202E\u0007\n')[0]?.title).toBe('[31mred');
    expect(parts('a\n', `${'日'.repeat(200)}\n`)[0]?.title).toBe('日'.repeat(80));
  });

  test('are none where nothing changed', () => {
    expect(parts(base, base)).toEqual([]);
    expect(parts('', '')).toEqual([]);
  });
});

describe('line ends', () => {
  test('[E-25] of a CRLF file stay out of a change of one line', () => {
    const base = numbered(6).replaceAll('\n', '\r\n');
    const [only, ...more] = parts(base, base.replace('line 3', 'three'));
    expect([only?.added, only?.removed, more.length]).toEqual([1, 1, 0]);
  });

  test('that are all that changed make one part, wherever they are', () => {
    const base = numbered(40);
    const now = base.replace('line 3\n', 'line 3\r\n').replace('line 30\n', 'line 30\r\n');
    expect(parts(base, now).map(({ baseStart, baseLines }) => [baseStart, baseLines])).toEqual([
      [2, 28],
    ]);
    expect(parts(base, base.replaceAll('\n', '\r\n')).length).toBe(1);
  });

  test('[E-28] that are missing at the end of the file are no change, and their loss is one', () => {
    expect(parts('a\nb', 'A\nb').map(({ baseLines }) => baseLines)).toEqual([1]);
    expect(parts('a\nb\n', 'a\nb').map(({ baseStart, title }) => [baseStart, title])).toEqual([
      [1, 'b'],
    ]);
  });

  test('of a lone CR separate lines too', () => {
    expect(parts('a\rb\rc\r', 'a\rB\rc\r').map(({ baseStart }) => baseStart)).toEqual([1]);
  });
});

describe('encodings', () => {
  test('[E-21] [E-22] without UTF-8 are taken apart byte by byte, with a readable title', () => {
    const base = Buffer.concat([bytesOf('é è\n', 'latin1'), bytesOf('ascii\nlast\n')]);
    const now = Buffer.concat([bytesOf('é è\n', 'latin1'), bytesOf('ASCII é\nlast\n', 'latin1')]);
    expect(parts(base, now).map(({ baseStart, title }) => [baseStart, title])).toEqual([
      [1, 'ASCII é'],
    ]);
  });

  test('[E-27] of two bytes with a byte order mark are text in both byte orders', () => {
    for (const isBig of [false, true]) {
      const encode = (text: string): Uint8Array => {
        const units = Buffer.from(`\uFEFF${text}`, 'utf16le');
        return new Uint8Array(isBig ? units.swap16() : units);
      };
      // U+0A0D has the bytes of two line ends and is none.
      const found = parts(encode('ਊ\u0A0Da\r\nb\n'), encode('ਊ\u0A0Da\r\nä\n'));
      expect(found.map(({ baseStart, title }) => [baseStart, title])).toEqual([[1, 'ä']]);
    }
  });

  test('that differ between base and answer can only be decided as a whole', () => {
    const wide = new Uint8Array(Buffer.from('\uFEFFa\n', 'utf16le'));
    expect(hunksOf(bytesOf('a\n'), wide, 'a.txt')).toEqual({ wholeFile: 'encoding' });
  });

  test('[E-38] of no text at all are binary', () => {
    expect(hunksOf(bytesOf('a\n'), new Uint8Array([1, 0, 2]), 'a.png')).toBeUndefined();
    expect(hunksOf(new Uint8Array([0xff, 0xfe, 65]), bytesOf(''), 'odd')).toBeUndefined();
    const late = bytesOf(`${'text\n'.repeat(5000)}\0`);
    expect(hunksOf(late, bytesOf('a\n'), 'late')).toBeUndefined();
  });
});

describe('a file is decided as a whole', () => {
  const reason = (base: string, now: string, path = 'a.txt'): unknown =>
    hunksOf(bytesOf(base), bytesOf(now), path);

  test('when a program wrote it', () => {
    const generated = { wholeFile: 'generated' };
    expect(reason('a\n', 'b\n', 'web/package-lock.json')).toEqual(generated);
    expect(reason('a\n', 'b\n', 'Cargo.lock')).toEqual(generated);
    expect(reason('a\n', 'b\n', 'app.min.js')).toEqual(generated);
    expect(reason('a\n', 'b'.repeat(3000), 'bundle.js')).toEqual(generated);
    expect(reason(numbered(2600), numbered(2600, 5000))).toEqual(generated);
    expect(reason(numbered(2400), numbered(2400, 5000))).not.toEqual(generated);
  });

  test('when it is too large', () => {
    const large = { wholeFile: 'too-large' };
    expect(reason('a\n'.repeat(20_001), 'a\n'.repeat(20_001))).toEqual(large);
    expect(reason('a\n'.repeat(20_000), 'a\n'.repeat(20_000))).toEqual({ hunks: [] });
    expect(reason('', `${'x'.repeat(1000)}\n`.repeat(2100))).toEqual(large);
  });

  test('when its lines are so mixed up that no comparison tells much', () => {
    const lines = Array.from({ length: 6000 }, (_, index) => `${(index * 7919) % 97}\n`);
    expect(reason(lines.join(''), lines.toReversed().join(''))).toEqual({ wholeFile: 'too-slow' });
  });
});

describe('for any two texts', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'é\n', '\r', 'd\r\n');
  const text = fc
    .tuple(
      fc.constantFrom('', '\uFEFF'),
      fc.array(line, { maxLength: 25 }),
      fc.constantFrom('', 'z'),
    )
    .map((all) => all[0] + all[1].join('') + all[2]);

  test('the parts lead from the base to the other, in order and without touching', () => {
    fc.assert(
      fc.property(text, text, (base, now) => {
        const [old, next] = [splitLines(base), splitLines(now)];
        let built: string[] = [];
        let end = 0;
        for (const [index, hunk] of parts(base, now).entries()) {
          expect(hunk.baseStart - end).toBeGreaterThanOrEqual(index === 0 ? 0 : 3);
          built = [...built, ...old.slice(end, hunk.baseStart)];
          expect(built.length).toBe(hunk.newStart);
          built.push(...next.slice(hunk.newStart, hunk.newStart + hunk.newLines));
          end = hunk.baseStart + hunk.baseLines;
        }
        expect([...built, ...old.slice(end)].join('')).toBe(now);
      }),
      { numRuns: 500, seed: 4 },
    );
  });

  test('bytes survive being taken as text and back', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom('', 'fffe', 'feff'),
        (raw, mark) => {
          const whole = new Uint8Array(Buffer.concat([Buffer.from(mark, 'hex'), raw]));
          const found = toByteText(whole);
          expect(found === undefined ? whole : toBytes(found)).toEqual(whole);
        },
      ),
      { numRuns: 500, seed: 4 },
    );
  });
});
