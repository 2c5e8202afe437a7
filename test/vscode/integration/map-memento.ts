import type { Memento } from 'vscode';

/** A memento that lives as long as the test. */
export class MapMemento implements Memento {
  readonly #values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the editor's own signature
  get<T>(key: string): T | undefined;
  get<T>(key: string, defaultValue: T): T;
  get(key: string, defaultValue?: unknown): unknown {
    return this.#values.has(key) ? this.#values.get(key) : defaultValue;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, value);
  }
}
