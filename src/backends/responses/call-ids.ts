import { sha256Hex } from '../../base/sha256';

/** Ids of calls in one request: at most 64 characters, each once, and results under the id of their call. */
export class CallIds {
  readonly #used = new Set<string>();
  readonly #newest = new Map<string, string>();

  /** An id that stays as the service gave it. */
  keep(id: string): void {
    this.#used.add(id);
    this.#newest.set(id, id);
  }

  /** The id for a call that is written anew. */
  give(id: string): string {
    const short = id !== '' && id.length <= 64 ? id : `call_${sha256Hex(id).slice(0, 24)}`;
    let wire = short;
    for (let n = 2; this.#used.has(wire); n++) {
      wire = `${short.slice(0, 58)}_${n}`;
    }
    this.#used.add(wire);
    this.#newest.set(id, wire);
    return wire;
  }

  /** The id of the newest call that has this one in the conversation. */
  of(id: string): string {
    return this.#newest.get(id) ?? id;
  }
}
