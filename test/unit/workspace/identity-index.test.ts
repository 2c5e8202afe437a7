import { describe, expect, test } from 'vitest';
import { IdentityIndex } from '../../../src/workspace/identity-index';

describe('an index of identities', () => {
  test('tells for each of many paths whether it is what was noted first', () => {
    const index = new IdentityIndex();
    const paths = Array.from({ length: 5000 }, (_no, n) => `pkg${n % 70}/src/file${n}.ts`);
    paths.forEach((path, n) => index.note(path, `${n}:1`));
    paths.forEach((path) => index.note(path, 'later'));
    expect(index.size).toBe(5000);
    const wrong = paths.filter(
      (path, n) => !index.matches(path, `${n}:1`) || index.matches(path, 'later'),
    );
    expect(wrong).toEqual([]);
  });

  test('knows nothing of paths that were never noted', () => {
    const index = new IdentityIndex();
    index.note('a', '1');
    expect([index.has('a'), index.has('b'), index.matches('b', '1')]).toEqual([true, false, false]);
  });
});
