import type { RunEvent } from './event-contract';

/**
 * Everything that has happened in one run, for any number of readers. Each reader begins with the first event and goes at
 * its own pace; writing never waits.
 */
export class EventFeed implements AsyncIterable<RunEvent> {
  readonly #events: RunEvent[] = [];
  #wake: (() => void)[] = [];
  #end: { readonly error?: unknown } | undefined;

  push(events: readonly RunEvent[]): void {
    this.#events.push(...events);
    this.#wakeAll();
  }

  /** Readers come to their end, or to `error`, once they have seen all that was pushed before. */
  close(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wakeAll();
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    waiting.forEach((wake) => wake());
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void> {
    for (let i = 0; ; i++) {
      while (i >= this.#events.length) {
        if (this.#end !== undefined) {
          this.#throwError();
          return;
        }
        await new Promise<void>((wake) => this.#wake.push(wake));
      }
      const event = this.#events[i];
      if (event !== undefined) {
        yield event;
      }
    }
  }

  #throwError(): void {
    if (this.#end !== undefined && 'error' in this.#end) {
      throw this.#end.error;
    }
  }
}
