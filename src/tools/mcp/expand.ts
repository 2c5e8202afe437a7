// Variables and the places of the editor in the texts of a server, filled in at the moment of use.
import { fillReferences, referencesIn, type VariableReference } from '../../base/variables';
import { MassGenError } from '../../core/errors';
import type { Secrets } from '../../core/ports/secrets';

export interface Places {
  /** What `${workspaceFolder}` stands for. */
  readonly workspaceFolder: string;
  /** What `${userHome}` and a `~` at the beginning stand for. */
  readonly userHome: string;
  /** What `${cwd}` stands for: the agent's own folder. */
  readonly cwd: string;
}

/** Fills in texts; throws `config/missing-secret`, whose message has the name of the variable and never a value. */
export class Expander {
  readonly #secrets: Secrets;
  readonly #places: Readonly<Record<string, string>>;

  constructor(secrets: Secrets, { workspaceFolder, userHome, cwd }: Places) {
    this.#secrets = secrets;
    this.#places = { workspaceFolder, workspaceRoot: workspaceFolder, userHome, cwd };
  }

  /** Variables and places, and a `~` at the beginning. */
  async text(text: string): Promise<string> {
    const filled = await this.variables(text);
    const home = this.#places['userHome'] ?? '';
    return /^~(?=\/|$)/.test(text) ? `${home}${filled.slice(1)}` : filled;
  }

  async variables(text: string): Promise<string> {
    const values = new Map<string, string>();
    for (const reference of referencesIn(text)) {
      values.set(keyOf(reference), await this.#value(reference));
    }
    return fillReferences(text, (reference) => values.get(keyOf(reference)));
  }

  async texts(texts: readonly string[]): Promise<readonly string[]> {
    return Promise.all(texts.map((text) => this.text(text)));
  }

  async members(of: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    const filled = Object.entries(of).map(
      async ([name, text]) => [name, await this.text(text)] as const,
    );
    return Object.fromEntries(await Promise.all(filled));
  }

  async #value({ name, instead }: VariableReference): Promise<string> {
    const place = Object.hasOwn(this.#places, name) ? this.#places[name] : undefined;
    const found = place ?? (await this.#secrets.get(name));
    const value = found === undefined || found === '' ? instead : found;
    if (value === undefined) {
      throw new MassGenError('config/missing-secret', `The variable ${name} is not set.`, {
        hint: `Set the key ${name}.`,
      });
    }
    return value;
  }
}

function keyOf({ name, instead }: VariableReference): string {
  return JSON.stringify([name, instead]);
}
