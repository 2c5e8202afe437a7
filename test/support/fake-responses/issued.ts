// What the service has written, for it to be recognized when it comes back.
import { createHash } from 'node:crypto';

type JsonObject = Readonly<Record<string, unknown>>;

/** Everything that one service has answered so far. */
export class IssuedItems {
  /** Encrypted content by the id of its thought. */
  readonly #encrypted = new Map<string, string>();
  /** The thoughts that an item followed, by its id. */
  readonly #thoughts = new Map<string, readonly string[]>();
  #count = 0;

  /** A new id that begins with this prefix. */
  newId(prefix: string): string {
    this.#count++;
    return `${prefix}_${createHash('sha256').update(`${prefix} ${this.#count}`).digest('hex').slice(0, 32)}`;
  }

  encrypt(id: string, text: string): string {
    const content = `gAAAA${createHash('sha256').update(`${id} ${text}`).digest('base64')}`;
    this.#encrypted.set(id, content);
    return content;
  }

  /** Notes which thoughts led to each item of an answer. */
  note(items: readonly JsonObject[]): void {
    let thoughts: string[] = [];
    let isRun = false;
    for (const item of items) {
      const id = String(item['id']);
      if (item['type'] === 'reasoning') {
        thoughts = isRun ? [...thoughts, id] : [id];
        isRun = true;
      } else {
        // Each of several calls that a thought led to asks for it.
        this.#thoughts.set(id, thoughts);
        isRun = false;
      }
    }
  }

  isDamaged(item: JsonObject): boolean {
    const content = item['encrypted_content'];
    return typeof content !== 'string' || this.#encrypted.get(String(item['id'])) !== content;
  }

  /** Thoughts without which this item is not taken back. */
  thoughtsBefore(id: string): readonly string[] {
    return this.#thoughts.get(id) ?? [];
  }
}
