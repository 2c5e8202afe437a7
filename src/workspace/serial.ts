import { raceAbort } from '../base/abort';

/** Runs pieces of work one after the other, in the order they were asked for. A failure does not stop the next. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  /** Work that was still waiting when `signal` aborted never starts; work that started is awaited to its end. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#last;
    let finish = (): void => undefined;
    const own = new Promise<void>((resolve) => {
      finish = resolve;
    });
    this.#last = before.then(() => own);
    try {
      await raceAbort(before, signal);
      signal.throwIfAborted();
      return await work();
    } finally {
      finish();
    }
  }
}
