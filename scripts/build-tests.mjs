// Bundles the integration suite for the extension host: dist-test/integration/*.js (CommonJS).
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** Returns the path of the suite's entry as VS Code wants it, without `.js`. */
export async function buildIntegrationTests() {
  const source = join(root, 'test', 'vscode', 'integration');
  const outdir = join(root, 'dist-test', 'integration');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: readdirSync(source)
      .filter((name) => name === 'index.ts' || name.endsWith('.test.ts'))
      .map((name) => join(source, name)),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
    outdir,
  });
  return join(outdir, 'index');
}
