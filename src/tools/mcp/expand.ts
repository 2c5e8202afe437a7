// `${NAME}`, `${env:NAME}` and the places of the editor in the texts of a server, filled in at the moment of use.
import { MassGenError } from '../../core/errors';
import type { Secrets } from '../../core/ports/secrets';

export interface Places {
  /** What `${workspaceFolder}` stands for. */
  readonly workspaceFolder: string;
  /** What `${userHome}` and a `~` at the beginning stand for. */
  readonly userHome: string;
}

const reference = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Fills in texts; throws `config/missing-secret`, whose message has the name of the variable and never a value. */
export class Expander {
  readonly #secrets: Secrets;
  readonly #places: Readonly<Record<string, string>>;

  constructor(secrets: Secrets, { workspaceFolder, userHome }: Places) {
    this.#secrets = secrets;
    this.#places = { workspaceFolder, workspaceRoot: workspaceFolder, userHome };
  }

  /** Variables and places, and a `~` at the beginning. */
  async text(text: string): Promise<string> {
    const filled = await this.variables(text);
    const home = this.#places['userHome'] ?? '';
    return /^~(?=\/|$)/.test(text) ? `${home}${filled.slice(1)}` : filled;
  }

  async variables(text: string): Promise<string> {
    const names = [...text.matchAll(reference)].flatMap(([, name]) => name ?? []);
    const values = new Map<string, string>();
    for (const name of new Set(names)) {
      values.set(name, await this.#value(name));
    }
    return text.replaceAll(reference, (_whole, name: string) => values.get(name) ?? '');
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

  async #value(name: string): Promise<string> {
    const place = Object.hasOwn(this.#places, name) ? this.#places[name] : undefined;
    const value = place ?? (await this.#secrets.get(name));
    if (value === undefined || value === '') {
      throw new MassGenError('config/missing-secret', `The variable ${name} is not set.`, {
        hint: `Set the key ${name}.`,
      });
    }
    return value;
  }
}
