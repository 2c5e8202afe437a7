import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installNpmPackage, type NpmPackage, runIn } from './npm-package';

const root = resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
};

let installed: NpmPackage;
beforeAll(() => {
  installed = installNpmPackage();
}, 240_000);
afterAll(() => installed.remove());

/** What may be in the package. */
const ALLOWED = [
  /^dist\/(webview|viewer)\.(js|css)$/,
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/(api\.(js|mjs|d\.ts|d\.mts)|cli\.js|extension\.js|THIRD_PARTY_NOTICES\.txt)$/,
  /^dist\/lazy\/[\w.-]+\.js$/,
  /^media\/massgen\.schema\.json$/,
  /^media\/offline\/[\w.-]+\.(json|jsonl)$/,
  /^media\/sample-project\/([\w-]+\/)*[\w.-]+\.(js|mjs|json|md)$/,
  /^media\/schemas\/[\w-]+\.schema\.json$/,
  /^configs\/([\w-]+\/)*[\w.-]+\.(ya?ml|md)$/,
];

const REQUIRED = [
  ...['package.json', 'README.md', 'LICENSE', 'dist/api.js', 'dist/api.mjs', 'dist/api.d.ts'],
  ...['dist/webview.js', 'dist/webview.css', 'dist/viewer.js', 'dist/viewer.css'],
  ...['dist/api.d.mts', 'dist/cli.js', 'dist/THIRD_PARTY_NOTICES.txt', 'configs/offline.yaml'],
];

/** Blocks of README.md that are programs. */
function examples(): readonly string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
}

describe('the npm package', () => {
  it('holds what it needs and nothing that is not on the list', () => {
    const strays = installed.files.filter((file) => !ALLOWED.some((rule) => rule.test(file)));
    expect(strays).toEqual([]);
    expect(installed.files).toEqual(expect.arrayContaining(REQUIRED));
  });

  it('is at most 2 MB', () => {
    process.stdout.write(`The npm package has ${installed.bytes} bytes.\n`);
    expect(installed.bytes).toBeLessThanOrEqual(2_000_000);
  });

  it('brings no other package', () => {
    const names = readdirSync(join(installed.folder, 'node_modules'));
    expect(names.filter((name) => !name.startsWith('.'))).toEqual(['massgen']);
  });

  it('has the command', () => {
    expect(runIn(installed, 'npx', '--no', '--', 'massgen', '--version')).toMatchObject({
      code: 0,
      output: `${version}\n`,
    });
    const help = runIn(installed, 'npx', '--no', '--', 'massgen', '--help');
    expect(help).toMatchObject({ code: 0, notes: '' });
    expect(help.output).toContain('massgen');
  });

  it('plays the demonstration from an empty folder', () => {
    const { code, output } = runIn(installed, 'npx', '--no', '--', 'massgen');
    expect(code).toBe(0);
    expect(output).toContain('Proposed changes');
  }, 240_000);
});

