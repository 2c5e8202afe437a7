// Every key of every kind of backend takes the same way through the product, whatever it is called.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchedSecrets } from '../../../src/app/loaded-secrets';
import { builtInBackends } from '../../../src/backends/registry';
import { keySource } from '../../../src/cli/key-source';
import { EditorSecrets } from '../../../src/extension/editor-secrets';
import { keyNamesOf, knownServices } from '../../../src/app/services-table';
import { Memory } from '../../../src/extension/memory';
import { createRedactor } from '../../../src/logging/redactor';

const kinds = builtInBackends({ recordingsDir: '/nowhere' });
const names = keyNamesOf(kinds);

/** What VS Code gives an extension to remember things in: plain values that it writes to a file of its own. */
class Memento {
  readonly values = new Map<string, unknown>();
  keys(): readonly string[] {
    return [...this.values.keys()];
  }
  get<T>(key: string, fallback?: T): T | undefined {
    const value = this.values.get(key);
    return value === undefined ? fallback : (value as T);
  }
  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
  }
}

class SecretStorage {
  readonly values = new Map<string, string>();
  readonly onDidChange = (): { dispose(): void } => ({ dispose: () => undefined });
  async keys(): Promise<string[]> {
    return [...this.values.keys()];
  }
  async get(key: string): Promise<string | undefined> {
    return this.values.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    this.values.set(key, value);
  }
  async delete(key: string): Promise<void> {
    this.values.delete(key);
  }
}

const valueOf = (name: string): string => `value-of-${name.toLowerCase()}-0123456789`;

describe.each(names)('the key %s', (name) => {
  it('is kept in the secret storage alone, and nothing of it is left when it is removed', async () => {
    const storage = new SecretStorage();
    const [workspace, global] = [new Memento(), new Memento()];
    const memory = new Memory(workspace, global);
    const secrets = new EditorSecrets(storage, memory);

    await secrets.set(name, valueOf(name));
    expect(await secrets.get(name)).toBe(valueOf(name));
    expect(memory.keyNames).toEqual([name]);
    const remembered = JSON.stringify([...workspace.values, ...global.values]);
    expect(remembered).not.toContain(valueOf(name));

    await secrets.remove(name);
    expect(await secrets.get(name)).toBe(undefined);
    expect(memory.keyNames).toEqual([]);
    expect(storage.values.size).toBe(0);
  });

  it('is taken out of everything that is written once it was read', async () => {
    const redactor = createRedactor();
    const source = watchedSecrets({ secrets: { get: async () => valueOf(name) } }, redactor);
    await source.get(name);
    const text = `Authorization: ${valueOf(name)}, ${encodeURIComponent(valueOf(name))}`;
    expect(redactor.redact(text)).not.toContain(valueOf(name));
  });
});

describe('keys in a file of the terminal', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'massgen-keys-'));
    mkdirSync(join(home, '.massgen'));
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  it('are read under every name that a kind looks for', async () => {
    const lines = names.map((name) => `${name}=${valueOf(name)}`);
    writeFileSync(join(home, '.massgen', '.env'), lines.join('\n'));
    const source = keySource({ environment: {}, cwd: join(home, 'nowhere'), home });
    for (const name of names) {
      expect(await source.get(name)).toBe(valueOf(name));
    }
  });
});

describe('each service with a key', () => {
  it.each(knownServices(kinds, Date.UTC(2026, 11, 1)))('$name can be tested with it', (service) => {
    const kind = kinds.find(({ type }) => type === service.type);
    const [keyName] = service.keyNames;
    const [model = ''] = service.models;
    const settings = { type: service.type, model, apiKeyName: keyName, options: {} };
    expect(kind?.hostOf(settings)).toMatch(/\./);
    expect(kind?.refusalOf(settings, 'Test of a key')).toBe(undefined);
  });
});
