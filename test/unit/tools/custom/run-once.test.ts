import { expect, test } from 'vitest';
import { Collected } from '../../../../src/tools/custom/run-once';

test('an output is kept apart from what it came in, and beyond its limit nothing of it', () => {
  const collected = new Collected(3);
  const chunk = new Uint8Array([97, 98, 99, 100]);
  collected.add(chunk);
  chunk.fill(120);
  expect(collected.text()).toBe('abc');
  const taken = (): never => {
    throw new Error('a part of it is kept, and with it all of it');
  };
  collected.add(Object.assign(new Uint8Array(1), { subarray: taken, slice: taken }));
  expect(collected.text()).toBe('abc');
});
