import { toError } from './assert';
import { type Disposable, toDisposable } from './disposable';

export type Listener<T> = (value: T) => void;

/**
 * Calls its listeners in order of subscription. A listener added during `fire` sees the next value; one removed during
 * `fire` is not called any more. A listener that throws does not keep the others from being called: the first error is
 * thrown after all ran.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<Listener<T>>();

  on(listener: Listener<T>): Disposable {
    const own: Listener<T> = (value) => {
      listener(value);
    };
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  }

  fire(value: T): void {
    let firstError: unknown;
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) {
        continue;
      }
      try {
        listener(value);
      } catch (error) {
        firstError ??= error;
      }
    }
    if (firstError !== undefined) {
      throw toError(firstError);
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
