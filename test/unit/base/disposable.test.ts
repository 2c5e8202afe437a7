import { describe, expect, it } from 'vitest';
import { DisposableStore, toDisposable } from '../../../src/base/disposable';

describe('DisposableStore', () => {
  it('ends its items once, the newest first', () => {
    const ended: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => ended.push('first')));
    store.add(toDisposable(() => ended.push('second')));

    store.dispose();
    store.dispose();

    expect(ended).toEqual(['second', 'first']);
  });

  it('ends an item at once that is added after the store ended', () => {
    let isEnded = false;
    const store = new DisposableStore();
    store.dispose();

    store.add(toDisposable(() => (isEnded = true)));

    expect(isEnded).toBe(true);
  });

  it('ends the rest when one clean-up throws, and reports the first error', () => {
    const ended: string[] = [];
    const store = new DisposableStore();
    store.add(toDisposable(() => ended.push('first')));
    store.add({
      dispose: () => {
        throw new Error('broken clean-up');
      },
    });

    expect(() => {
      store.dispose();
    }).toThrow('broken clean-up');
    expect(ended).toEqual(['first']);
  });
});
