// Writes server-sent events to a connection, in pieces and at times that the script says.
import type { ServerResponse } from 'node:http';
import type { OpenJournalEntry } from '../fake-model-service/journal';
import type { ServiceClock } from '../fake-model-service/service-clock';

export class EventWriter {
  readonly #response: ServerResponse;
  readonly #entry: OpenJournalEntry;
  readonly #clock: ServiceClock;
  #splitBytes = 0;

  constructor(response: ServerResponse, entry: OpenJournalEntry, clock: ServiceClock) {
    this.#response = response;
    this.#entry = entry;
    this.#clock = clock;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
    });
    response.flushHeaders();
  }

  get isGone(): boolean {
    return this.#response.destroyed;
  }

  /** From here on every write is cut into pieces of so many bytes. */
  split(bytes: number): void {
    this.#splitBytes = bytes;
  }

  async event(name: string | null, data: unknown): Promise<void> {
    const head = name === null ? '' : `event: ${name}\n`;
    await this.raw(`${head}data: ${JSON.stringify(data)}\n\n`);
  }

  async raw(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    const size = this.#splitBytes === 0 ? bytes.length : this.#splitBytes;
    for (let at = 0; at < bytes.length && !this.isGone; at += size) {
      await this.#flushed(bytes.subarray(at, at + size));
    }
    this.#entry.sentAt.push(this.#clock.now());
  }

  /** Resolves when the time has passed or the client has gone. */
  async wait(ms: number): Promise<void> {
    this.#entry.scheduledMs += ms;
    if (this.isGone) {
      return;
    }
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        this.#response.off('close', end);
        resolve();
      };
      const cancel = this.#clock.at(this.#clock.now() + ms, end);
      this.#response.once('close', end);
    });
  }

  async untilGone(): Promise<void> {
    if (!this.isGone) {
      await new Promise<void>((resolve) => this.#response.once('close', resolve));
    }
  }

  end(outcome: 'complete' | 'cut'): void {
    if (!this.isGone) {
      this.#entry.outcome = outcome;
    }
    this.#response.end();
  }

  break(): void {
    this.#entry.outcome = 'cut';
    this.#response.destroy();
  }

  /** Resolves as well when the client goes: what is written to a broken connection is never called back. */
  async #flushed(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#response.once('close', resolve);
      this.#response.write(bytes, () => {
        this.#response.off('close', resolve);
        resolve();
      });
    });
  }
}
