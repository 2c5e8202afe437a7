/** Ids of calls that the service takes: of few characters, and each only once in a whole request. */
export class WireIds {
  readonly #used = new Set<string>();

  /** `wanted`, or something like it when it is taken or has characters that are not allowed. */
  claim(wanted: string): string {
    const clean = wanted.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'call';
    let id = clean;
    for (let n = 2; this.#used.has(id); n++) {
      id = `${clean}_${n}`;
    }
    this.#used.add(id);
    return id;
  }
}
