import { expect, test } from 'vitest';
import { Places } from '../../../../src/workspace/checks/places';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function work(name: string, log: string[]): { run(): Promise<void>; end(): void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return {
    async run(): Promise<void> {
      log.push(name);
      await ended;
    },
    end: () => end(),
  };
}

test('places are given in the order of asking, and whoever left is passed over', async () => {
  const places = new Places(1);
  const log: string[] = [];
  const [first, second, third] = ['first', 'second', 'third'].map((name) => work(name, log));
  if (first === undefined || second === undefined || third === undefined) {
    throw new Error('three were made');
  }
  const stop = new AbortController();
  const running = places.run(() => first.run(), never);
  const leaving = places.run(() => second.run(), stop.signal);
  const last = places.run(() => third.run(), never);
  stop.abort(new Error('left'));
  await expect(leaving).rejects.toThrow('left');
  first.end();
  third.end();
  await Promise.all([running, last]);
  expect(log).toEqual(['first', 'third']);
});

test('a place is free again when its work failed, and nobody gets one with a signal that has ended', async () => {
  const places = new Places(0);
  const failing = places.run(async () => Promise.reject(new Error('failed')), never);
  await expect(failing).rejects.toThrow('failed');
  await expect(places.run(async () => 'done', never)).resolves.toBe('done');
  const late = places.run(async () => 'late', AbortSignal.abort(new Error('over')));
  await expect(late).rejects.toThrow('over');
});
