import { sha256Hex } from '../../base/sha256';

/** Names of tools in the form that the service takes, and back. */
export class ToolNames {
  readonly #toWire = new Map<string, string>();
  readonly #fromWire = new Map<string, string>();

  constructor(names: readonly string[]) {
    for (const name of names) {
      const clean = cleanName(name);
      const wire = this.#fromWire.has(clean) ? `${clean.slice(0, 55)}_${hashOf(name)}` : clean;
      this.#toWire.set(name, wire);
      this.#fromWire.set(wire, name);
    }
  }

  /** A model may have invented the name, or have had the tool earlier. */
  toWire(name: string): string {
    return this.#toWire.get(name) ?? cleanName(name);
  }

  fromWire(name: string): string {
    return this.#fromWire.get(name) ?? name;
  }
}

function cleanName(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  const begun = /^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`;
  return begun.length <= 64 ? begun : `${begun.slice(0, 55)}_${hashOf(name)}`;
}

function hashOf(name: string): string {
  return sha256Hex(name).slice(0, 8);
}
