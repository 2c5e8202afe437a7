import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

const SOURCES: Record<string, string> = {
  'src/extension/activate.ts': `
    import { Refusal } from '../core/errors';
    export const early = 'loaded at once';
    export async function ask(): Promise<boolean> {
      const { refuse } = await import('../backends/service.lazy');
      try { refuse(); } catch (error) { return error instanceof Refusal; }
      return false;
    }`,
  'src/core/errors.ts': `export class Refusal extends Error {}`,
  'src/backends/service.lazy.ts': `
    import { Refusal } from '../core/errors';
    (globalThis as { serviceLoaded?: boolean }).serviceLoaded = true;
    export function refuse(): never { throw new Refusal('no'); }`,
  'src/cli/main.ts': `console.log('hello');`,
  'src/api/contract.ts': `export interface Facts { readonly name: string }`,
  'src/api/event-contract.ts': `
    import type { Facts } from './contract';
    export interface Event extends Facts { readonly at: number }`,
  'src/api/run-contract.ts': `
    import type { Event } from './event-contract';
    export interface Run { readonly events: readonly Event[] }`,
  'src/api/api.ts': `
    import type { Run } from './run-contract';
    export function run(): Run { return { events: [{ name: 'hello', at: 1 }] }; }`,
  'webview/main.tsx': `import './main.css'; document.title = 'panel';`,
  'webview/file/viewer.ts': `document.title = 'viewer';`,
  'webview/main.css': `body { color: red; }`,
};

let tree = '';

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'massgen-bundles-'));
  for (const name of ['esbuild.mjs', 'scripts', 'package-lock.json']) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const [name, text] of Object.entries(SOURCES)) put(name, text);
});

afterAll(() => {
  rmSync(tree, { recursive: true, force: true });
});

function put(name: string, text: string): void {
  mkdirSync(dirname(join(tree, name)), { recursive: true });
  writeFileSync(join(tree, name), text);
}

function build(...args: string[]): void {
  execFileSync(process.execPath, ['esbuild.mjs', ...args], { cwd: tree, stdio: 'pipe' });
}

describe.each([
  ['a development build', []],
  ['a production build', ['--production']],
] as const)('%s', (_name, args) => {
  it('loads a lazy module at its first use, and shares classes with it', async () => {
    build(...args);
    const seen = globalThis as { serviceLoaded?: boolean };
    delete seen.serviceLoaded;
    const load = createRequire(join(tree, 'dist', 'x.js'));
    for (const name of Object.keys(load.cache)) {
      if (name.startsWith(tree)) Reflect.deleteProperty(load.cache, name);
    }
    const extension = load('./extension.js') as { early: string; ask: () => Promise<boolean> };
    expect([extension.early, seen.serviceLoaded]).toEqual(['loaded at once', undefined]);
    expect([await extension.ask(), seen.serviceLoaded]).toEqual([true, true]);
  });

  it('has a command line that runs by itself', () => {
    build(...args);
    const output = execFileSync(process.execPath, [join(tree, 'dist/cli.js')], {
      encoding: 'utf8',
    });
    expect(output).toBe('hello\n');
  });
});

describe('the interface for programs', () => {
  it('is there for both kinds of modules, with types that import nothing', () => {
    build();
    const program = `import { run } from './dist/api.mjs';
      import { createRequire } from 'node:module';
      console.log(run().events[0].name, createRequire(import.meta.url)('./dist/api.js').run === run);`;
    put('program.mjs', program);
    const output = execFileSync(process.execPath, [join(tree, 'program.mjs')], {
      encoding: 'utf8',
    });
    expect(output).toBe('hello true\n');
    const types = readFileSync(join(tree, 'dist/api.d.ts'), 'utf8');
    expect(types).toContain('export declare function run(): Run;');
    expect(types).not.toMatch(/^import|from '/m);
    expect(readFileSync(join(tree, 'dist/api.d.mts'), 'utf8')).toBe(types);
  });
});

describe('a build', () => {
  it('removes the chunks of the build before it', () => {
    build();
    const before = readdirSync(join(tree, 'dist/lazy'));
    put('src/core/errors.ts', `export class Refusal extends Error { readonly changed = true; }`);
    build();
    const after = readdirSync(join(tree, 'dist/lazy'));
    expect(after).toHaveLength(before.length);
    expect(after).not.toEqual(before);
  });

  it('fails and names the entry that is missing', () => {
    rmSync(join(tree, 'src/cli/main.ts'));
    expect(() => {
      build();
    }).toThrow(/there is no src\/cli\/main\.ts/);
    put('src/cli/main.ts', SOURCES['src/cli/main.ts'] ?? '');
  });
});
