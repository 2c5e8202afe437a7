import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json';
import { decodeManifest, encodeManifest } from '../../../src/workspace/manifest';
import type { Manifest, ManifestEntry } from '../../../src/workspace/manifest';
import { bytes } from './temp-project';

const file = { kind: 'file', sha256: 'a'.repeat(64), sizeBytes: 3, mode: 0o644 } as const;
const entry: ManifestEntry = { now: file, base: null };

describe('a manifest', () => {
  test('has the same id whatever the order of its parts, and reads back as it was', () => {
    const one: Manifest = new Map([
      [
        'proj',
        new Map<string, ManifestEntry>([
          ['b', entry],
          ['__proto__', { now: { kind: 'deleted' }, base: file }],
        ]),
      ],
      [
        'workspace',
        new Map([['n', { now: { kind: 'link', target: 'x' }, base: { kind: 'unknown' } }]]),
      ],
    ]);
    const two: Manifest = new Map(
      [...one].reverse().map(([root, paths]) => [root, new Map([...paths].reverse())]),
    );
    expect(encodeManifest(two).id).toBe(encodeManifest(one).id);
    const read = decodeManifest(encodeManifest(one).bytes);
    expect(read.get('proj')?.get('__proto__')).toEqual({ now: { kind: 'deleted' }, base: file });
    expect(encodeManifest(read).id).toBe(encodeManifest(one).id);
  });

  test('without changes does not depend on the names of its roots', () => {
    expect(encodeManifest(new Map([['a', new Map()]])).id).toBe(encodeManifest(new Map()).id);
  });

  test.each(['../evil', '/etc/passwd', 'a/../b', 'a//b', '', './a', 'C:/x', 'a\0b', 'a/..'])(
    'refuses the path %j on writing and on reading',
    (path) => {
      expect(() => encodeManifest(new Map([['proj', new Map([[path, entry]])]]))).toThrow(
        'not a relative path',
      );
      const stored = canonicalJson({ v: 1, roots: { proj: { [path]: entry } } });
      expect(() => decodeManifest(bytes(stored))).toThrow('not a relative path');
    },
  );

  test.each([
    'no json',
    '[]',
    '{"v":2,"roots":{}}',
    '{"v":1,"roots":{"proj":[]}}',
    '{"v":1,"roots":{"proj":{"a":{"now":{"kind":"device"},"base":null}}}}',
    '{"v":1,"roots":{"proj":{"a":{"now":{"kind":"file","sha256":"xyz","sizeBytes":1,"mode":1},"base":null}}}}',
    '{"v":1,"roots":{"proj":{"a":{"now":{"kind":"deleted"}}}}}',
  ])('is refused when it is damaged: %s', (stored) => {
    expect(() => decodeManifest(bytes(stored))).toThrow('stored snapshot');
  });

  const storedWith = (...paths: readonly string[]): Uint8Array => {
    const entries = Object.fromEntries(paths.map((path) => [path, entry]));
    return bytes(canonicalJson({ v: 1, roots: { proj: entries } }));
  };

  test.each([
    '..\\evil',
    '\\\\srv\\share\\x',
    'a\\b',
    'aux.txt',
    'src/NUL',
    'a:stream',
    'x./a',
    'C:x',
  ])('refuses the path %j where Windows would read it as another place', (path) => {
    expect(() => decodeManifest(storedWith(path), 'win32')).toThrow('not a relative path');
    const manifest: Manifest = new Map([['proj', new Map([[path, entry]])]]);
    expect(() => encodeManifest(manifest, 'win32')).toThrow('not a relative path');
  });

  test.each([
    ['README.md', 'readme.md'],
    ['caf\u00e9', 'cafe\u0301'],
  ])('refuses %j beside %j where both are one file, and keeps both elsewhere', (one, two) => {
    for (const platform of ['win32', 'darwin'] as const) {
      expect(() => decodeManifest(storedWith(one, two), platform)).toThrow('there twice');
    }
    expect([...(decodeManifest(storedWith(one, two), 'linux').get('proj') ?? [])].length).toBe(2);
  });

  test('takes a name that only changes its case', () => {
    const manifest: Manifest = new Map([
      [
        'proj',
        new Map<string, ManifestEntry>([
          ['Readme.md', { now: { kind: 'deleted' }, base: file }],
          ['README.md', entry],
        ]),
      ],
    ]);
    const { bytes: stored } = encodeManifest(manifest, 'darwin');
    expect([...(decodeManifest(stored, 'win32').get('proj') ?? [])].length).toBe(2);
  });

  test('keeps empty folders with their modes, and reads what was stored before there were any', () => {
    const stored = storedWith('a');
    expect(decodeManifest(stored).get('proj')?.get('a')).toEqual(entry);
    const manifest: Manifest = new Map([
      ['proj', new Map([['e', { now: { kind: 'folder', mode: 0o700 }, base: null }]])],
    ]);
    expect(decodeManifest(encodeManifest(manifest).bytes)).toEqual(manifest);
  });

  test('gives no set-uid bit', () => {
    const stored = canonicalJson({
      v: 1,
      roots: { p: { a: { now: { ...file, mode: 0o4755 }, base: null } } },
    });
    expect(decodeManifest(bytes(stored)).get('p')?.get('a')?.now).toEqual({ ...file, mode: 0o755 });
  });
});
