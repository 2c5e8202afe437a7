import type { ToolSpec } from '../../core/ports/model-backend';

const longest = 64;

/** Names of functions that every model of the service takes, and the way back. */
export class ToolNames {
  readonly #wire = new Map<string, string>();
  readonly #own = new Map<string, string>();

  constructor(tools: readonly ToolSpec[]) {
    // Names that are fit as they are keep themselves, whatever the others become.
    const fit = tools.filter(({ name }) => isFit(name));
    for (const { name } of [...fit, ...tools.filter((tool) => !fit.includes(tool))]) {
      const wire = this.#free(toFit(name));
      this.#wire.set(name, wire);
      this.#own.set(wire, name);
    }
  }

  /** Also for a name that a model has invented. */
  toWire(name: string): string {
    return this.#wire.get(name) ?? toFit(name);
  }

  fromWire(name: string): string {
    return this.#own.get(name) ?? name;
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#own.has(name); n++) {
      const end = `_${n}`;
      name = wanted.slice(0, longest - end.length) + end;
    }
    return name;
  }
}

function isFit(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name);
}

function toFit(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  return (/^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`).slice(0, longest);
}
