import { randomInt } from 'node:crypto';

const smallest = 64;

/**
 * Remembers for each path what it was, in 16 bytes per path and its share of free room: hashes of both, because a project
 * has a hundred thousand paths and nobody ever lists them. The hashes are salted, so that no project can be made to collide.
 */
export class IdentityIndex {
  readonly #salt = randomInt(2 ** 32);
  #keys = new Float64Array(smallest);
  #values = new Float64Array(smallest);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** What was noted first stays. */
  note(path: string, identity: string): void {
    if (this.#count * 2 >= this.#keys.length) {
      this.#grow();
    }
    const key = this.#hash(path);
    const slot = this.#slot(key);
    if (this.#keys[slot] === 0) {
      this.#keys[slot] = key;
      this.#values[slot] = this.#hash(identity);
      this.#count += 1;
    }
  }

  has(path: string): boolean {
    return this.#keys[this.#slot(this.#hash(path))] !== 0;
  }

  /** `false` as well for a path that was never noted. */
  matches(path: string, identity: string): boolean {
    const slot = this.#slot(this.#hash(path));
    return this.#keys[slot] !== 0 && this.#values[slot] === this.#hash(identity);
  }

  /** Where the key is, or the free place for it. */
  #slot(key: number): number {
    const last = this.#keys.length - 1;
    let slot = key % this.#keys.length;
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key) {
      slot = slot === last ? 0 : slot + 1;
    }
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2);
    this.#values = new Float64Array(keys.length * 2);
    for (const [at, key] of keys.entries()) {
      if (key !== 0) {
        const slot = this.#slot(key);
        this.#keys[slot] = key;
        this.#values[slot] = values[at] ?? 0;
      }
    }
  }

  /** 53 bits of the text, never 0. Not for secrets: it only has to keep a project's own paths apart. */
  #hash(text: string): number {
    let high = 0xdeadbeef ^ this.#salt;
    let low = 0x41c6ce57 ^ this.#salt;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return 4294967296 * (low & 0x1fffff) + (high >>> 0) || 1;
  }
}
