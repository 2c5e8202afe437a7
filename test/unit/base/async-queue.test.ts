import { describe, expect, it } from 'vitest';
import { AsyncQueue } from '../../../src/base/async-queue';

describe('AsyncQueue', () => {
  it('hands items over in order, to a waiter or from the store', async () => {
    const queue = new AsyncQueue<number>();
    const waiting = queue.next();
    queue.push(1);
    queue.push(2);
    queue.push(3);

    expect([await waiting, await queue.next(), queue.take(), queue.take()]).toEqual([
      1,
      2,
      3,
      undefined,
    ]);
  });

  it('delivers what is queued after it was closed, then ends, and refuses more', async () => {
    const queue = new AsyncQueue<string>();
    queue.push('kept');
    queue.close();
    const wasTaken = queue.push('too late');
    const seen: string[] = [];
    for await (const item of queue) {
      seen.push(item);
    }

    expect({ wasTaken, seen }).toEqual({ wasTaken: false, seen: ['kept'] });
  });

  it('wakes a waiter when it is closed', async () => {
    const queue = new AsyncQueue<string>();
    const waiting = queue.next();
    queue.close();

    await expect(waiting).resolves.toBeUndefined();
  });

  it('refuses a second consumer', async () => {
    const queue = new AsyncQueue<string>();
    const first = queue.next();

    await expect(queue.next()).rejects.toThrow('one consumer');
    queue.close();
    await first;
  });
});
