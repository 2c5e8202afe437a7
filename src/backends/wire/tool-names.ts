import { sha256Hex } from '../../base/sha256';
import type { ToolSpec } from '../../core/ports/model-backend';

const longest = 64;

/** Names of tools in the form that every service takes, and back. */
export class ToolNames {
  readonly #toWire = new Map<string, string>();
  readonly #fromWire = new Map<string, string>();

  constructor(tools: readonly ToolSpec[]) {
    // A name that is fit keeps itself, whatever the others become.
    const [fit, others] = [tools.filter(isFit), tools.filter((tool) => !isFit(tool))];
    for (const { name } of [...fit, ...others]) {
      const clean = toFit(name);
      const wire = this.#fromWire.has(clean) ? withHash(clean, name) : clean;
      this.#toWire.set(name, wire);
      this.#fromWire.set(wire, name);
    }
  }

  /** Also for a name that a model has invented. */
  toWire(name: string): string {
    return this.#toWire.get(name) ?? toFit(name);
  }

  fromWire(name: string): string {
    return this.#fromWire.get(name) ?? name;
  }
}

function isFit({ name }: ToolSpec): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name);
}

function toFit(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  const begun = /^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`;
  return begun.length <= longest ? begun : withHash(begun, name);
}

function withHash(clean: string, name: string): string {
  return `${clean.slice(0, longest - 9)}_${sha256Hex(name).slice(0, 8)}`;
}
