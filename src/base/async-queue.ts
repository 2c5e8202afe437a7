/**
 * A queue with one consumer. `push` never blocks; `next` waits for an item. After `close`, items already queued are
 * still delivered, then `next` resolves to `undefined`; pushing to a closed queue is ignored and answers `false`.
 */
export class AsyncQueue<T> {
  readonly #items: T[] = [];
  #waiter: ((item: T | undefined) => void) | undefined;
  #isClosed = false;

  get size(): number {
    return this.#items.length;
  }

  push(item: T): boolean {
    if (this.#isClosed) {
      return false;
    }
    const waiter = this.#waiter;
    if (waiter === undefined) {
      this.#items.push(item);
    } else {
      this.#waiter = undefined;
      waiter(item);
    }
    return true;
  }

  /** The oldest item without waiting, or `undefined` when the queue is empty. */
  take(): T | undefined {
    return this.#items.shift();
  }

  /** Must not be called again before the promise of the call before has settled. */
  async next(): Promise<T | undefined> {
    const item = this.#items.shift();
    if (item !== undefined || this.#isClosed) {
      return item;
    }
    if (this.#waiter !== undefined) {
      throw new Error('the queue has one consumer only');
    }
    return new Promise((resolve) => {
      this.#waiter = resolve;
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#waiter?.(undefined);
    this.#waiter = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const item = await this.next();
      if (item === undefined) {
        return;
      }
      yield item;
    }
  }
}
