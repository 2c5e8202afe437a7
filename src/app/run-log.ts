import type { RunId } from '../base/ids';
import type { EventLogWriter, EventStore } from '../core/ports/event-store';
import type { RecordedEvent } from '../run/events';

/**
 * The log of a run beyond its end: a review decision opens it for one write, so that a run that is over holds no lock.
 * While the run is live its writer stays open.
 */
export class RunLog implements EventLogWriter {
  readonly #store: EventStore;
  readonly #runId: RunId;
  #writer: EventLogWriter | undefined;
  #isLive: boolean;
  #closing: Promise<void> = Promise.resolve();

  /** `writer`: that of a live run; absent for a stored one. */
  constructor(store: EventStore, runId: RunId, writer?: EventLogWriter) {
    this.#store = store;
    this.#runId = runId;
    this.#writer = writer;
    this.#isLive = writer !== undefined;
  }

  append(events: readonly RecordedEvent[]): void {
    const writer = (this.#writer ??= this.#store.reopen(this.#runId));
    try {
      writer.append(events);
    } finally {
      if (!this.#isLive) {
        this.#release();
      }
    }
  }

  /** What other processes have written behind the event `seq`: nothing while this one holds the log. */
  writtenAfter(seq: number): readonly RecordedEvent[] {
    return this.#isLive ? [] : this.#store.readAfter(this.#runId, seq);
  }

  async close(): Promise<void> {
    this.#isLive = false;
    this.#release();
    await this.#closing;
  }

  #release(): void {
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer !== undefined) {
      this.#closing = Promise.all([this.#closing, writer.close()]).then(() => undefined);
    }
  }
}
