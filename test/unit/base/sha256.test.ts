import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json';
import { parseLabel, toLabel } from '../../../src/base/ids';
import { sha256Hex } from '../../../src/base/sha256';

describe('sha256Hex', () => {
  it('equals the platform for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(sha256Hex(text)).toBe(createHash('sha256').update(text).digest('hex'));
      }),
      { seed: 11 },
    );
  });
});

describe('canonicalJson', () => {
  it('does not depend on the order of keys and leaves undefined members out', () => {
    const a = canonicalJson({ b: [1, { d: null, c: true }], a: 'x', gone: undefined });
    const b = canonicalJson({ a: 'x', b: [1, { c: true, d: null }] });

    expect([a, a === b]).toEqual(['{"a":"x","b":[1,{"c":true,"d":null}]}', true]);
  });

  it('reads back as the same data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed: 11 },
    );
  });

  it.each([[Number.NaN], [Infinity], [1n], [() => 1]])(
    'refuses what JSON cannot carry',
    (value) => {
      expect(() => canonicalJson(value)).toThrow('has no JSON form');
    },
  );
});

describe('labels', () => {
  it.each([
    ['agent2', { slot: 2, n: undefined }],
    [' Agent12.3 ', { slot: 12, n: 3 }],
    ['agent2.', undefined],
    ['agentx', undefined],
    ['2.1', undefined],
  ])('%j reads as %j', (text, expected) => {
    expect(parseLabel(text)).toEqual(expected);
  });

  it('reads what it writes', () => {
    expect(parseLabel(toLabel(7, 2))).toEqual({ slot: 7, n: 2 });
  });
});
