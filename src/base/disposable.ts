import { toError } from './assert';
/** Something with a synchronous clean-up. `dispose` may be called more than once; later calls do nothing. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(dispose: () => void): Disposable {
  let isDone = false;
  return {
    dispose(): void {
      if (!isDone) {
        isDone = true;
        dispose();
      }
    },
  };
}

/**
 * Owns disposables and ends them in reverse order of registration. Register on the line that creates the thing.
 * Adding to a store that was disposed ends the newcomer at once, so a late callback cannot leak.
 */
export class DisposableStore implements Disposable {
  readonly #items = new Set<Disposable>();
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) {
      item.dispose();
    } else {
      this.#items.add(item);
    }
    return item;
  }

  /** Ends everything even when one clean-up throws; the first error is thrown afterwards. */
  dispose(): void {
    this.#isDisposed = true;
    const items = [...this.#items].reverse();
    this.#items.clear();
    let firstError: unknown;
    for (const item of items) {
      try {
        item.dispose();
      } catch (error) {
        firstError ??= error;
      }
    }
    if (firstError !== undefined) {
      throw toError(firstError);
    }
  }
}
