export type Json = Readonly<Record<string, unknown>>;

/** Parts by their content: many kinds of backend have the same keys, and a backend stands in several places. */
export class Shared {
  readonly #names = new Map<string, string>();
  readonly #parts = new Map<string, Json>();

  ref(wanted: string, part: Json): Json {
    const content = JSON.stringify(part);
    const known = this.#names.get(content);
    const name = known ?? this.#free(wanted);
    if (known === undefined) {
      this.#names.set(content, name);
      this.#parts.set(name, part);
    }
    return { $ref: `#/definitions/${name}` };
  }

  definitions(): Json {
    return Object.fromEntries(this.#parts);
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#parts.has(name); n++) {
      name = `${wanted}_${n}`;
    }
    return name;
  }
}
