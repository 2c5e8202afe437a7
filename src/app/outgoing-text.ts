// Takes out of texts what must not leave the machine with a run: secrets, and where the user's home is.
import { homedir } from 'node:os';
import type { Services } from './services';

export type OutgoingServices = Pick<Services, 'redactor' | 'secrets'>;

const mark = '[secret removed]';

/** `count`: places at which something was taken out. */
export function outgoing(
  { redactor }: Pick<Services, 'redactor'>,
  before: string,
  homes: readonly string[] = homeForms(),
): { readonly text: string; readonly count: number } {
  const secretless = redactor.redact(before);
  const secrets = secretless.split(mark).length - before.split(mark).length;
  let text = secretless;
  let found = 0;
  for (const home of homes) {
    const parts = text.split(home);
    found += parts.length - 1;
    text = parts.join('~');
  }
  return { text, count: Math.max(0, secrets) + found };
}

/** As it is, and as it stands in JSON; longer ones first. */
export function homeForms(): readonly string[] {
  const home = homedir();
  const forms = new Set([JSON.stringify(home).slice(1, -1), home]);
  return [...forms].filter((form) => form.length > 1);
}

const nameOfKey = /\b[A-Z][A-Z0-9_]{2,60}(?:KEY|TOKEN|SECRET|PASSWORD)\b/g;
const mostNames = 200;

/** Names of keys in texts; each is looked up once, so that its value is known wherever it stands. */
export class NamedKeys {
  readonly #names = new Set<string>();

  get isFull(): boolean {
    return this.#names.size >= mostNames;
  }

  addFrom(text: string): void {
    for (const [name] of text.matchAll(nameOfKey)) {
      this.#names.add(name);
    }
  }

  async learn({ secrets }: OutgoingServices): Promise<void> {
    for (const name of [...this.#names].slice(0, mostNames)) {
      await secrets.get(name);
    }
  }
}