describe('the package in a program', () => {
  it.each([
    ['m.mjs', `import { apiVersion, buildConfig, run, RunError } from 'massgen';`],
    ['c.cjs', `const { apiVersion, buildConfig, run, RunError } = require('massgen');`],
  ])('is loaded by %s and leaves nothing behind', (name, statement) => {
    const program = `${statement}
      const failed = run('x', { config: { agents: [] }, enableLogging: false }).catch((error) => error);
      Promise.all([failed, buildConfig({ model: 'gpt-5.4' })]).then(([error, { text }]) =>
        console.log(apiVersion, error instanceof RunError, error.code, text.includes('gpt-5.4')));`;
    writeFileSync(join(installed.folder, name), program);
    expect(runIn(installed, process.execPath, name)).toEqual({
      code: 0,
      output: '1 true config/invalid true\n',
      notes: '',
    });
  });

  it('is one implementation for both kinds of modules', () => {
    const program = `import { RunError } from 'massgen';
      import { createRequire } from 'node:module';
      console.log(createRequire(import.meta.url)('massgen').RunError === RunError);`;
    writeFileSync(join(installed.folder, 'both.mjs'), program);
    expect(runIn(installed, process.execPath, 'both.mjs').output).toBe('true\n');
  });

  it.each([
    ['node16', 'node16', ['mts', 'cts']],
    ['nodenext', 'nodenext', ['mts', 'cts']],
    ['esnext', 'bundler', ['ts']],
  ])('has types under module %s and resolution %s for %s', (module, moduleResolution, endings) => {
    const text = `import { run, buildConfig, RunError, apiVersion, type RunEvent, type RunResult } from 'massgen';
       const version: 1 = apiVersion;
       const running = run('x', { models: ['a', 'b'], limits: { costUsd: null } });
       export const costs: Promise<number> = running.then((result: RunResult) => result.costUsd);
       export async function labels(events: AsyncIterable<RunEvent>): Promise<string[]> {
         const found: string[] = [];
         for await (const event of events) if (event.type === 'vote') found.push(event.label);
         return found;
       }
       void labels(running);
       void buildConfig({ model: 'a', numAgents: version }).then(({ text }) => text.length);
       export const isError = (error: unknown): boolean => error instanceof RunError && error.code === '';
       // @ts-expect-error: there is no such option
       void run('x', { modles: [] });
       // @ts-expect-error: a result is not changed
       void running.then((result) => { result.finalAnswer = ''; });
      `;
    const names = endings.map((ending) => `types-${module}.${ending}`);
    names.forEach((name) => writeFileSync(join(installed.folder, name), text));
    expect(typesOf(names, { module, moduleResolution })).toBe('');
  });

  it('is used in the documentation as it is', () => {
    const names = examples().map((text, i) => {
      const name = `example-${i}.mts`;
      writeFileSync(join(installed.folder, name), text);
      return name;
    });
    expect(names.length).toBeGreaterThanOrEqual(2);
    expect(typesOf(names, { module: 'nodenext', moduleResolution: 'nodenext' })).toBe('');
  });

  it('does what the first example of the documentation says', () => {
    const [text = ''] = examples();
    const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'node20' });
    writeFileSync(join(installed.folder, 'example.mjs'), code);
    const { output, notes, ...rest } = runIn(installed, process.execPath, 'example.mjs');
    expect({ notes, code: rest.code }).toEqual({ notes: '', code: 0 });
    expect(output).toMatch(/^(first|second|third) votes for agent\d\.\d$/m);
    expect(output).toContain('completed rule');
    const file = join(installed.folder, 'sample', 'src', 'duration.js');
    const original = join(root, 'media', 'sample-project', 'src', 'duration.js');
    expect(readFileSync(file, 'utf8')).not.toBe(readFileSync(original, 'utf8'));
  }, 240_000);
});

/** What the compiler has to say; nothing of this project but its compiler and the types of Node takes part. */
function typesOf(
  names: readonly string[],
  options: { readonly module: string; readonly moduleResolution: string },
): string {
  const types = join(installed.folder, 'node-types');
  linkOnce(join(root, 'node_modules/@types'), types);
  linkOnce(
    join(root, 'node_modules/undici-types'),
    join(installed.folder, 'node_modules', 'undici-types'),
  );
  const config = `tsconfig-${names[0] ?? ''}.json`;
  writeFileSync(
    join(installed.folder, config),
    JSON.stringify({
      compilerOptions: {
        ...options,
        ...{ strict: true, noEmit: true, target: 'es2022', lib: ['es2023'] },
        ...{ types: ['node'], typeRoots: [types], exactOptionalPropertyTypes: true },
      },
      files: names,
    }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { output } = runIn(installed, process.execPath, tsc, '-p', config, '--pretty', 'false');
  return output;
}

function linkOnce(target: string, path: string): void {
  try {
    symlinkSync(target, path);
  } catch {
    // Another test has made it.
  }
}
