import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedPart } from '../../../../src/extension/review/changed-part';

const text = fc
  .array(fc.constantFrom('\n', 'a', 'b', 'a\n', '\r\n', '日', '😀', ''), { maxLength: 12 })
  .map((pieces) => pieces.join(''));

test('a replacement gives the new text, and begins and ends with whole lines of the old one', () => {
  fc.assert(
    fc.property(text, text, (old, now) => {
      const part = changedPart(old, now);
      if (part === undefined) {
        expect(now).toBe(old);
        return;
      }
      expect(old.slice(0, part.start) + part.text + old.slice(part.end)).toBe(now);
      for (const place of [part.start, part.end]) {
        expect(place === 0 || place === old.length || old[place - 1] === '\n').toBe(true);
      }
    }),
    { seed: 7, numRuns: 3000 },
  );
});

test('a header before a blank first line comes in whole', () => {
  expect(changedPart('\nbody\n', '// header\nbody\n')).toEqual({
    start: 0,
    end: 1,
    text: '// header\n',
  });
});

test('lines that did not change stay out of the replacement', () => {
  expect(changedPart('one\ntwo\nthree\n', 'one\nTWO\nthree\n')).toEqual({
    start: 4,
    end: 8,
    text: 'TWO\n',
  });
});
