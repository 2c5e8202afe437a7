import type { SecretStorage } from 'vscode';
import type { Secrets } from '../core/ports/secrets';
import type { Memory } from './memory';

/** Keys in the editor's secret storage, under the names of their variables. Nothing else ever holds them. */
export class EditorSecrets implements Secrets {
  readonly #storage: SecretStorage;
  readonly #memory: Memory;

  constructor(storage: SecretStorage, memory: Memory) {
    this.#storage = storage;
    this.#memory = memory;
  }

  async get(name: string): Promise<string | undefined> {
    return this.#storage.get(name);
  }

  placesOf(): readonly string[] {
    return ['the secret storage of the editor'];
  }

  async set(name: string, value: string): Promise<void> {
    await this.#storage.store(name, value);
    await this.#memory.setKeyNames([...this.#memory.keyNames, name]);
  }

  async remove(name: string): Promise<void> {
    await this.#storage.delete(name);
    await this.#memory.setKeyNames(this.#memory.keyNames.filter((known) => known !== name));
  }
}
